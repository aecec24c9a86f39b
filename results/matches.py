"""Matches as they were played: their records, and everything stored beside them."""

from __future__ import annotations

import zlib
from collections.abc import Iterator, Mapping, Sequence, Set
from dataclasses import fields
from datetime import UTC, datetime
from typing import Any

from sqlalchemy import bindparam, insert, or_, select, update
from sqlalchemy.orm import Session

from card_arena.common.hosts import Host
from card_arena.common.text import LONGEST_REASON
from card_arena.formats.interventions import Intervention
from card_arena.ratings.match_results import FaultPlace, HeldSeats, Result, Tally
from card_arena.ratings.probation import failing, later
from card_arena.results import rating_cache, records
from card_arena.results.counts import count
from card_arena.results.counts import differences as count_differences
from card_arena.results.database import Repository
from card_arena.results.errors import Unknown
from card_arena.results.interventions import interventions_of, record
from card_arena.results.ledger import append, entries_of, season_locked
from card_arena.results.models import (
    Base,
    EntrantRow,
    FaultRow,
    HeldSeatsRow,
    HostRow,
    LedgerRow,
    MatchRow,
    PlayedOnRow,
    RecordRow,
    SeasonHostRow,
    SeasonRow,
    SeatRow,
    StderrRow,
)
from card_arena.results.proof.ledger import LONGEST_VOID, Kind
from card_arena.results.records import Finished
from card_arena.results.stored_match import Difference
from card_arena.tables.game import Seat
from card_arena.tables.record import Record
from card_arena.tables.seating import Seating

UNDISTURBED = ("begin", "nonce", "unshown", "value", "resume", "finish")
"""Kinds of entries after which a season that is played on had not been interrupted."""

UNWANTED = "a bot left the season while it was played, so its result was dropped"
"""The reason of a void attempt without a failure."""

_TOURNAMENT = (
    select(SeasonRow.tournament_id, SeasonRow.number)
    .where(SeasonRow.id == bindparam("season"))
    .with_for_update()
)


def _short(reason: str, most: int = LONGEST_REASON) -> str:
    """A reason in one line of bounded length."""
    return " ".join(reason.split())[:most]


def put_on_probation(session: Session, season_id: int, match_id: int, match: Finished) -> bool:
    """Put failing entrants of a match on probation; return whether there is one."""
    rows = session.execute(
        select(EntrantRow.version_id, EntrantRow.lately).where(
            EntrantRow.season_id == season_id, EntrantRow.version_id.in_(match.versions)
        )
    )
    before = {row.version_id: row.lately for row in rows}
    failed = []
    for version, answers in zip(match.versions, match.answers, strict=True):
        lately = later(before.get(version, ""), answers)
        session.execute(
            update(EntrantRow)
            .where(EntrantRow.season_id == season_id, EntrantRow.version_id == version)
            .values(lately=lately)
        )
        if reason := failing(lately):
            failed.append((version, reason))
    if not failed:
        return False
    interventions = interventions_of(session, season_id)
    gone = {intervention.version for intervention in interventions if intervention.leaves}
    row = session.get_one(SeasonRow, season_id)
    new = [failure for failure in failed if failure[0] not in gone]
    for number, (version, reason) in enumerate(new, start=len(interventions) + 1):
        now = datetime.now(UTC).replace(microsecond=0)
        what = Intervention(number, 0, now, "probation", reason, version, after=match_id)
        record(session, row, what)
    return bool(new)


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
    """Attempts at matches, the matches with their records, and the hosts that played them."""

    def save_matches(self, season_id: int, matches: Sequence[Finished]) -> Sequence[Result]:
        """Store these matches with all derived numbers, all or none of them; return them in brief.

        A match whose key is stored already is left unchanged.
        Where bots are put on probation, those after a match for which one is are not stored: the
        schedule has to be told first, and may drop them.
        """
        with self.database.writing() as session:
            # Statements that are made once, and rows without objects: this is done for every match.
            connection = session.connection()
            owner = connection.execute(_OWNER, {"season": season_id}).one()
            results = {}
            new = []
            now = datetime.now(UTC)
            watched = owner.settings.probation
            for done in matches:
                if connection.execute(_KNOWN, {"key": done.key}).first() is not None:
                    is_it = MatchRow.key == done.key
                    results[done.key] = next(rating_cache.each_result(session, season_id, is_it))
                    continue
                new.append(done)
                match_id = connection.execute(_NEW, _match(season_id, done, now)).scalar_one()
                for table, rows in _rows(season_id, match_id, done):
                    if rows:
                        connection.execute(insert(table), rows)
                results[done.key] = done.result
                if done.host is not None:
                    _note_host(session, season_id, match_id, done.host)
                facts = {"key": done.key, "entrants": list(done.versions), "sha256": done.line}
                if done.host is not None:
                    facts |= {"host": done.host.name, "host_sha256": done.host.sha256}
                append(session, owner.tournament_id, "match", owner.number, **facts)
                if watched and put_on_probation(session, season_id, match_id, done):
                    break
            count(connection, season_id, new, now)
            if new:
                first = min(done.key for done in new)
                connection.execute(_UNRATED, {"of_season": season_id, "first": first})
        return [results[done.key] for done in matches if done.key in results]

    def note_attempts(self, season_id: int, keys: Sequence[str]) -> None:
        """Add an attempt at these matches to the ledger."""
        if keys:
            self._note(season_id, "attempt", keys=[*keys])

    def note_trial(self, season_id: int, version: int, key: str) -> None:
        """Add the trial of a version alone at the table of a match to the ledger."""
        self._note(season_id, "trial", version=version, key=key)

    def note_void(self, season_id: int, key: str, reason: str) -> None:
        """Add a void attempt at a match to the ledger."""
        self._note(season_id, "void", key=key, reason=_short(reason, LONGEST_VOID))

    def note_no_sandbox(
        self, season_id: int, version: int, reason: str, key: str | None = None
    ) -> None:
        """Add to the ledger that a version gets no sandbox in a match, or in the whole season."""
        facts: dict[str, object] = {"version": version, "reason": _short(reason)}
        self._note(season_id, "no sandbox", **facts, **({} if key is None else {"key": key}))

    def without_sandbox(self, season_id: int) -> Mapping[int, str]:
        """Return the versions that get no sandbox in a whole season, each with the reason."""
        with self.database.reading() as session:
            row = session.get_one(SeasonRow, season_id)
            entries = entries_of(session, row, "no sandbox")
            return {entry["version"]: entry["reason"] for entry in entries if entry["key"] is None}

    def open_attempts(self, season_id: int) -> Set[str]:
        """Return the matches of a season with an attempt that has no end in the ledger."""
        open_keys: set[str] = set()
        with self.database.reading() as session:
            row = session.get_one(SeasonRow, season_id)
            for entry in entries_of(session, row, "attempt", "match", "void", "resume"):
                match entry["kind"]:
                    case "attempt":
                        open_keys.update(entry["keys"])
                    case "resume":
                        open_keys.clear()
                    case _:
                        open_keys -= {entry["key"]}
        return open_keys

    def note_pause(self, season_id: int, reason: str) -> None:
        """Add the pause of an unfinished season to the ledger."""
        self._note(season_id, "pause", reason=_short(reason))

    def note_resumption(self, season_id: int) -> None:
        """Add the resumption of a season to the ledger, if it had been interrupted."""
        with self.database.writing() as session:
            row = season_locked(session, season_id)
            newest = session.scalar(
                select(LedgerRow.kind)
                .where(
                    LedgerRow.tournament_id == row.tournament_id,
                    LedgerRow.season == row.number,
                    LedgerRow.kind != "move",
                )
                .order_by(LedgerRow.number.desc())
                .limit(1)
            )
            if newest not in UNDISTURBED:
                append(session, row.tournament_id, "resume", row.number)

    def _note(self, season_id: int, kind: Kind, **facts: object) -> None:
        with self.database.writing() as session:
            # A statement that is made once, and no objects: this is done all the time.
            row = session.connection().execute(_TOURNAMENT, {"season": season_id}).one()
            append(session, row.tournament_id, kind, row.number, **facts)

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
            return [*count_differences(session, season_id)]

    def records(self, key: str) -> tuple[Record, ...]:
        """The records of a stored match; raises `UnknownMatch` and `DamagedRecord`."""
        return tuple(record for _, record in self.games(key))

    def games(self, key: str) -> tuple[tuple[Seating, Record], ...]:
        """The games of a stored match, each with the entrant of every seat.

        Raises `UnknownMatch` and `DamagedRecord`.
        """
        games = self.games_of([key])
        if not games:
            raise UnknownMatch(f"no match {key[:200]!r} is stored")
        return games[key]

    def games_of(self, keys: Sequence[str]) -> Mapping[str, tuple[tuple[Seating, Record], ...]]:
        """The games of some stored matches by their keys, as `games` gives those of one.

        Raises `DamagedRecord`.
        """
        with self.database.reading() as session:
            return records.games_of(session, keys)

    def stderr(self, key: str) -> Mapping[tuple[int, Seat], str]:
        """The standard error of bots in a stored match, by game (from 0) and seat.

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

    def hosts(self, season_id: int) -> Sequence[Host]:
        """The hosts that played matches of a season, the one first that first joined."""
        with self.database.reading() as session:
            rows = session.scalars(
                select(HostRow)
                .join(SeasonHostRow, SeasonHostRow.host_id == HostRow.id)
                .where(SeasonHostRow.season_id == season_id)
                .order_by(HostRow.id)
            )
            return [Host.from_data(row.facts) for row in rows]

    def matches_by_host(self, season_id: int) -> Sequence[tuple[Host, int]]:
        """The hosts that played a season, and how many of its matches; the busiest first."""
        with self.database.reading() as session:
            rows = session.execute(
                select(HostRow, SeasonHostRow.matches)
                .join(SeasonHostRow, SeasonHostRow.host_id == HostRow.id)
                .where(SeasonHostRow.season_id == season_id)
                .order_by(SeasonHostRow.matches.desc(), HostRow.name, HostRow.id)
            )
            return [(Host.from_data(row.facts), matches) for row, matches in rows]

    def host_of(self, key: str) -> Host | None:
        """The host that played a match; None for one that the runner's own machine played."""
        with self.database.reading() as session:
            row = session.scalar(
                select(HostRow)
                .join(PlayedOnRow, PlayedOnRow.host_id == HostRow.id)
                .join(MatchRow, MatchRow.id == PlayedOnRow.match_id)
                .where(MatchRow.key == key)
            )
            return None if row is None else Host.from_data(row.facts)


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
        HeldSeatsRow,
        [
            {**_shallow(held_seats), "match_id": match_id, "seat": tallies[held_seats.entrant].seat}
            for held_seats in done.held_seats
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
                "code": fault.code,
                "facts": fault.facts,
                "struck": fault.struck,
            }
            for place, fault in done.derived.faults
        ],
    )


def _shallow(row: Tally | HeldSeats | FaultPlace) -> dict[str, Any]:
    """The values of a row's columns; `entrant`, which is none, is a number within the match."""
    values = {column.name: getattr(row, column.name) for column in fields(row)}
    values.pop("entrant", None)
    return values


def _note_host(session: Session, season_id: int, match_id: int, host: Host) -> None:
    """Store which host played a match, in the transaction that stores the match.

    The season's row is locked, so nobody else counts its matches meanwhile.
    """
    host_id = session.scalar(select(HostRow.id).where(HostRow.digest == host.sha256))
    if host_id is None:  # only the program with the lease adds hosts
        row = HostRow(
            digest=host.sha256, name=host.name, facts=host.to_data(), joined=datetime.now(UTC)
        )
        session.add(row)
        session.flush()
        host_id = row.id
    session.add(PlayedOnRow(match_id=match_id, host_id=host_id))
    counted = session.execute(
        update(SeasonHostRow)
        .where(SeasonHostRow.season_id == season_id, SeasonHostRow.host_id == host_id)
        .values(matches=SeasonHostRow.matches + 1)
    )
    if not counted.rowcount:  # type: ignore[attr-defined]
        session.add(SeasonHostRow(season_id=season_id, host_id=host_id, matches=1))
    session.flush()
