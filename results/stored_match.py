"""A match's rows as the database gives them, many matches at a time.

`checked` compares the numbers that were derived when the match was stored with those that follow
from its records. Ratings are left out, since they are a cache that later matches change.
"""

from __future__ import annotations

import hashlib
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, fields
from datetime import datetime
from typing import Any, cast

from sqlalchemy import ColumnElement, func, inspect, select
from sqlalchemy.orm import InstrumentedAttribute, Session

from card_arena.common.faults import Fault, FaultEvent
from card_arena.ratings.match_results import (
    FaultPlace,
    HeldSeats,
    Lucks,
    Scorecard,
    Tally,
    held_seats,
    lucks_of,
    scorecard,
)
from card_arena.results.database import Repository
from card_arena.results.entries import Season
from card_arena.results.ledger import end_of
from card_arena.results.models import (
    FaultRow,
    HeldSeatsRow,
    LedgerRow,
    MatchRow,
    RecordRow,
    SeasonRow,
    SeatRow,
    TournamentRow,
)
from card_arena.results.records import DamagedRecord, line_of, records_of, texts_of
from card_arena.tables.record import Record
from card_arena.tables.seating import Seating


@dataclass(frozen=True, slots=True)
class Difference:
    """A stored number that differs from its derivation: `where` it is kept and `what` it is."""

    where: str
    what: str
    stored: object
    derived: object

    def __str__(self) -> str:
        return f"{self.where}: {self.what} is stored as {self.stored!r}, but is {self.derived!r}"


def differences(key: str, stored: Scorecard, derived: Scorecard) -> Iterator[Difference]:
    """Compare the stored numbers of the match `key` with those that follow from its records."""
    if stored.tallies != derived.tallies:
        yield from _unlike(_tallies(key, stored), _tallies(key, derived))
    if stored.faults != derived.faults:
        yield from _unlike(_faults(key, stored), _faults(key, derived))
    for name, what in _OF_MATCH.items():
        value, right = getattr(stored, name), getattr(derived, name)
        if value != right:
            yield Difference(key, what, value, right)
    if stored.luck and derived.luck and stored.luck != derived.luck:
        yield Difference(key, "the luck on its boards", stored.luck, derived.luck)


_OF_MATCH = {
    "shoe": "what is left in the shoe",
    "games": "the number of its games",
    "boards": "what its boards came to",
    "penalties": "what strike-outs cost",
}
"""The numbers of a match as a whole, and their names in messages."""


def _by_held_seats(key: str, all_entrants: Sequence[HeldSeats]) -> _Entries:
    return {
        f"{key}, entrant {held_seats.entrant + 1} in seats {held_seats.held}": asdict(held_seats)
        for held_seats in all_entrants
    }


_Entries = Mapping[str, Mapping[str, object]]
"""Numbers by name, grouped by the part of the match that they belong to."""


def _tallies(key: str, card: Scorecard) -> _Entries:
    return {f"{key}, seat {tally.seat}": asdict(tally) for tally in card.tallies}


def _faults(key: str, card: Scorecard) -> _Entries:
    """Every fault by its place, with games counted from 1."""
    return {
        f"{key}, fault at turn {place.turn} of game {place.record + 1}": {
            **asdict(place),
            **asdict(fault),
        }
        for place, fault in card.faults
    }


def _unlike(stored: _Entries, derived: _Entries) -> Iterator[Difference]:
    for where in sorted({*stored, *derived}):
        ours, right = stored.get(where), derived.get(where)
        if ours is None or right is None:
            yield Difference(where, "the entry", ours, right)
            continue
        for what, value in ours.items():
            if value != right[what]:
                yield Difference(where, what, value, right[what])


@dataclass(frozen=True, slots=True)
class Checked:
    """A stored match with its records, and the stored numbers that differ from them.

    `records` and `seatings` are empty if a record can't be read; `derived` is their result, None if
    they don't match. `seconds` is how long it lasted and `stored` when it was stored, None where
    that is not kept.
    """

    key: str
    leg: int
    round: int
    labels: tuple[str, ...]
    versions: tuple[int, ...]
    sides: tuple[int, ...]
    seatings: tuple[Seating, ...]
    records: tuple[Record, ...]
    derived: Scorecard | None
    differences: tuple[Difference, ...]
    line: str = ""
    """The match as the ledger hashes it; empty if a record can't be read."""
    seconds: float | None = None
    stored: datetime | None = None


@dataclass(frozen=True, slots=True)
class StoredMatch:
    """All rows of one match, each with the columns named below."""

    match: Any
    seats: Sequence[Any]
    held_seats: Sequence[Any]
    records: Sequence[Any]
    faults: Sequence[Any]

    @property
    def key(self) -> str:
        return str(self.match.key)

    @property
    def fingerprint(self) -> str:
        """A SHA-256 that any change to these rows would change."""
        digest = hashlib.sha256()
        for part in ((self.match,), self.seats, self.held_seats, self.faults, self.records):
            digest.update(repr([tuple(row) for row in part]).encode("utf-8", "backslashreplace"))
        return digest.hexdigest()

    def checked(self, lucks: Lucks = lucks_of) -> Checked:
        """Compare the numbers stored beside the records with those that follow from them.

        `lucks` counts the luck in them, as for `scorecard`.
        """
        versions = tuple(row.version_id for row in self.seats)
        sides = tuple(row.side for row in self.seats)
        games: tuple[tuple[Seating, Record], ...] = ()
        derived, hashed = None, ""
        try:
            stored = texts_of(self.key, self.records)
            games = records_of(self.key, stored)
            hashed = line_of(self.match, versions, sides, stored)
            seatings, records = zip(*games, strict=True)
            derived = scorecard(records, seatings, sides, lucks)
            different = (
                *differences(self.key, self._card(), derived),
                *_unlike(
                    _by_held_seats(self.key, self._held_seats()),
                    _by_held_seats(self.key, held_seats(records, seatings, sides)),
                ),
            )
        except DamagedRecord as error:
            different = (Difference(self.key, "a record", str(error), "one that can be read"),)
        except (LookupError, TypeError, ValueError):
            # there is no record, or it does not fit the seats and entrants stored with it
            different = (Difference(self.key, "the match", f"{len(games)} records", "whole ones"),)
        return Checked(
            key=self.key,
            leg=self.match.leg,
            round=self.match.round,
            labels=tuple(self.match.labels),
            versions=versions,
            sides=sides,
            seatings=tuple(seating for seating, _ in games),
            records=tuple(record for _, record in games),
            derived=derived,
            differences=different,
            line=hashed,
            seconds=self.match.seconds,
            stored=self.match.stored,
        )

    def _card(self) -> Scorecard:
        """The numbers stored beside the records."""
        entrants = {row.version_id: number for number, row in enumerate(self.seats)}
        return Scorecard(
            tuple(Tally(*(getattr(row, name) for name in _TALLY)) for row in self.seats),
            tuple(fault_of(row, entrants[row.version_id]) for row in self.faults),
            tuple(self.match.shoe),
            tuple(map(tuple, self.match.boards)),
            self.match.games,
            tuple(map(tuple, self.match.luck or ())),
            tuple(map(tuple, self.match.penalties or ())),
        )

    def _held_seats(self) -> tuple[HeldSeats, ...]:
        """The stored totals of its entrants, by the seats they held."""
        entrants = {row.seat: number for number, row in enumerate(self.seats)}
        unknown = len(entrants)  # of a row whose seat was changed or taken away
        return tuple(
            HeldSeats(
                entrants.get(row.seat, unknown),
                *(row.held, row.seats, row.games, row.score, row.margin),
            )
            for row in self.held_seats
        )


_TALLY = tuple(column.name for column in fields(Tally))
_PLACE = tuple(column.name for column in fields(FaultPlace) if column.name != "entrant")

_MATCH = (
    *(MatchRow.id, MatchRow.key, MatchRow.leg, MatchRow.round, MatchRow.games, MatchRow.labels),
    *(MatchRow.shoe, MatchRow.boards, MatchRow.luck, MatchRow.penalties),
    *(MatchRow.seconds, MatchRow.stored),
)
_SEATS = (SeatRow.match_id, *(getattr(SeatRow, name) for name in _TALLY), SeatRow.version_id)
_HELD_SEATS = (
    *(HeldSeatsRow.match_id, HeldSeatsRow.seat, HeldSeatsRow.held, HeldSeatsRow.seats),
    *(HeldSeatsRow.games, HeldSeatsRow.score, HeldSeatsRow.margin),
)
_RECORDS = (
    *(RecordRow.match_id, RecordRow.number, RecordRow.seating, RecordRow.data),
    RecordRow.words_pruned,
)
_FAULTS = (
    FaultRow.match_id,
    *(getattr(FaultRow, name) for name in _PLACE),
    *(FaultRow.version_id, FaultRow.kind, FaultRow.struck),
    *(FaultRow.code, FaultRow.facts),
)


def stored_matches(session: Session, *which: ColumnElement[bool]) -> Iterator[StoredMatch]:
    """The matches for which all these conditions hold, in key order: a query for each table."""
    matches = session.execute(select(*_MATCH).where(*which).order_by(MatchRow.key)).all()
    seats, held_seats, records, faults = (
        _by_match(session, columns, which) for columns in (_SEATS, _HELD_SEATS, _RECORDS, _FAULTS)
    )
    for match in matches:
        rows = (table[match.id] for table in (seats, held_seats, records, faults))
        yield StoredMatch(match, *rows)


def _by_match(
    session: Session,
    columns: Sequence[InstrumentedAttribute[Any]],
    which: Sequence[ColumnElement[bool]],
) -> Mapping[int, Sequence[Any]]:
    """The rows of a table by the matches that they belong to, in the order of their keys."""
    owner = columns[0]
    order = inspect(owner.class_).primary_key
    rows = session.execute(
        select(*columns).join(MatchRow, MatchRow.id == owner).where(*which).order_by(*order)
    )
    by_match: dict[int, list[Any]] = defaultdict(list)
    for row in rows:
        by_match[row.match_id].append(row)
    return by_match


def fault_of(row: FaultRow | Any, entrant: int) -> tuple[FaultPlace, FaultEvent]:
    """Read a fault; `entrant` is the index of its version among the match's entrants."""
    place = FaultPlace(**{name: getattr(row, name) for name in _PLACE}, entrant=entrant)
    # The kind stays as stored: tampered data should be shown, not raise an error.
    return place, FaultEvent(cast(Fault, row.kind), row.code, row.facts, row.struck)


CHUNK = 16
"""How many matches are read together: all of their records are in memory at a time."""


@dataclass(frozen=True, slots=True)
class Chunk:
    """The matches of a season from one key to another that were stored no later than `until`."""

    season_id: int
    first: str
    last: str
    until: int


@dataclass(frozen=True, slots=True)
class UntilNow:
    """The extent of a season at one moment, while more may be stored.

    `matches` is their number, `match` the id of the newest, and `entry` the number of the last
    entry in the ledger; an id or a number is 0 where there is none.
    """

    matches: int
    match: int
    entry: int


class ChunkRepository(Repository):
    """The matches of a season in bulk."""

    def stored_until_now(self, season: Season) -> UntilNow:
        """Return the extent of a season's matches and of its tournament's ledger at this moment.

        The ledger of a season that is over ends with its last entry or with a bot's later move.
        """
        with self.database.reading() as session:
            owner = session.get_one(SeasonRow, season.id).tournament_id
            entries = select(func.max(LedgerRow.number)).where(LedgerRow.tournament_id == owner)
            matches = select(func.count(), func.max(MatchRow.id)).where(
                MatchRow.season_id == season.id
            )
            count, newest = session.execute(matches).one()
            end = end_of(session, owner, season.number)
            if end is not None:
                end = max(end, session.scalar(entries.where(LedgerRow.kind == "move")) or 0)
            return UntilNow(count, newest or 0, end or session.scalar(entries) or 0)

    def count_matches(self, tournament: str) -> int:
        """How many matches are stored of a tournament; 0 if there is none of this name."""
        with self.database.reading() as session:
            query = (
                select(func.count(MatchRow.id))
                .join(SeasonRow, SeasonRow.id == MatchRow.season_id)
                .join(TournamentRow, TournamentRow.id == SeasonRow.tournament_id)
                .where(TournamentRow.name == tournament)
            )
            return session.execute(query).scalar_one()

    def chunks(self, season_id: int, until: int) -> Iterator[Chunk]:
        """Split the matches of a season, as far as they were stored by then, in key order.

        They are found one after the other, so that nothing grows with the season.
        """
        keys = select(MatchRow.key).where(MatchRow.season_id == season_id, MatchRow.id <= until)
        after = keys
        while True:
            with self.database.reading() as session:
                keys_of_chunk = session.scalars(after.order_by(MatchRow.key).limit(CHUNK)).all()
            if not keys_of_chunk:
                return
            yield Chunk(season_id, keys_of_chunk[0], keys_of_chunk[-1], until)
            after = keys.where(MatchRow.key > keys_of_chunk[-1])

    def stored_matches(self, chunk: Chunk) -> Sequence[StoredMatch]:
        """The rows of a chunk's matches, in key order."""
        with self.database.reading() as session:
            return [
                *stored_matches(
                    session,
                    MatchRow.season_id == chunk.season_id,
                    MatchRow.key >= chunk.first,
                    MatchRow.key <= chunk.last,
                    MatchRow.id <= chunk.until,
                )
            ]
