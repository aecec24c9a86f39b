"""A backup: all of a database in one SQLite file, taken at one moment and sealed.

The seal is a table of the file with a hash of every other row in it, so that a file which was cut,
damaged or changed can be told from a whole one. Any arena can read a backup, whatever its database
is. Files that belong to the rows can go along, in a table of their own.
"""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import sqlite3
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, closing, contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from sqlalchemy import Connection, Integer, Table, func, insert, select, text, tuple_

from card_arena.common.json import sha256
from card_arena.common.moments import from_iso, to_iso
from card_arena.results.database import RESULTS, Database, Tables
from card_arena.results.errors import StoreError
from card_arena.results.models import LedgerRow, TournamentRow

# Copying everything from one database to another, of the same kind or of the other kind.
#
# A source is read as it is at one moment, though it may be written meanwhile. A target is written
# in one transaction, so a program that is killed leaves it as it was.


BATCH = 500
"""Rows that are read and written together."""

NOT_COPIED = frozenset({"leases", "services"})
"""Tables that are about one database alone: which programs use it at the moment."""

Watch = Callable[[int], None]


class NotEmpty(StoreError):
    """There is already something in the database that a copy is to be written to."""


class NotTheSame(StoreError):
    """A copy differs from its source, so it was not kept."""


@dataclass(frozen=True, slots=True)
class Head:
    """The head of a tournament's ledger: its number of entries, and the hash of the last."""

    tournament: str
    entries: int
    sha256: str


@dataclass(frozen=True, slots=True)
class Contents:
    """The contents of a database: its rows by table, and the ledgers' heads."""

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
    """Copy all rows, compare both databases, and return the contents.

    A target that isn't empty is refused with `NotEmpty`, unless all in it is to be replaced.
    `watch` gets the number of rows written so far. Raises `NotTheSame`, after which the target
    is as it was.
    """
    return copy_together([(source, target)], replace=replace, watch=watch)[0]


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
    copies: list[Contents] = []
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
            before = _contents(copied, target.tables)
            if before.total and not replace:
                raise NotEmpty(f"{target.title} is not empty: it holds {described(before)}")
        for origin, copied, target in opened:
            written = sum(item.total for item in copies)
            copies.append(_copied(origin, copied, target, watch, written))
    return copies


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
    original, result = _contents(origin, target.tables), _contents(copied, target.tables)
    if original != result:
        raise NotTheSame(
            f"{target.title} would hold {described(result)} instead of {described(original)}, so"
            " nothing was changed in it"
        )
    return result


_WORDS = {
    "bots": "bot",
    "tournaments": "tournament",
    "seasons": "season",
    "matches": "match",
    "people": "person",
    "teams": "team",
    "uploads": "upload",
    "tables": "table",
}
"""The tables that messages name, and the word for one row."""


def described(contents: Contents) -> str:
    """Write the contents of a database for people: "3 bots, 1 tournament, 400 matches"."""
    return ", ".join(
        f"{contents.rows[table]:,} {table if contents.rows[table] != 1 else one}"
        for table, one in _WORDS.items()
        if table in contents.rows
    )


def _tables(tables: Tables) -> Sequence[Table]:
    """The tables that are copied, each after those that it refers to."""
    return [table for table in tables.metadata.sorted_tables if table.name not in NOT_COPIED]


def _batches(origin: Connection, table: Table) -> Iterator[list[dict[str, Any]]]:
    """All rows of a table in the order of its primary key, a bounded number at a time."""
    size = 1 if table.name == "versions" else BATCH  # a version has the files of a bot
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
    last = select(LedgerRow.tournament_id, func.max(LedgerRow.number))
    heads = connection.execute(
        select(TournamentRow.name, LedgerRow.number, LedgerRow.text)
        .join(LedgerRow, LedgerRow.tournament_id == TournamentRow.id)
        .where(
            tuple_(LedgerRow.tournament_id, LedgerRow.number).in_(
                last.group_by(LedgerRow.tournament_id)
            )
        )
    )
    return tuple(
        sorted((Head(name, number, sha256(text)) for name, number, text in heads), key=str)
    )


_SEAL = "backup_seal"
_FILES = "backup_files"
_PREFIX = ".backup-"


class NoBackup(StoreError):
    """A file is not a whole backup; the message says what is wrong with it."""


@dataclass(frozen=True, slots=True)
class Seal:
    """The seal of a backup: when it was taken, its number of rows, and their SHA-256.

    `beside` has the SHA-256 of the rows of other backups that belong to it, by name.
    """

    taken: datetime
    rows: int
    sha256: str
    beside: Mapping[str, str] = field(default_factory=dict)


def back_up(
    database: Database,
    path: Path,
    watch: Watch = lambda _: None,
    *,
    files: Iterable[Path] = (),
    beside: Mapping[str, str] | None = None,
) -> Contents:
    """Write all that a database holds at this moment to a file, while it may be played in.

    The contents of `files` go along under their names, and `beside` into the seal. A backup that is
    already there is replaced when the new one is complete; any other file is refused with
    `NoBackup`. Raises `OSError` if the file can't be written.
    """
    if path.exists():
        read_seal(path)
    with place_beside(path) as place:
        new = place / "backup.db"
        with closing(
            Database(f"sqlite:///{new}", title=str(path), tables=database.tables)
        ) as copied:
            result = copy(database, copied, watch=watch)
        taken = datetime.now(UTC).replace(microsecond=0)
        with closing(sqlite3.connect(new)) as connection:
            connection.execute("PRAGMA journal_mode=DELETE")  # else it would be several files
            _put_files(connection, files)
            _put_seal(connection, taken, result.total, beside or {})
        _sync(new)
        new.replace(path)
        _sync(path.absolute().parent)
    return result


@contextmanager
def place_beside(path: Path) -> Iterator[Path]:
    """A temporary folder beside a file, which only its owner may enter."""
    with TemporaryDirectory(dir=path.absolute().parent, prefix=_PREFIX) as place:
        yield Path(place)


def restore(
    path: Path, database: Database, *, replace: bool = False, watch: Watch = lambda _: None
) -> Contents:
    """Write all that a backup holds to a database; whatever interrupts it, nothing is changed.

    `check_seal` comes first. Raises `NoBackup`, and `NotEmpty` if there is something in the
    database that is not to be replaced.
    """
    with opened(path, database.tables) as source:
        return copy(source, database, replace=replace, watch=watch)


def check_seal(path: Path) -> Seal:
    """Read all of a backup and compare it with its seal; raises `NoBackup`."""
    seal = read_seal(path)
    try:
        with closing(_connected(path)) as connection:
            digest = _hash(connection)
    except sqlite3.Error as error:
        raise NoBackup(f"{path} is damaged: {error}") from error
    if digest != seal.sha256:
        raise NoBackup(
            f"{path} was changed or damaged since it was taken: its rows have the SHA-256 {digest},"
            f" and its seal says {seal.sha256}"
        )
    return seal


@contextmanager
def opened(path: Path, tables: Tables = RESULTS) -> Iterator[Database]:
    """Open a backup to read it; one of an older arena is migrated in a copy of its own."""
    with closing(_connected(path)) as connection:
        revision = connection.execute("SELECT version_num FROM alembic_version").fetchone()[0]
    if revision == tables.head:
        with closing(Database(f"sqlite:///{path}", read_only=True, tables=tables)) as database:
            yield database
        return
    with place_beside(path) as place:
        copied = shutil.copy(path, place)
        with closing(Database(f"sqlite:///{copied}", tables=tables)) as database:
            yield database


def files_in(path: Path) -> Iterator[tuple[str, bytes]]:
    """The files that went along with a backup: their names and contents."""
    with closing(_connected(path)) as connection:
        yield from connection.execute(f"SELECT name, content FROM {_FILES} ORDER BY name")


def _connected(path: Path) -> sqlite3.Connection:
    return sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True)


def read_seal(path: Path) -> Seal:
    """Read the seal of a backup; raises `NoBackup` for any other file."""
    if not path.is_file():
        raise NoBackup(f"there is no backup {path}")
    try:
        with closing(_connected(path)) as connection:
            row = connection.execute(f"SELECT * FROM {_SEAL}").fetchone()
    except sqlite3.OperationalError as error:
        if "no such table" not in str(error):
            raise NoBackup(f"{path} can't be read: {error}") from error
        row = None
    except sqlite3.DatabaseError as error:
        raise NoBackup(f"{path} is no whole backup: {error}") from error
    if row is None:
        raise NoBackup(f"{path} is no backup: expected a file that `arena db backup` wrote")
    taken, rows, digest, beside = row
    return Seal(from_iso(taken), rows, digest, json.loads(beside))


def _put_files(connection: sqlite3.Connection, files: Iterable[Path]) -> None:
    contents = ((file.name, file.read_bytes()) for file in files)
    with connection:
        connection.execute(f"CREATE TABLE {_FILES} (name TEXT PRIMARY KEY, content BLOB)")
        connection.executemany(f"INSERT INTO {_FILES} VALUES (?, ?)", contents)


def _put_seal(
    connection: sqlite3.Connection, taken: datetime, rows: int, beside: Mapping[str, str]
) -> None:
    values = (to_iso(taken), rows, _hash(connection), json.dumps(dict(beside)))
    with connection:
        connection.execute(
            f"CREATE TABLE {_SEAL} (taken TEXT, rows INTEGER, sha256 TEXT, beside TEXT)"
        )
        connection.execute(f"INSERT INTO {_SEAL} VALUES (?, ?, ?, ?)", values)


def _hash(connection: sqlite3.Connection) -> str:
    """The SHA-256 of all rows but the seal, table by table in the order of their primary keys."""
    digest = hashlib.sha256()
    tables = connection.execute(
        "SELECT name, sql FROM sqlite_master WHERE type = 'table' AND name != ? ORDER BY name",
        (_SEAL,),
    ).fetchall()
    for name, made in tables:
        columns = connection.execute(f'PRAGMA table_info("{name}")').fetchall()
        keys = sorted((place, column) for _, column, *_, place in columns if place)
        order = ", ".join(f'"{column}"' for _, column in keys) or "rowid"
        digest.update(f"{name}\n{made}\n".encode())
        for row in connection.execute(f'SELECT * FROM "{name}" ORDER BY {order}'):
            digest.update(repr(row).encode("utf-8", "backslashreplace"))
    return digest.hexdigest()


def _sync(path: Path) -> None:
    """Flush a file, or a folder's names, to the disk."""
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
