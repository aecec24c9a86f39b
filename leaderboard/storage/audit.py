"""Records as they are stored: compressed JSON, and the text of a match that the ledger hashes."""

from __future__ import annotations

import json
import zlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import datetime
from functools import partial
from itertools import groupby
from typing import Any, TypeVar

from sqlalchemy import select
from sqlalchemy.orm import Session

from common.moments import day
from leaderboard.proof.lines import match_line
from leaderboard.storage.database import Damaged
from leaderboard.storage.models import MatchRow, RecordRow, SeatRow
from tables.question_words import WordsLost, filled
from tables.record import Record
from tables.seating import Seating

Read = TypeVar("Read")


class DamagedRecord(Damaged):
    """The bytes of a record can no longer be read; raised by `games`."""


def games(session: Session, key: str) -> tuple[tuple[Seating, Record], ...]:
    """The games of the match `key`, each with its seating; empty if there is no such match.

    Raises `DamagedRecord`.
    """
    return games_of(session, [key]).get(key, ())


def games_of(
    session: Session, keys: Sequence[str]
) -> Mapping[str, tuple[tuple[Seating, Record], ...]]:
    """The games of some matches by their keys, as `games` gives them."""
    return {key: records_of(key, plain_games(key, rows)) for key, rows in _rows(session, keys)}


def lines(session: Session, keys: Sequence[str]) -> Iterator[str]:
    """Matches as the ledger hashes them, in the order of their keys: records exactly as stored.

    Raises `DamagedRecord`.
    """
    matches = session.scalars(
        select(MatchRow).where(MatchRow.key.in_(keys)).order_by(MatchRow.key)
    ).all()
    seats = session.execute(
        select(SeatRow.match_id, SeatRow.version_id, SeatRow.side)
        .where(SeatRow.match_id.in_([match.id for match in matches]))
        .order_by(SeatRow.match_id, SeatRow.seat)
    )
    sat = {match: [*rows] for match, rows in groupby(seats, key=lambda row: row.match_id)}
    records = dict(_rows(session, keys))
    for match in matches:
        _, versions, sides = zip(*sat[match.id], strict=True)
        yield line_of(match, versions, sides, plain_games(match.key, records.get(match.key, ())))


def line_of(
    match: MatchRow | Any,
    versions: Sequence[int],
    sides: Sequence[int],
    games: Sequence[tuple[Seating, Any]],
) -> str:
    """The same, given the seating and the plain data of every game."""
    return match_line(
        key=match.key,
        leg=match.leg,
        round=match.round,
        labels=match.labels,
        entrants=versions,
        sides=sides,
        seatings=[seating for seating, _ in games],
        records=[data for _, data in games],
    )


def plain_games(key: str, rows: Sequence[Any]) -> Sequence[tuple[Seating, Any]]:
    """The seating and the plain data of every record of a match; raises `DamagedRecord`.

    The rows have `number`, `seating`, `data` and `words_pruned`. Words that were pruned are told
    again by the rules.
    """
    return [
        (
            _readable(key, row.number, tuple, row.seating),
            _readable(key, row.number, partial(_whole, row.words_pruned), row.data),
        )
        for row in rows
    ]


def records_of(
    key: str, games: Sequence[tuple[Seating, Any]]
) -> tuple[tuple[Seating, Record], ...]:
    """Read the records in the plain data of a match; raises `DamagedRecord`."""
    return tuple(
        (seating, _readable(key, number, Record.from_data, data))
        for number, (seating, data) in enumerate(games)
    )


def _rows(session: Session, keys: Sequence[str]) -> Iterator[tuple[str, Sequence[Any]]]:
    """The stored records of some matches, match by match."""
    rows = session.execute(
        select(
            MatchRow.key,
            RecordRow.number,
            RecordRow.seating,
            RecordRow.data,
            RecordRow.words_pruned,
        )
        .join(MatchRow, MatchRow.id == RecordRow.match_id)
        .where(MatchRow.key.in_(keys))
        .order_by(MatchRow.key, RecordRow.number)
    )
    for key, records in groupby(rows, key=lambda row: row.key):
        yield key, [*records]


def unpacked(data: bytes) -> Any:
    """A record's plain data as it is stored, perhaps without its questions' words."""
    return json.loads(zlib.decompress(data))


def _whole(pruned: datetime | None, data: bytes) -> Any:
    try:
        return filled(unpacked(data))
    except WordsLost as error:
        when = "at some time" if pruned is None else f"on {day(pruned)}"
        raise ValueError(f"its questions' words were pruned {when}: {error}") from error


def _readable(key: str, number: int, read: Callable[[Any], Read], data: Any) -> Read:
    """Read a record that may have been damaged; raises `DamagedRecord`."""
    try:
        return read(data)
    except (zlib.error, ValueError, KeyError, TypeError, AttributeError) as error:
        where = f"game {number + 1} of match {key}"
        raise DamagedRecord(f"{where} can't be read: {error}") from error
