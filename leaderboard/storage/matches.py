"""Matches as they were played: their records, and everything stored beside them."""

from __future__ import annotations

import zlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict
from datetime import UTC, datetime

from sqlalchemy import insert, select

from common.canonical_json import sha256
from leaderboard.chairs import chairs
from leaderboard.proof.lines import match_line
from leaderboard.results import Played, Result, scorecard
from leaderboard.storage import audit, rating_cache
from leaderboard.storage.audit import Checked
from leaderboard.storage.database import Unknown
from leaderboard.storage.hosts import note_host
from leaderboard.storage.ledger import append
from leaderboard.storage.models import (
    ChairRow,
    FaultRow,
    MatchRow,
    RecordRow,
    SeasonRow,
    SeatRow,
    StderrRow,
)
from leaderboard.storage.repository import Repository
from tables.game import Seat
from tables.record import Record
from tables.seating import Seating


class UnknownMatch(Unknown):
    """No match with this key is stored; raised by `records`."""


class MatchRepository(Repository):
    """Matches and their records, and checks of the numbers beside them."""

    def save_match(self, season_id: int, played: Played) -> Result:
        """Store a match with its records and all derived numbers; return the match in brief.

        If a match with this key is already stored, it is left unchanged and returned.
        """
        derived = scorecard(played.records, played.seatings, played.sides)
        packed = [audit.packed(record) for record in played.records]
        line = sha256(
            match_line(
                key=played.key,
                leg=played.leg,
                round=played.round,
                labels=played.labels,
                entrants=played.versions,
                sides=played.sides,
                seatings=played.seatings,
                records=[record.to_data() for record in played.records],
            )
        )
        written = [
            {"record": number, "seat": seat, "data": zlib.compress(text.encode())}
            for number, seats in enumerate(played.stderr)
            for seat, text in enumerate(seats)
            if text
        ]
        with self.database.writing() as session:
            season = session.execute(
                select(SeasonRow.tournament_id, SeasonRow.number, SeasonRow.manifest)
                .where(SeasonRow.id == season_id)
                .with_for_update()
            ).one()
            if session.scalar(select(MatchRow.id).where(MatchRow.key == played.key)) is not None:
                return rating_cache.result(session, season_id, played.key)
            match = MatchRow(
                season_id=season_id,
                key=played.key,
                leg=played.leg,
                round=played.round,
                games=derived.games,
                labels=list(played.labels),
                boards=[list(board) for board in derived.boards],
                luck=[list(board) for board in derived.luck] or None,
                seconds=played.seconds,
                shoe=list(derived.shoe),
                stored=datetime.now(UTC),
            )
            session.add(match)
            session.flush()
            seats = [
                {"match_id": match.id, "version_id": version, **asdict(tally)}
                for version, tally in zip(played.versions, derived.tallies, strict=True)
            ]
            session.execute(insert(SeatRow), seats)
            session.execute(
                insert(ChairRow),
                [
                    {
                        "match_id": match.id,
                        "seat": derived.tallies[each.entrant].seat,
                        "held": each.held,
                        "seats": each.seats,
                        "games": each.games,
                        "score": each.score,
                        "lead": each.lead,
                    }
                    for each in chairs(played.records, played.seatings, played.sides)
                ],
            )
            session.execute(
                insert(RecordRow),
                [
                    {"match_id": match.id, "number": number, "seating": seating, "data": data}
                    for number, (seating, data) in enumerate(
                        zip(played.seatings, packed, strict=True)
                    )
                ],
            )
            if written:
                session.execute(
                    insert(StderrRow), [{"match_id": match.id, **row} for row in written]
                )
            faults = []
            for place, fault in derived.faults:
                values = asdict(place)
                version = played.versions[values.pop("entrant")]
                values |= {"kind": fault.kind.value, "detail": fault.detail, "struck": fault.struck}
                faults.append({"match_id": match.id, "version_id": version, **values})
            if faults:
                session.execute(insert(FaultRow), faults)
            if played.host is not None:
                note_host(session, season_id, match.id, played.host)
            if season.manifest is not None:
                told = {"key": played.key, "entrants": list(played.versions), "sha256": line}
                if played.host is not None:
                    told |= {"host": played.host.name, "host_sha256": played.host.sha256}
                append(session, season.tournament_id, "match", season.number, **told)
        return derived.result(played.key, played.leg, played.round, played.versions)

    def results(self, season_id: int) -> Sequence[Result]:
        """Every stored match of a season in brief, in key order."""
        with self.database.reading() as session:
            return rating_cache.results(session, season_id)

    def records(self, key: str) -> tuple[Record, ...]:
        """The records of a stored match; raises `UnknownMatch` and `DamagedRecord`."""
        return tuple(record for _, record in self.games(key))

    def games(self, key: str) -> tuple[tuple[Seating, Record], ...]:
        """The games of a stored match, each with the entrant of every seat.

        Raises `UnknownMatch` and `DamagedRecord`.
        """
        with self.database.reading() as session:
            found = audit.games(session, key)
        if not found:
            raise UnknownMatch(f"no match {key[:200]!r} is stored")
        return found

    def stderr(self, key: str) -> Mapping[tuple[int, Seat], str]:
        """What bots wrote on standard error in a stored match, by game (from 0) and seat.

        Bots that wrote nothing are left out. Only the bot's author may see it.
        """
        with self.database.reading() as session:
            rows = session.scalars(
                select(StderrRow)
                .join(MatchRow, MatchRow.id == StderrRow.match_id)
                .where(MatchRow.key == key)
                .order_by(StderrRow.record, StderrRow.seat)
            )
            return {(row.record, row.seat): zlib.decompress(row.data).decode() for row in rows}

    def checked(self, season_id: int) -> Iterator[Checked]:
        """Every match of a season in key order, its stored numbers compared with its records.

        The matches are read one at a time, so the caller may take its time with each.
        """
        with self.database.reading() as session:
            query = select(MatchRow.id).where(MatchRow.season_id == season_id)
            matches = session.scalars(query.order_by(MatchRow.key)).all()
        for match_id in matches:
            with self.database.reading() as session:
                match = audit.checked(session, match_id)
            yield match
