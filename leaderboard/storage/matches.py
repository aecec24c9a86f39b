"""Matches as they were played: their records, and everything stored beside them."""

from __future__ import annotations

import zlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import fields
from datetime import UTC, datetime
from typing import Any

from sqlalchemy import bindparam, insert, or_, select, update

from leaderboard.chairs import Chairs
from leaderboard.differences import Difference
from leaderboard.finished import Finished, finished
from leaderboard.results import FaultPlace, Played, Result, Tally
from leaderboard.storage import audit, rating_cache
from leaderboard.storage.chair_sums import add_chairs
from leaderboard.storage.chair_sums import differences as chair_differences
from leaderboard.storage.counts import count
from leaderboard.storage.counts import differences as count_differences
from leaderboard.storage.database import Unknown
from leaderboard.storage.hosts import note_host
from leaderboard.storage.ledger import append
from leaderboard.storage.models import (
    Base,
    ChairRow,
    FaultRow,
    MatchRow,
    RecordRow,
    SeasonRow,
    SeatRow,
    StderrRow,
)
from leaderboard.storage.probation import put_on_probation
from leaderboard.storage.repository import Repository
from tables.game import Seat
from tables.record import Record
from tables.seating import Seating

_OWNER = (
    select(SeasonRow.tournament_id, SeasonRow.number, SeasonRow.settings)
    .where(SeasonRow.id == bindparam("season"))
    .with_for_update()
)
_UNRATED = (
    update(SeasonRow)
    .where(
        SeasonRow.id == bindparam("of_season"),
        SeasonRow.rated,
        or_(SeasonRow.unrated_from.is_(None), SeasonRow.unrated_from > bindparam("first")),
    )
    .values(unrated_from=bindparam("first"))
)
_NEW = insert(MatchRow).returning(MatchRow.id)
_KNOWN = select(MatchRow.id).where(MatchRow.key == bindparam("key"))


class UnknownMatch(Unknown):
    """No match with this key is stored; raised by `records`."""


class MatchRepository(Repository):
    """Matches and their records, one by one."""

    def save_match(self, season_id: int, match: Played | Finished) -> Result:
        """Store a match with its records and all derived numbers; return the match in brief.

        If a match with this key is already stored, it is left unchanged and returned.
        """
        done = finished(match) if isinstance(match, Played) else match
        return self.save_matches(season_id, [done])[0]

    def save_matches(self, season_id: int, matches: Sequence[Finished]) -> Sequence[Result]:
        """Store these matches, all or none of them, as `save_match` does.

        Where bots are put on probation, those after a match for which one is are not stored: the
        schedule has to be told first, and may not want them any more.
        """
        with self.database.writing() as session:
            # Statements that are made once, and rows without objects: this is done for every match.
            connection = session.connection()
            owner = connection.execute(_OWNER, {"season": season_id}).one()
            found = {}
            new = []
            now = datetime.now(UTC)
            watched = owner.settings.probation
            for done in matches:
                if connection.execute(_KNOWN, {"key": done.key}).first() is not None:
                    found[done.key] = rating_cache.result(session, season_id, done.key)
                    continue
                new.append(done)
                match_id = connection.execute(_NEW, _match(season_id, done, now)).scalar_one()
                for table, rows in _rows(season_id, match_id, done):
                    if rows:
                        connection.execute(insert(table), rows)
                found[done.key] = done.result
                if done.host is not None:
                    note_host(session, season_id, match_id, done.host)
                told = {"key": done.key, "entrants": list(done.versions), "sha256": done.line}
                if done.host is not None:
                    told |= {"host": done.host.name, "host_sha256": done.host.sha256}
                append(session, owner.tournament_id, "match", owner.number, **told)
                if watched and put_on_probation(session, season_id, match_id, done):
                    break
            count(connection, season_id, new, now)
            add_chairs(connection, season_id, new)
            if new:
                first = min(done.key for done in new)
                connection.execute(_UNRATED, {"of_season": season_id, "first": first})
        return [found[done.key] for done in matches if done.key in found]

    def results(self, season_id: int) -> Sequence[Result]:
        """Every match of a season that counts in brief, in key order."""
        with self.database.reading() as session:
            return rating_cache.results(session, season_id)

    def each_result(self, season_id: int) -> Iterator[Result]:
        """Every stored match one at a time, annulled or not: a long season needn't be in memory."""
        with self.database.reading() as session:
            yield from rating_cache.each_result(session, season_id)

    def check_counts(self, season_id: int) -> Sequence[Difference]:
        """Add up a season's matches again and return the counts that differ."""
        with self.database.reading() as session:
            return [
                *count_differences(session, season_id),
                *chair_differences(session, season_id),
            ]

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

    def games_of(self, keys: Sequence[str]) -> Mapping[str, tuple[tuple[Seating, Record], ...]]:
        """The games of some stored matches by their keys, as `games` gives those of one.

        Raises `DamagedRecord`.
        """
        with self.database.reading() as session:
            return audit.games_of(session, keys)

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


def _match(season_id: int, done: Finished, now: datetime) -> dict[str, Any]:
    derived = done.derived
    return {
        "season_id": season_id,
        "key": done.key,
        "leg": done.leg,
        "round": done.round,
        "games": derived.games,
        "labels": list(done.labels),
        "boards": [list(board) for board in derived.boards],
        "luck": [list(board) for board in derived.luck] or None,
        "penalties": [list(board) for board in derived.penalties] or None,
        "seconds": done.seconds,
        "shoe": list(derived.shoe),
        "stored": now,
    }


def _rows(
    season_id: int, match_id: int, done: Finished
) -> Iterator[tuple[type[Base], list[dict[str, Any]]]]:
    """All other rows of a match, by their tables."""
    tallies = done.derived.tallies
    own = {"match_id": match_id, "season_id": season_id}
    yield (
        SeatRow,
        [
            {**own, "version_id": version, **_shallow(tally)}
            for version, tally in zip(done.versions, tallies, strict=True)
        ],
    )
    yield (
        ChairRow,
        [
            {**_shallow(each), "match_id": match_id, "seat": tallies[each.entrant].seat}
            for each in done.chairs
        ],
    )
    yield (
        RecordRow,
        [
            {"match_id": match_id, "number": number, "seating": seating, "data": data}
            for number, (seating, data) in enumerate(done.games)
        ],
    )
    yield (
        StderrRow,
        [
            {"match_id": match_id, "record": number, "seat": seat, "data": data}
            for number, seat, data in done.stderr
        ],
    )
    yield (
        FaultRow,
        [
            {
                **_shallow(place),
                "match_id": match_id,
                "version_id": done.versions[place.entrant],
                "kind": fault.kind.value,
                "detail": fault.detail,
                "struck": fault.struck,
            }
            for place, fault in done.derived.faults
        ],
    )


def _shallow(row: Tally | Chairs | FaultPlace) -> dict[str, Any]:
    """The values of a row's columns; `entrant`, which is none, is a number within the match."""
    values = {each.name: getattr(row, each.name) for each in fields(row)}
    values.pop("entrant", None)
    return values
