"""Prune the database of data that no verification needs.

Pruned data is marked with the time when it was pruned.
"""

from __future__ import annotations

import zlib
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, TypeVar

from sqlalchemy import ColumnElement, func, select, tuple_, update
from sqlalchemy.orm import InstrumentedAttribute

from card_arena.common.moments import day
from card_arena.results.database import Repository
from card_arena.results.models import BuildRow, MatchRow, RecordRow, StderrRow
from card_arena.results.records import compressed, unpacked
from card_arena.tables.question_words import stripped

SHORT = 200
"""A log or a standard error of no more bytes is not worth pruning."""

AT_A_TIME = 50
"""How many rows are pruned in one transaction, so that nobody waits long for it, and so that it
needs little room on a disk that is full."""

Row = TypeVar("Row")
Watch = Callable[[int], None]


@dataclass(frozen=True, slots=True)
class Prunable:
    """The number of pieces that can be pruned, and their stored bytes."""

    pieces: int
    size: int


@dataclass(frozen=True, slots=True)
class Pruned:
    """The number of pruned pieces, the bytes they freed, and the pieces `left` as they are."""

    pieces: int
    freed: int
    left: int = 0


class PruneRepository(Repository):
    """Prune data that was stored or built before a moment."""

    def prunable_words(self, before: datetime) -> Prunable:
        """The records that still have their questions' words."""
        stored = RecordRow.match_id == MatchRow.id, MatchRow.stored < before
        return self._prunable(RecordRow.data, *stored, RecordRow.words_pruned.is_(None))

    def prunable_stderr(self, before: datetime) -> Prunable:
        """Standard errors of bots that are not short."""
        stored = StderrRow.match_id == MatchRow.id, MatchRow.stored < before
        return self._prunable(StderrRow.data, *stored, func.length(StderrRow.data) > SHORT)

    def prunable_logs(self, before: datetime) -> Prunable:
        """Logs of builds that are not short."""
        return self._prunable(BuildRow.log, *_long_logs(before))

    def _prunable(self, data: InstrumentedAttribute[Any], *which: ColumnElement[bool]) -> Prunable:
        size = func.coalesce(func.sum(func.length(data)), 0)
        with self.database.reading() as session:
            return Prunable(*session.execute(select(func.count(), size).where(*which)).one())

    def prune_words(self, before: datetime, watch: Watch = lambda _: None) -> Pruned:
        """Strip records of their questions' words, which the same version of the rules gives back.

        Records that these rules would fill with other words are left. `watch` gets the number of
        records that were read.
        """
        pieces = freed = left = 0
        for records in self._records(before):
            with self.database.writing() as session:
                for row in session.execute(
                    select(RecordRow.match_id, RecordRow.number, RecordRow.data).where(
                        tuple_(RecordRow.match_id, RecordRow.number).in_(records),
                        RecordRow.words_pruned.is_(None),
                    )
                ).all():
                    smaller = _without_words(row.data)
                    if smaller is None:
                        left += 1
                        continue
                    session.execute(
                        update(RecordRow)
                        .where(RecordRow.match_id == row.match_id, RecordRow.number == row.number)
                        .values(data=smaller, words_pruned=datetime.now(UTC))
                    )
                    pieces += 1
                    freed += len(row.data) - len(smaller)
            watch(pieces + left)
        return Pruned(pieces, freed, left)

    def prune_stderr(self, before: datetime) -> Pruned:
        """Put a sentence in the place of the standard error of bots."""
        sentence = f"(pruned on {day(datetime.now(UTC))})\n"
        small = zlib.compress(sentence.encode())
        prunable = self.prunable_stderr(before)
        key = tuple_(StderrRow.match_id, StderrRow.record, StderrRow.seat)
        for matches in self._matches(before):
            long = (StderrRow.match_id.in_(matches), func.length(StderrRow.data) > SHORT)
            with self.database.reading() as session:
                keys = [tuple(row) for row in session.execute(select(*key.clauses).where(*long))]
            for some in batched(keys):
                with self.database.writing() as session:
                    session.execute(update(StderrRow).where(key.in_(some)).values(data=small))
        return Pruned(prunable.pieces, prunable.size - prunable.pieces * len(small))

    def prune_logs(self, before: datetime) -> Pruned:
        """Put a sentence in the place of the logs of builds."""
        sentence = f"(pruned on {day(datetime.now(UTC))}; the next build has a log again)\n"
        prunable = self.prunable_logs(before)
        long = _long_logs(before)
        with self.database.reading() as session:
            keys = session.scalars(select(BuildRow.version_id).where(*long)).all()
        for some in batched(keys):
            pruned = update(BuildRow).where(BuildRow.version_id.in_(some), *long)
            with self.database.writing() as session:
                session.execute(pruned.values(log=sentence))
        return Pruned(prunable.pieces, prunable.size - prunable.pieces * len(sentence))

    def _records(self, before: datetime) -> Iterator[Sequence[tuple[int, int]]]:
        """The match and number of records that still have their words, a few at a time."""
        for matches in self._matches(before):
            with self.database.reading() as session:
                rows = session.execute(
                    select(RecordRow.match_id, RecordRow.number)
                    .where(RecordRow.match_id.in_(matches), RecordRow.words_pruned.is_(None))
                    .order_by(RecordRow.match_id, RecordRow.number)
                ).all()
            yield from batched([(match, number) for match, number in rows])

    def _matches(self, before: datetime) -> Iterator[Sequence[int]]:
        """The ids of the matches that were stored before a moment, a few at a time."""
        last = 0
        while True:
            with self.database.reading() as session:
                ids = session.scalars(
                    select(MatchRow.id)
                    .where(MatchRow.id > last, MatchRow.stored < before)
                    .order_by(MatchRow.id)
                    .limit(AT_A_TIME)
                ).all()
            if not ids:
                return
            yield ids
            last = ids[-1]


def batched(rows: Sequence[Row]) -> Iterator[Sequence[Row]]:
    """Rows in as many parts as there are to be transactions."""
    for start in range(0, len(rows), AT_A_TIME):
        yield rows[start : start + AT_A_TIME]


def _long_logs(before: datetime) -> tuple[ColumnElement[bool], ...]:
    return BuildRow.built < before, func.length(BuildRow.log) > SHORT


def _without_words(data: bytes) -> bytes | None:
    """A stored record without its questions' words; None if it has to stay as it is."""
    try:
        data_without_words = stripped(unpacked(data))
    except (zlib.error, ValueError, LookupError, TypeError, AttributeError):
        return None  # a damaged record, which `arena verify` names
    return None if data_without_words is None else compressed(data_without_words)
