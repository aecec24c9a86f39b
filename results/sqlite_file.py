"""Connections to a SQLite file, also where its disk is full or read-only."""

from __future__ import annotations

import os
import shutil
import sqlite3
import stat
from collections.abc import Iterable, Iterator
from contextlib import AbstractContextManager, closing, contextmanager, suppress
from pathlib import Path
from typing import Any

from sqlalchemy import Connection, Engine, QueuePool, create_engine
from sqlalchemy.exc import DBAPIError

from card_arena.results.errors import Unusable

MAPPED = 2**32
"""Bytes of a SQLite file that are mapped into memory; SQLite's own limit may be lower."""

PAGES_AT_A_TIME = 256
"""How many pages are given back to the disk in one transaction."""

ROWS_AT_A_TIME = 50
"""How many rows are moved in one transaction."""

_NO_ROOM = (
    sqlite3.SQLITE_CANTOPEN,
    sqlite3.SQLITE_FULL,
    sqlite3.SQLITE_IOERR,
    sqlite3.SQLITE_READONLY,
)
"""How SQLite fails to open a file beside which it can't make another."""


def prepare(connection: Any, _: Any) -> None:
    """Set up a new connection.

    The write-ahead log lets pages read while a match is being stored. With it,
    synchronous=NORMAL loses no committed match when a program dies and never damages the file;
    only a power cut may undo the last few seconds, and those matches are played again. A large
    database is read through the system's cache of the file, without a copy of each page. A file
    that is still empty is made such that it can give free pages back a few at a time.
    """
    connection.isolation_level = None  # we begin transactions ourselves, see Database
    if connection.execute("PRAGMA page_count").fetchone() == (0,):
        connection.execute("PRAGMA auto_vacuum=INCREMENTAL")
    mapped = f"mmap_size={MAPPED}"
    for pragma in ("journal_mode=WAL", "synchronous=NORMAL", "foreign_keys=ON", mapped):
        connection.execute(f"PRAGMA {pragma}")


def prepare_durable(connection: Any, record: Any) -> None:
    """Set up a new connection whose transactions are on the disk when they are over."""
    prepare(connection, record)
    connection.execute("PRAGMA synchronous=FULL")


def prepare_reader(connection: Any, _: Any) -> None:
    """Set up a new connection that refuses to change anything."""
    connection.isolation_level = None
    connection.execute("PRAGMA query_only=ON")
    connection.execute("PRAGMA schema_version")  # opens the file, so that it fails here if at all


def shrink(connection: sqlite3.Connection, tables: Iterable[str]) -> None:
    """Make a file as small as its contents, in transactions that need little room and time.

    Pages of which an update has left a small part are never joined by SQLite, so the rows of these
    `tables` are moved to new pages first; their primary key must not be the rowid. Then free pages
    are given back to the disk.
    """
    for table in tables:
        _move_rows(connection, table)
    before = None
    while (free := _one(connection, "PRAGMA freelist_count")) not in (0, before):
        before = free
        connection.execute(f"PRAGMA incremental_vacuum({PAGES_AT_A_TIME})").fetchall()
    connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")


def _move_rows(connection: sqlite3.Connection, table: str) -> None:
    first, last = 0, _one(connection, f"SELECT coalesce(max(rowid), -1) FROM {table}")
    while True:
        rows = f"SELECT rowid FROM {table} WHERE rowid BETWEEN {first} AND {last} ORDER BY rowid"
        end = _one(connection, f"SELECT max(rowid) FROM ({rows} LIMIT {ROWS_AT_A_TIME})")
        if end is None:
            return
        connection.execute(
            f"UPDATE {table} SET rowid = rowid - {first} + (SELECT max(rowid) + 1 FROM {table})"
            f" WHERE rowid BETWEEN {first} AND {end}"
        )
        first = end + 1


def _one(connection: sqlite3.Connection, query: str) -> Any:
    (value,) = connection.execute(query).fetchone()
    return value


class Unlocked:
    """A SQLite file that is read without locks, while no file can be made beside it.

    Programs that use a file with a write-ahead log share the file `-shm`, so where that can't be
    made, as on a full or read-only disk, nobody can write either. If the log is empty, all is in
    the file itself. After reading, `reading` checks that nobody has written meanwhile.
    """

    def __init__(self, file: Path) -> None:
        self._file = file
        self._engines: list[tuple[object, Engine]] = []

    def can_help(self, error: BaseException) -> bool:
        """Whether the file may be read although opening it failed like this."""
        code = getattr(getattr(error, "orig", error), "sqlite_errorcode", 0) & 0xFF
        return code in _NO_ROOM and self._file.is_file() and self._state() is not None

    @contextmanager
    def reading(self) -> Iterator[Connection]:
        """Read from the file; raises `Unusable` if it was changed meanwhile."""
        before = self._state()
        try:
            with self._engine(before).connect() as connection:
                yield connection
        except Exception as error:
            self._demand(before, error)
            raise
        self._demand(before, None)

    def close(self) -> None:
        """Close every connection."""
        for _, engine in self._engines:
            engine.dispose()

    def _demand(self, before: object, error: Exception | None) -> None:
        if self._state() != before:
            raise Unusable(f"{self._file} was changed while it was read: try again") from error

    def _engine(self, state: object) -> Engine:
        """Connections that have read nothing but this state of the file.

        They stay open: to close one would drop all locks that this process has on the file.
        """
        if not self._engines or self._engines[-1][0] != state:
            made = create_engine(
                "sqlite://",
                creator=self._connect,
                poolclass=QueuePool,
                pool_size=0,
                hide_parameters=True,
            )
            self._engines.append((state, made))
        return self._engines[-1][1]

    def _connect(self) -> sqlite3.Connection:
        address = f"{self._file.absolute().as_uri()}?mode=ro&immutable=1"
        return sqlite3.connect(address, uri=True, check_same_thread=False)

    def _state(self) -> object:
        """The state of the file, changed by any write; None if the log beside it isn't empty."""
        try:
            for ending in ("-wal", "-journal"):
                beside = self._file.with_name(self._file.name + ending)
                if beside.exists() and beside.stat().st_size:
                    return None
            status = self._file.stat()
        except OSError:
            return None
        return status.st_ino, status.st_size, status.st_mtime_ns


@contextmanager
def connected(engine: Engine, unlocked: Unlocked | None) -> Iterator[Connection]:
    """A connection of the engine, or an unlocked one if the engine can't connect."""
    source: AbstractContextManager[Connection]
    try:
        source = engine.connect()
    except (DBAPIError, sqlite3.Error) as error:
        if unlocked is None or not unlocked.can_help(error):
            raise
        source = unlocked.reading()
    with source as connection:
        yield connection


OTHERS = 0o077
"""The bits of a mode that concern everybody but the owner."""

BESIDE = ("-wal", "-shm", "-journal", ".lock")
"""The suffixes of files beside a SQLite database; SQLite gives them the database's mode."""


def make_private(path: Path) -> None:
    """Make an empty file for its owner only, whatever the umask; leave an existing file alone.

    If this fails, the next program that opens the file reports the error.
    """
    with suppress(OSError):
        # An existing file is not opened: closing it would drop this program's locks on it.
        descriptor = os.open(path, os.O_CREAT | os.O_EXCL | os.O_RDWR | os.O_CLOEXEC, 0o600)
        try:
            os.fchmod(descriptor, 0o600)
        finally:
            os.close(descriptor)


def table_names(path: Path) -> set[str] | None:
    """The tables of a SQLite database, found without changing anything, not even its folder.

    Those that are still in its log are missing. None for what can't be read as one; opening it
    tells why.
    """
    try:
        with closing(
            sqlite3.connect(f"{path.absolute().as_uri()}?immutable=1", uri=True)
        ) as opened:
            found = opened.execute("SELECT name FROM sqlite_master WHERE type = 'table'")
            return {name for (name,) in found}
    except sqlite3.Error:
        return None


def with_beside(database: Path) -> Iterator[Path]:
    """A SQLite database and the files beside it."""
    yield database
    for ending in BESIDE:
        yield database.with_name(database.name + ending)


def open_to_others(paths: Iterable[Path]) -> list[tuple[Path, int]]:
    """The files and folders among these that other users may use, with their modes."""
    opened = []
    for path in paths:
        with suppress(OSError):
            status = path.stat()
            ours = stat.S_ISREG(status.st_mode) or stat.S_ISDIR(status.st_mode)
            if ours and status.st_mode & OTHERS:
                opened.append((path, stat.S_IMODE(status.st_mode)))
    return opened


def close_to_others(paths: Iterable[Path]) -> list[Path]:
    """Close these to all but their owner; return those that were open and are closed now.

    Only their owner and root can do this; for other users they stay as they are, and so they do on
    a read-only disk.
    """
    closed = []
    for path, mode in open_to_others(paths):
        with suppress(OSError):
            path.chmod(mode & ~OTHERS)
            closed.append(path)
    return closed


# Room beside a SQLite file that is kept for the moment when its disk is full.
#
# Pruning makes a database smaller, but each of its transactions is written to the log first, and
# what was logged before may have to be written to the file, which grows by that. So a disk
# without a free byte is one on which nothing can be pruned.


SIZE = 16 * 2**20
"""Bytes of a reserve. SQLite writes its log back to the file when it has 4 MiB, so file and log may
want 8 MiB of new room; a transaction of pruning is smaller, and there may be two databases."""

ROOM = 4 * SIZE
"""The least bytes that are free where a reserve is made."""


def _remove(path: Path) -> None:
    with suppress(OSError):
        path.unlink()


def _free(path: Path) -> int:
    try:
        return shutil.disk_usage(path.parent).free
    except OSError:
        return 0


class Reserve:
    """A file whose blocks are taken, beside a SQLite file; there is none for a server's database.

    It is made where there is plenty of room, and given up by `arena db prune` alone.
    """

    def __init__(self, file: Path | None) -> None:
        self._path = None if file is None else file.with_name(f"{file.stem}.reserve")

    def make(self) -> None:
        """Make it, unless it is there or there is little room."""
        if self._path is None or _free(self._path) < ROOM or self.is_whole:
            return
        try:
            descriptor = os.open(self._path, os.O_WRONLY | os.O_CREAT | os.O_CLOEXEC, 0o600)
            try:
                os.posix_fallocate(descriptor, 0, SIZE)
            finally:
                os.close(descriptor)
        except OSError:
            _remove(self._path)

    @contextmanager
    def given_up(self) -> Iterator[None]:
        """Have its room free while the block lasts, if the disk is full; make it again then."""
        if self._path is not None and _free(self._path) < SIZE:
            _remove(self._path)
        try:
            yield
        finally:
            self.make()

    @property
    def is_whole(self) -> bool:
        """Whether it is there, with all its blocks."""
        try:
            return self._path is not None and self._path.stat().st_blocks * 512 >= SIZE
        except OSError:
            return False
