"""A backup: all of a database in one SQLite file, taken at one moment and sealed.

The seal is a table of the file with a hash of every other row in it, so that a file which was cut,
damaged or changed can be told from a whole one. Any arena can read a backup, whatever its database
is.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from tempfile import TemporaryDirectory

from leaderboard.storage.copying import Contents, Watch, copy
from leaderboard.storage.database import Database, StoreError
from leaderboard.storage.migrations import HEAD

_SEAL = "backup_seal"
_PREFIX = ".backup-"


class NoBackup(StoreError):
    """A file is not a whole backup; the message says what is wrong with it."""


@dataclass(frozen=True, slots=True)
class Seal:
    """What a backup says of itself: when it was taken, its number of rows, and their SHA-256."""

    taken: datetime
    rows: int
    sha256: str


def back_up(database: Database, path: Path, watch: Watch = lambda _: None) -> Contents:
    """Write all that a database holds at this moment to a file, while it may be played in.

    A backup that is already there is replaced when the new one is complete; any other file is
    refused with `NoBackup`. Raises `OSError` if the file can't be written.
    """
    if path.exists():
        _read_seal(path)
    folder = path.absolute().parent
    with TemporaryDirectory(dir=folder, prefix=_PREFIX) as place:  # which only its owner may enter
        new = Path(place) / "backup.db"
        with closing(Database(f"sqlite:///{new}", title=str(path))) as target:
            found = copy(database, target, watch=watch)
        taken = datetime.now(UTC).replace(microsecond=0)
        with closing(sqlite3.connect(new)) as connection:
            connection.execute("PRAGMA journal_mode=DELETE")  # else it would be several files
            _put_seal(connection, taken, found.total)
        _sync(new)
        new.replace(path)
        _sync(folder)
    return found


def restore(
    path: Path, database: Database, *, replace: bool = False, watch: Watch = lambda _: None
) -> Contents:
    """Write all that a backup holds to a database; whatever interrupts it, nothing is changed.

    `check_seal` comes first. Raises `NoBackup`, and `NotEmpty` if there is something in the
    database that is not to be replaced.
    """
    with _opened(path) as source:
        return copy(source, database, replace=replace, watch=watch)


def check_seal(path: Path) -> Seal:
    """Read all of a backup and compare it with its seal; raises `NoBackup`."""
    seal = _read_seal(path)
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
def _opened(path: Path) -> Iterator[Database]:
    """Open a backup to read it; one of an older arena is migrated in a copy of its own."""
    with closing(_connected(path)) as connection:
        revision = connection.execute("SELECT version_num FROM alembic_version").fetchone()[0]
    if revision == HEAD:
        with closing(Database(f"sqlite:///{path}", read_only=True)) as database:
            yield database
        return
    with TemporaryDirectory(dir=path.absolute().parent, prefix=_PREFIX) as place:
        copied = shutil.copy(path, place)
        with closing(Database(f"sqlite:///{copied}")) as database:
            yield database


def _connected(path: Path) -> sqlite3.Connection:
    return sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True)


def _read_seal(path: Path) -> Seal:
    if not path.is_file():
        raise NoBackup(f"there is no backup {path}")
    try:
        with closing(_connected(path)) as connection:
            row = connection.execute(f"SELECT taken, rows, sha256 FROM {_SEAL}").fetchone()
    except sqlite3.OperationalError as error:
        if "no such table" not in str(error):
            raise NoBackup(f"{path} can't be read: {error}") from error
        row = None
    except sqlite3.DatabaseError as error:
        raise NoBackup(f"{path} is no whole backup: {error}") from error
    if row is None:
        raise NoBackup(f"{path} is no backup: expected a file that `arena backup` wrote")
    return Seal(datetime.fromisoformat(row[0]), row[1], row[2])


def _put_seal(connection: sqlite3.Connection, taken: datetime, rows: int) -> None:
    found = _hash(connection)
    with connection:
        connection.execute(f"CREATE TABLE {_SEAL} (taken TEXT, rows INTEGER, sha256 TEXT)")
        said = (taken.isoformat(), rows, found)
        connection.execute(f"INSERT INTO {_SEAL} VALUES (?, ?, ?)", said)


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
