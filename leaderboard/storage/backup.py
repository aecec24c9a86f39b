"""A backup: all of a database in one SQLite file, taken at one moment and sealed.

The seal is a table of the file with a hash of every other row in it, so that a file which was cut,
damaged or changed can be told from a whole one. Any arena can read a backup, whatever its database
is. Files that belong to the rows can go along, in a table of their own.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import sqlite3
from collections.abc import Iterable, Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from tempfile import TemporaryDirectory

from common.moments import from_iso, to_iso
from leaderboard.storage.copying import Contents, Watch, copy
from leaderboard.storage.database import RESULTS, Database, StoreError, Tables

_SEAL = "backup_seal"
_FILES = "backup_files"
_PREFIX = ".backup-"


class NoBackup(StoreError):
    """A file is not a whole backup; the message says what is wrong with it."""


@dataclass(frozen=True, slots=True)
class Seal:
    """What a backup says of itself: when it was taken, its number of rows, and their SHA-256.

    `beside` is the SHA-256 of another backup's rows that belongs to it, empty if there is none.
    """

    taken: datetime
    rows: int
    sha256: str
    beside: str = ""


def back_up(
    database: Database,
    path: Path,
    watch: Watch = lambda _: None,
    *,
    files: Iterable[Path] = (),
    beside: str = "",
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
            found = copy(database, copied, watch=watch)
        taken = datetime.now(UTC).replace(microsecond=0)
        with closing(sqlite3.connect(new)) as connection:
            connection.execute("PRAGMA journal_mode=DELETE")  # else it would be several files
            _put_files(connection, files)
            _put_seal(connection, taken, found.total, beside)
        _sync(new)
        new.replace(path)
        _sync(path.absolute().parent)
    return found


@contextmanager
def place_beside(path: Path) -> Iterator[Path]:
    """A folder beside a file for what it is made of, which only its owner may enter."""
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
            found = _hash(connection)
    except sqlite3.Error as error:
        raise NoBackup(f"{path} is damaged: {error}") from error
    if found != seal.sha256:
        raise NoBackup(
            f"{path} was changed or damaged since it was taken: its rows have the SHA-256 {found},"
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
        if connection.execute("SELECT 1 FROM sqlite_master WHERE name = ?", (_FILES,)).fetchone():
            yield from connection.execute(f"SELECT name, content FROM {_FILES} ORDER BY name")


def _connected(path: Path) -> sqlite3.Connection:
    return sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True)


def read_seal(path: Path) -> Seal:
    """What a backup says of itself; raises `NoBackup` for any other file."""
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
        raise NoBackup(f"{path} is no backup: expected a file that `arena backup` wrote")
    return Seal(from_iso(row[0]), *row[1:])


def _put_files(connection: sqlite3.Connection, files: Iterable[Path]) -> None:
    with connection:
        for number, file in enumerate(files):
            if number == 0:
                connection.execute(f"CREATE TABLE {_FILES} (name TEXT PRIMARY KEY, content BLOB)")
            said = (file.name, file.read_bytes())
            connection.execute(f"INSERT INTO {_FILES} VALUES (?, ?)", said)


def _put_seal(connection: sqlite3.Connection, taken: datetime, rows: int, beside: str = "") -> None:
    said: Sequence[object] = (to_iso(taken), rows, _hash(connection), beside)
    with connection:
        connection.execute(
            f"CREATE TABLE {_SEAL} (taken TEXT, rows INTEGER, sha256 TEXT, beside TEXT)"
        )
        connection.execute(f"INSERT INTO {_SEAL} VALUES (?, ?, ?, ?)", said)


def _hash(connection: sqlite3.Connection) -> str:
    """The SHA-256 of all rows but the seal, table by table in the order of their primary keys."""
    found = hashlib.sha256()
    tables = connection.execute(
        "SELECT name, sql FROM sqlite_master WHERE type = 'table' AND name != ? ORDER BY name",
        (_SEAL,),
    ).fetchall()
    for name, made in tables:
        columns = connection.execute(f'PRAGMA table_info("{name}")').fetchall()
        keys = sorted((place, column) for _, column, *_, place in columns if place)
        order = ", ".join(f'"{column}"' for _, column in keys) or "rowid"
        found.update(f"{name}\n{made}\n".encode())
        for row in connection.execute(f'SELECT * FROM "{name}" ORDER BY {order}'):
            found.update(repr(row).encode("utf-8", "backslashreplace"))
    return found.hexdigest()


def _sync(path: Path) -> None:
    """Have the disk write a file, or a folder's names."""
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
