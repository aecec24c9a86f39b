"""A match's rows as the database gives them, many matches at a time.

None of it is believed yet: `checked` compares what was derived when the match was stored with what
its records come to. Ratings are left out, since they are a cache that later matches change.
"""

from __future__ import annotations

import hashlib
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, fields
from datetime import datetime
from typing import Any, cast

from sqlalchemy import ColumnElement, inspect, select
from sqlalchemy.orm import InstrumentedAttribute, Session

from common.faults import Fault, FaultEvent
from leaderboard.chairs import Chairs, chairs
from leaderboard.differences import Difference, differences, of_chairs
from leaderboard.results import (
    FaultPlace,
    Lucks,
    Scorecard,
    Tally,
    lucks_of,
    scorecard,
)
from leaderboard.storage.audit import DamagedRecord, line_of, records_of, texts_of
from leaderboard.storage.models import ChairRow, FaultRow, MatchRow, RecordRow, SeatRow
from tables.record import Record
from tables.seating import Seating


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
    chairs: Sequence[Any]
    records: Sequence[Any]
    faults: Sequence[Any]

    @property
    def key(self) -> str:
        return str(self.match.key)

    @property
    def fingerprint(self) -> str:
        """A SHA-256 that any change to these rows would change."""
        found = hashlib.sha256()
        for part in ((self.match,), self.seats, self.chairs, self.faults, self.records):
            found.update(repr([tuple(row) for row in part]).encode("utf-8", "backslashreplace"))
        return found.hexdigest()

    def checked(self, lucks: Lucks = lucks_of) -> Checked:
        """Compare what is stored beside the records with what they come to.

        `lucks` counts the luck in them, as for `scorecard`.
        """
        versions = tuple(row.version_id for row in self.seats)
        sides = tuple(row.side for row in self.seats)
        kept: tuple[tuple[Seating, Record], ...] = ()
        derived, hashed = None, ""
        try:
            stored = texts_of(self.key, self.records)
            kept = records_of(self.key, stored)
            hashed = line_of(self.match, versions, sides, stored)
            seatings, records = zip(*kept, strict=True)
            derived = scorecard(records, seatings, sides, lucks)
            found = (
                *differences(self.key, self._card(), derived),
                *of_chairs(self.key, self._chairs(), chairs(records, seatings, sides)),
            )
        except DamagedRecord as error:
            found = (Difference(self.key, "a record", str(error), "one that can be read"),)
        except (LookupError, TypeError, ValueError):
            # there is no record, or it does not fit the seats and entrants stored with it
            found = (Difference(self.key, "the match", f"{len(kept)} records", "whole ones"),)
        return Checked(
            key=self.key,
            leg=self.match.leg,
            round=self.match.round,
            labels=tuple(self.match.labels),
            versions=versions,
            sides=sides,
            seatings=tuple(seating for seating, _ in kept),
            records=tuple(record for _, record in kept),
            derived=derived,
            differences=found,
            line=hashed,
            seconds=self.match.seconds,
            stored=self.match.stored,
        )

    def _card(self) -> Scorecard:
        """What is stored beside the records."""
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

    def _chairs(self) -> tuple[Chairs, ...]:
        """What is stored of its entrants chair by chair."""
        entrants = {row.seat: number for number, row in enumerate(self.seats)}
        unknown = len(entrants)  # of a row whose seat was changed or taken away
        found = [
            Chairs(
                entrants.get(row.seat, unknown),
                row.held,
                row.seats,
                row.games,
                row.score,
                row.lead,
            )
            for row in self.chairs
        ]
        return tuple(sorted(found, key=lambda each: (each.entrant, each.held)))


_TALLY = tuple(each.name for each in fields(Tally))
_PLACE = tuple(each.name for each in fields(FaultPlace) if each.name != "entrant")

_MATCH = (
    *(MatchRow.id, MatchRow.key, MatchRow.leg, MatchRow.round, MatchRow.games, MatchRow.labels),
    *(MatchRow.shoe, MatchRow.boards, MatchRow.luck, MatchRow.penalties),
    *(MatchRow.seconds, MatchRow.stored),
)
_SEATS = (SeatRow.match_id, *(getattr(SeatRow, name) for name in _TALLY), SeatRow.version_id)
_CHAIRS = (
    *(ChairRow.match_id, ChairRow.seat, ChairRow.held, ChairRow.seats, ChairRow.games),
    *(ChairRow.score, ChairRow.lead),
)
_RECORDS = (
    *(RecordRow.match_id, RecordRow.number, RecordRow.seating, RecordRow.data),
    RecordRow.words_pruned,
)
_FAULTS = (
    FaultRow.match_id,
    *(getattr(FaultRow, name) for name in _PLACE),
    *(FaultRow.version_id, FaultRow.kind, FaultRow.struck, FaultRow.detail),
)


def stored_matches(session: Session, *which: ColumnElement[bool]) -> Iterator[StoredMatch]:
    """The matches for which all these conditions hold, in key order: a query for each table."""
    matches = session.execute(select(*_MATCH).where(*which).order_by(MatchRow.key)).all()
    seats, chairs, records, faults = (
        _by_match(session, columns, which) for columns in (_SEATS, _CHAIRS, _RECORDS, _FAULTS)
    )
    for match in matches:
        yield StoredMatch(
            match,
            seats[match.id],
            chairs[match.id],
            records[match.id],
            faults[match.id],
        )


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
    found: dict[int, list[Any]] = defaultdict(list)
    for row in rows:
        found[row.match_id].append(row)
    return found


def fault_of(row: FaultRow | Any, entrant: int) -> tuple[FaultPlace, FaultEvent]:
    """Read a fault; `entrant` is the index of its version among the match's entrants."""
    place = FaultPlace(**{name: getattr(row, name) for name in _PLACE}, entrant=entrant)
    # The kind stays as stored: tampered data should be shown, not raise an error.
    return place, FaultEvent(cast(Fault, row.kind), row.detail, row.struck)
