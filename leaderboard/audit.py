"""Records as they are kept, and whether the numbers beside them are what they say."""

from __future__ import annotations

import json
import zlib
from dataclasses import dataclass, fields

from sqlalchemy import select
from sqlalchemy.orm import Session

from leaderboard.database import StoreError
from leaderboard.models import FaultRow, MatchRow, RecordRow, SeatRow
from leaderboard.results import Difference, Mishap, Sheet, Tally, differences, sheet
from tables.record import Record


class DamagedRecord(StoreError):
    """The bytes of a record can't be read any more; raised by `records`."""


@dataclass(frozen=True, slots=True)
class Checked:
    """A stored match with its records, and where the stored numbers differ from them."""

    key: str
    leg: int
    round: int
    versions: tuple[int, ...]
    records: tuple[Record, ...]
    differences: tuple[Difference, ...]


def packed(record: Record) -> bytes:
    """Turn a record into what is kept of it: its JSON, compressed."""
    return zlib.compress(json.dumps(record.to_data(), separators=(",", ":")).encode())


def records(session: Session, key: str) -> tuple[Record, ...]:
    """The records of the match `key`, none where there is no such match.

    Raises `DamagedRecord`.
    """
    rows = session.execute(
        select(RecordRow.number, RecordRow.data)
        .join(MatchRow, MatchRow.id == RecordRow.match_id)
        .where(MatchRow.key == key)
        .order_by(RecordRow.number)
    )
    found = []
    for number, data in rows:
        try:
            found.append(Record.from_data(json.loads(zlib.decompress(data))))
        except (zlib.error, ValueError, KeyError, TypeError, AttributeError) as error:
            raise DamagedRecord(f"game {number} of match {key} can't be read: {error}") from error
    return tuple(found)


def checked(session: Session, match_id: int) -> Checked:
    """Compare what is kept of a match with its records."""
    match = session.get_one(MatchRow, match_id)
    seats = session.scalars(
        select(SeatRow).where(SeatRow.match_id == match_id).order_by(SeatRow.seat)
    ).all()
    faults = session.scalars(select(FaultRow).where(FaultRow.match_id == match_id)).all()
    stored = Sheet(
        tuple(Tally(**{f.name: getattr(row, f.name) for f in fields(Tally)}) for row in seats),
        tuple(Mishap(**{f.name: getattr(row, f.name) for f in fields(Mishap)}) for row in faults),
    )
    kept: tuple[Record, ...] = ()
    try:
        kept = records(session, match.key)
        found = tuple(differences(match.key, stored, sheet(kept)))
    except DamagedRecord as error:
        found = (Difference(match.key, "a record", str(error), "one that can be read"),)
    except IndexError:  # there is no record at all, or it is not of as many seats as it says
        found = (Difference(match.key, "the match", f"{len(kept)} records", "whole ones"),)
    return Checked(
        key=match.key,
        leg=match.leg,
        round=match.round,
        versions=tuple(row.version_id for row in seats),
        records=kept,
        differences=found,
    )
