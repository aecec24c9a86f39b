"""Records as they are stored, and a check of the numbers stored beside them."""

from __future__ import annotations

import json
import zlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass, fields
from typing import Any, TypeVar, cast

from sqlalchemy import select
from sqlalchemy.orm import Session

from common.faults import Fault, FaultEvent
from leaderboard.chairs import Chairs, chairs
from leaderboard.differences import Difference, differences, of_chairs
from leaderboard.proof.lines import match_line
from leaderboard.results import (
    FaultPlace,
    Scorecard,
    Tally,
    scorecard,
)
from leaderboard.storage.database import Damaged
from leaderboard.storage.models import ChairRow, FaultRow, MatchRow, RecordRow, SeatRow
from tables.record import Record
from tables.seating import Seating

Read = TypeVar("Read")


class DamagedRecord(Damaged):
    """The bytes of a record can no longer be read; raised by `games`."""


@dataclass(frozen=True, slots=True)
class Checked:
    """A stored match with its records, and the stored numbers that differ from them.

    `records` and `seatings` are empty if a record can't be read; `derived` is their result, None if
    they don't match.
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


def games(session: Session, key: str) -> tuple[tuple[Seating, Record], ...]:
    """The games of the match `key`, each with its seating; empty if there is no such match.

    Raises `DamagedRecord`.
    """
    return tuple(
        (seating, _readable(key, number, Record.from_data, data))
        for number, (seating, data) in enumerate(_stored(session, key))
    )


def line(session: Session, match: MatchRow, versions: Sequence[int], sides: Sequence[int]) -> str:
    """A match as the ledger hashes it: its records exactly as stored. Raises `DamagedRecord`."""
    stored = _stored(session, match.key)
    return match_line(
        key=match.key,
        leg=match.leg,
        round=match.round,
        labels=match.labels,
        entrants=versions,
        sides=sides,
        seatings=[seating for seating, _ in stored],
        records=[data for _, data in stored],
    )


def _stored(session: Session, key: str) -> Sequence[tuple[Seating, Any]]:
    """The seating and the plain data of every record of a match; raises `DamagedRecord`."""
    rows = session.execute(
        select(RecordRow.number, RecordRow.seating, RecordRow.data)
        .join(MatchRow, MatchRow.id == RecordRow.match_id)
        .where(MatchRow.key == key)
        .order_by(RecordRow.number)
    )
    return [
        (_readable(key, number, tuple, seating), _readable(key, number, _unpacked, data))
        for number, seating, data in rows
    ]


def _unpacked(data: bytes) -> Any:
    return json.loads(zlib.decompress(data))


def _readable(key: str, number: int, read: Callable[[Any], Read], data: Any) -> Read:
    """Read a record that may have been damaged; raises `DamagedRecord`."""
    try:
        return read(data)
    except (zlib.error, ValueError, KeyError, TypeError, AttributeError) as error:
        where = f"game {number + 1} of match {key}"
        raise DamagedRecord(f"{where} can't be read: {error}") from error


def checked(session: Session, match_id: int) -> Checked:
    """Compare what is stored about a match with its records."""
    match = session.get_one(MatchRow, match_id)
    seats = session.scalars(
        select(SeatRow).where(SeatRow.match_id == match_id).order_by(SeatRow.seat)
    ).all()
    faults = session.scalars(select(FaultRow).where(FaultRow.match_id == match_id)).all()
    sides = tuple(row.side for row in seats)
    entrants = {row.version_id: number for number, row in enumerate(seats)}
    stored = Scorecard(
        tuple(Tally(**{f.name: getattr(row, f.name) for f in fields(Tally)}) for row in seats),
        tuple(fault_of(row, entrants[row.version_id]) for row in faults),
        tuple(match.shoe),
        tuple(map(tuple, match.boards or ())),
        match.games,
        tuple(map(tuple, match.luck or ())),
    )
    kept: tuple[tuple[Seating, Record], ...] = ()
    derived, hashed = None, ""
    try:
        kept = games(session, match.key)
        hashed = line(session, match, [row.version_id for row in seats], sides)
        seatings, records = zip(*kept, strict=True)
        derived = scorecard(records, seatings, sides)
        in_chairs = chairs(records, seatings, sides)
        found = (
            *differences(match.key, stored, derived),
            *of_chairs(match.key, _chairs(session, match_id, seats), in_chairs),
        )
    except DamagedRecord as error:
        found = (Difference(match.key, "a record", str(error), "one that can be read"),)
    except (LookupError, TypeError, ValueError):
        # there is no record, or it does not fit the seats and entrants stored with it
        found = (Difference(match.key, "the match", f"{len(kept)} records", "whole ones"),)
    return Checked(
        key=match.key,
        leg=match.leg,
        round=match.round,
        labels=tuple(match.labels),
        versions=tuple(row.version_id for row in seats),
        sides=sides,
        seatings=tuple(seating for seating, _ in kept),
        records=tuple(record for _, record in kept),
        derived=derived,
        differences=found,
        line=hashed,
    )


def _chairs(session: Session, match_id: int, seats: Sequence[SeatRow]) -> tuple[Chairs, ...]:
    """What is stored of a match's entrants chair by chair."""
    entrants = {row.seat: number for number, row in enumerate(seats)}
    unknown = len(entrants)  # of a row whose seat was changed or taken away
    rows = session.scalars(select(ChairRow).where(ChairRow.match_id == match_id))
    found = [
        Chairs(entrants.get(row.seat, unknown), row.held, row.seats, row.games, row.score, row.lead)
        for row in rows
    ]
    return tuple(sorted(found, key=lambda each: (each.entrant, each.held)))


def fault_of(row: FaultRow, entrant: int) -> tuple[FaultPlace, FaultEvent]:
    """Read a fault; `entrant` is the index of its version among the match's entrants."""
    values = {f.name: getattr(row, f.name) for f in fields(FaultPlace) if f.name != "entrant"}
    # The kind stays as stored: tampered data should be shown, not raise an error.
    event = FaultEvent(cast(Fault, row.kind), row.detail, row.struck)
    return FaultPlace(**values, entrant=entrant), event
