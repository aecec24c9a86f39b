"""Copying everything from one database to another, of the same kind or of the other kind.

A source is read as it is at one moment, though it may be written meanwhile. A target is written in
one transaction, so a program that is killed leaves it as it was.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection, Integer, Table, func, insert, select, text

from common.canonical_json import sha256
from leaderboard.storage.database import RESULTS, Database, StoreError, Tables
from leaderboard.storage.models import TournamentRow
from leaderboard.storage.models_of_ledger import LedgerRow

BATCH = 500
"""How many rows are read and written together; a row may hold a bundle of many megabytes."""

_BATCH_OF_LARGE = 1
"""The same for tables with bots' files."""

_LARGE = frozenset({"versions"})

NOT_COPIED = frozenset({"leases", "services"})
"""Tables that are about one database alone: which programs use it at the moment."""

Watch = Callable[[int], None]


class NotEmpty(StoreError):
    """There is already something in the database that a copy is to be written to."""


class NotTheSame(StoreError):
    """A copy is not what was copied, so it was not kept."""


@dataclass(frozen=True, slots=True)
class Head:
    """How far a tournament's ledger goes: its number of entries, and the hash of the last."""

    tournament: str
    entries: int
    sha256: str


@dataclass(frozen=True, slots=True)
class Contents:
    """What a database holds: its rows by table, and the ledgers' heads."""

    rows: Mapping[str, int]
    heads: tuple[Head, ...]

    @property
    def total(self) -> int:
        return sum(self.rows.values())


def contents(database: Database) -> Contents:
    with database.reading() as session:
        return _contents(session.connection(), database.tables)


def copy(
    source: Database, target: Database, *, replace: bool = False, watch: Watch = lambda _: None
) -> Contents:
    """Copy all rows, compare what was written, and return what it is.

    A target that isn't empty is refused with `NotEmpty`, unless all in it is to be replaced.
    `watch` is told how many rows were written so far. Raises `NotTheSame`, after which the target
    is as it was.
    """
    (found,) = copy_together([(source, target)], replace=replace, watch=watch)
    return found


def copy_together(
    pairs: Sequence[tuple[Database, Database]],
    *,
    replace: bool = False,
    watch: Watch = lambda _: None,
) -> Sequence[Contents]:
    """Copy several databases as `copy` does one, each to its target.

    The sources are read one after the other. No target is changed before all have been written and
    compared; then their transactions end, that of the last one first.
    """
    found: list[Contents] = []
    with ExitStack() as ends:
        opened = [
            (
                ends.enter_context(source.reading()).connection(),
                ends.enter_context(target.writing()).connection(),
                target,
            )
            for source, target in pairs
        ]
        for _, copied, target in opened:
            held = _contents(copied, target.tables)
            if held.total and not replace:
                raise NotEmpty(f"{target.title} is not empty: it holds {told(held)}")
        for origin, copied, target in opened:
            written = sum(each.total for each in found)
            found.append(_copied(origin, copied, target, watch, written))
    return found


def _copied(
    origin: Connection, copied: Connection, target: Database, watch: Watch, written: int
) -> Contents:
    """Copy all rows to another connection, after others have `written`; raises `NotTheSame`."""
    tables = _tables(target.tables)
    for table in reversed(tables):
        copied.execute(table.delete())
    for table in tables:
        for rows in _batches(origin, table):
            copied.execute(insert(table), rows)
            written += len(rows)
            watch(written)
    _set_counters(copied, tables)
    wanted, found = _contents(origin, target.tables), _contents(copied, target.tables)
    if wanted != found:
        raise NotTheSame(
            f"{target.title} would hold {told(found)} instead of {told(wanted)}, so nothing was"
            " changed in it"
        )
    return found


_WORDS = {
    "bots": "bot",
    "tournaments": "tournament",
    "seasons": "season",
    "matches": "match",
    "people": "person",
    "teams": "team",
    "uploads": "upload",
}
"""The tables that people have heard of, and what they call a row."""


def told(found: Contents) -> str:
    """Say what a database holds: "3 bots, 1 tournament, 400 matches"."""
    return ", ".join(
        f"{found.rows[table]:,} {table if found.rows[table] != 1 else one}"
        for table, one in _WORDS.items()
        if table in found.rows
    )


def _tables(tables: Tables) -> Sequence[Table]:
    """The tables that are copied, each after those that it refers to."""
    return [each for each in tables.metadata.sorted_tables if each.name not in NOT_COPIED]


def _batches(origin: Connection, table: Table) -> Iterator[list[dict[str, Any]]]:
    """All rows of a table in the order of its primary key, a bounded number at a time."""
    size = _BATCH_OF_LARGE if table.name in _LARGE else BATCH
    query = select(table).order_by(*table.primary_key).execution_options(yield_per=size)
    for batch in origin.execute(query).mappings().partitions():
        yield [dict(row) for row in batch]


def _set_counters(copied: Connection, tables: Sequence[Table]) -> None:
    """Have PostgreSQL number new rows after those that were copied, as SQLite does by itself."""
    if copied.dialect.name != "postgresql":
        return
    for table in tables:
        column = table.autoincrement_column
        if column is None or not isinstance(column.type, Integer):
            continue
        sequence = copied.scalar(
            text("SELECT pg_get_serial_sequence(:table, :column)"),
            {"table": table.name, "column": column.name},
        )
        if sequence is not None:
            newest = copied.scalar(select(func.max(column)))
            copied.execute(
                text("SELECT setval(:sequence, :newest, :used)"),
                {"sequence": sequence, "newest": newest or 1, "used": newest is not None},
            )


def _contents(connection: Connection, tables: Tables) -> Contents:
    rows = {
        table.name: connection.execute(select(func.count()).select_from(table)).scalar_one()
        for table in _tables(tables)
    }
    return Contents(rows, _heads(connection) if tables is RESULTS else ())


def _heads(connection: Connection) -> tuple[Head, ...]:
    last = (
        select(LedgerRow.tournament_id, func.max(LedgerRow.number).label("number"))
        .group_by(LedgerRow.tournament_id)
        .subquery()
    )
    heads = connection.execute(
        select(TournamentRow.name, last.c.number, LedgerRow.text)
        .join(last, last.c.tournament_id == TournamentRow.id)
        .join(
            LedgerRow,
            (LedgerRow.tournament_id == TournamentRow.id) & (LedgerRow.number == last.c.number),
        )
    ).all()
    return tuple(
        sorted((Head(name, number, sha256(said)) for name, number, said in heads), key=str)
    )
