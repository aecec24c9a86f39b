"""Records as they are stored: compressed canonical JSON, of which the ledger's text is made."""

from __future__ import annotations

import json
import zlib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from functools import partial
from itertools import groupby
from operator import attrgetter
from typing import Any, TypeVar

from sqlalchemy import bindparam, select
from sqlalchemy.orm import Session

from card_arena.common.hosts import Host
from card_arena.common.json import canonical, sha256
from card_arena.common.moments import day
from card_arena.ratings.match_results import (
    HeldSeats,
    Lucks,
    Played,
    Result,
    Scorecard,
    held_seats,
    lucks_of,
    scorecard,
)
from card_arena.ratings.probation import answered
from card_arena.results.errors import Damaged
from card_arena.results.models import MatchRow, RecordRow, SeatRow
from card_arena.results.proof.ledger import match_line
from card_arena.tables.question_words import WordsLost, filled
from card_arena.tables.record import Record
from card_arena.tables.seating import Seating

Read = TypeVar("Read")


_SEATS = (
    select(SeatRow.match_id, SeatRow.version_id, SeatRow.side)
    .where(SeatRow.match_id.in_(bindparam("matches", expanding=True)))
    .order_by(SeatRow.match_id, SeatRow.seat)
)
_RECORDS = (
    select(
        *(RecordRow.match_id, RecordRow.number, RecordRow.seating, RecordRow.data),
        RecordRow.words_pruned,
    )
    .where(RecordRow.match_id.in_(bindparam("matches", expanding=True)))
    .order_by(RecordRow.match_id, RecordRow.number)
)
_WITHOUT_WORDS = '"question":null'
"""What stands in the JSON of a record whose questions' words were pruned, and in no other."""


class DamagedRecord(Damaged):
    """The bytes of a record can no longer be read; raised by `games_of`."""


def games_of(
    session: Session, keys: Sequence[str]
) -> Mapping[str, tuple[tuple[Seating, Record], ...]]:
    """The games of some matches by their keys, each with its seating; raises `DamagedRecord`."""
    rows = session.execute(
        select(
            *(MatchRow.key, RecordRow.number, RecordRow.seating, RecordRow.data),
            RecordRow.words_pruned,
        )
        .join(MatchRow, MatchRow.id == RecordRow.match_id)
        .where(MatchRow.key.in_(keys))
        .order_by(MatchRow.key, RecordRow.number)
    )
    return {
        key: records_of(key, texts_of(key, [*records]))
        for key, records in groupby(rows, key=attrgetter("key"))
    }


def lines(session: Session, matches: Sequence[Any]) -> Iterator[str]:
    """These matches as the ledger hashes them: their records exactly as stored.

    The rows have `id`, `key`, `leg`, `round` and `labels`. Raises `DamagedRecord`.
    """
    ids = [match.id for match in matches]
    seats = _by_match(session.execute(_SEATS, {"matches": ids}))
    records = _by_match(session.execute(_RECORDS, {"matches": ids}))
    for match in matches:
        versions, sides = zip(*((row.version_id, row.side) for row in seats[match.id]), strict=True)
        games = texts_of(match.key, records.get(match.id, ()))
        yield line_of(match, versions, sides, games)


def _by_match(rows: Iterable[Any]) -> Mapping[int, Sequence[Any]]:
    return {match: [*of] for match, of in groupby(rows, key=attrgetter("match_id"))}


def line_of(
    match: MatchRow | Any,
    versions: Sequence[int],
    sides: Sequence[int],
    games: Sequence[tuple[Seating, str]],
) -> str:
    """The same, given the seating and the text of every game."""
    return match_line(
        key=match.key,
        leg=match.leg,
        round=match.round,
        labels=match.labels,
        entrants=versions,
        sides=sides,
        seatings=[seating for seating, _ in games],
        records=[text for _, text in games],
    )


def texts_of(key: str, rows: Sequence[Any]) -> Sequence[tuple[Seating, str]]:
    """The seating and the JSON of every record of a match; raises `DamagedRecord`.

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
    key: str, games: Sequence[tuple[Seating, str]]
) -> tuple[tuple[Seating, Record], ...]:
    """Read the records of a match from their JSON; raises `DamagedRecord`."""
    return tuple(
        (seating, _readable(key, number, _record, text))
        for number, (seating, text) in enumerate(games)
    )


def _record(text: str) -> Record:
    return Record.from_data(json.loads(text))


def unpacked(data: bytes) -> Any:
    """A record's plain data as it is stored, perhaps without its questions' words."""
    return json.loads(zlib.decompress(data))


def _whole(pruned: datetime | None, data: bytes) -> str:
    text = zlib.decompress(data).decode("ascii")
    if "\n" in text:
        raise ValueError("it is more than one line")
    if _WITHOUT_WORDS not in text:
        return text
    try:
        return canonical(filled(json.loads(text)))
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


# A finished match as it is stored: its records packed, and everything that follows from them.
#
# All of it is worked out where the match was played, so that the one process that stores the
# results of many has little to do with each.


@dataclass(frozen=True, slots=True)
class Finished:
    """A match that is ready to be stored.

    `games` are the packed records with their seatings. `stderr` is what bots wrote on standard
    error, compressed, by game (from 0) and seat; bots that wrote nothing are left out. `line` is
    the match's hash in the ledger, `derived` its result, `held_seats` the totals of its entrants by
    the seats they held, and `answers` how the last answers of each ended. The rest is as in
    `Played`.
    """

    key: str
    leg: int
    round: int
    labels: tuple[str, ...]
    versions: tuple[int, ...]
    games: tuple[tuple[Seating, bytes], ...] = field(repr=False)
    stderr: tuple[tuple[int, int, bytes], ...] = field(repr=False)
    seconds: float
    line: str
    derived: Scorecard
    held_seats: tuple[HeldSeats, ...]
    answers: tuple[str, ...] = ()
    host: Host | None = None

    @property
    def result(self) -> Result:
        """The match in brief."""
        return self.derived.result(self.key, self.leg, self.round, self.versions)


def finished(played: Played, lucks: Lucks = lucks_of) -> Finished:
    """Work out all that is stored of a match; `lucks` is as in `scorecard`.

    Raises `LookupError`, `TypeError` or `ValueError` if its records and seatings don't match.
    """
    return Finished(
        key=played.key,
        leg=played.leg,
        round=played.round,
        labels=played.labels,
        versions=played.versions,
        games=tuple(zip(played.seatings, map(packed, played.records), strict=True)),
        stderr=tuple(
            (game, seat, zlib.compress(text.encode()))
            for game, seats in enumerate(played.stderr)
            for seat, text in enumerate(seats)
            if text
        ),
        seconds=played.seconds,
        line=sha256(rewritten(played)),
        derived=scorecard(played.records, played.seatings, played.sides, lucks),
        held_seats=held_seats(played.records, played.seatings, played.sides),
        answers=answered(played.records, played.seatings),
        host=played.host,
    )


def packed(record: Record) -> bytes:
    """Convert a record to its stored form: compressed canonical JSON."""
    return compressed(record.to_data())


def compressed(data: Mapping[str, Any]) -> bytes:
    """Compress a record's plain data."""
    return zlib.compress(canonical(data).encode("ascii"))


def rewritten(match: Played | Any) -> str:
    """Return the line of a match as the ledger hashes it, written from its records."""
    return match_line(
        key=match.key,
        leg=match.leg,
        round=match.round,
        labels=match.labels,
        entrants=match.versions,
        sides=match.sides,
        seatings=match.seatings,
        records=[canonical(record.to_data()) for record in match.records],
    )
