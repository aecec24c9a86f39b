"""What keeps a database from being used, in sentences for the user."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from json import JSONDecodeError
from pathlib import Path

from sqlalchemy.exc import DBAPIError, OperationalError

from card_arena.common.errors import UserError
from card_arena.common.text import LONGEST_REASON


class StoreError(UserError):
    """The database can't do what was asked; the message is one sentence for the user.

    Raised for a malformed address, for a database that can't be opened, read or written or is of a
    newer version, and for unknown names.
    """


class Unusable(StoreError):
    """The database can't be used now, through no fault of what was asked of it."""

    passes = True


class Unwritable(Unusable):
    """The database can't be changed now; it may still be read."""


class Damaged(StoreError):
    """Stored data can't be read any more, until it is restored; the message says what."""


class Unknown(StoreError):
    """Nothing with this name is stored; the subclasses say what was looked for."""


@contextmanager
def explained(
    title: str,
    patience: float = 0.0,
    kind: type[Unusable] = Unusable,
    file: Path | None = None,
) -> Iterator[None]:
    """Turn the driver's errors into a sentence; errors in our own SQL are not caught.

    The `file` of a SQLite database tells what ails its disk.
    """
    try:
        yield
    except (DBAPIError, sqlite3.Error) as error:
        trouble = " ".join(str(getattr(error, "orig", error)).split())
        state = getattr(getattr(error, "orig", error), "sqlstate", None)
        if state in _DAMAGE_OF_SERVERS:
            raise Damaged(f"the database {title} is damaged: {trouble}") from error
        if state in _OF_SERVERS:
            raise kind(_OF_SERVERS[state].format(title)) from error
        code = _code(getattr(getattr(error, "orig", error), "sqlite_errorcode", 0), file)
        if code in (sqlite3.SQLITE_NOTADB, sqlite3.SQLITE_CORRUPT):
            raise Damaged(_SENTENCES[code].format(title)) from error
        if code in _SENTENCES:
            raise kind(_SENTENCES[code].format(title, patience=patience)) from error
        if isinstance(error, OperationalError) and "sqlite" not in type(error.orig).__module__:
            raise kind(f"the database {title} is out of reach: {trouble}") from error
        raise
    except JSONDecodeError as error:
        raise Damaged(f"{title} holds JSON that can't be read: {error}") from error


def _code(extended: int, file: Path | None) -> int:
    """SQLite's code of an error, or `_READ_ONLY_DISK`."""
    code = extended & 0xFF
    if extended == sqlite3.SQLITE_IOERR_SHMSIZE:  # the file that programs share can't grow
        return sqlite3.SQLITE_FULL
    if file is not None and code in (sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_READONLY):
        with suppress(OSError):
            if os.statvfs(file.parent).f_flag & os.ST_RDONLY:
                return _READ_ONLY_DISK
    return code


_READ_ONLY_DISK = -1

_SENTENCES = {
    sqlite3.SQLITE_BUSY: (
        "{0} is locked: another program has been writing to it for {patience:g} s"
    ),
    sqlite3.SQLITE_PROTOCOL: "{0} is locked: other programs keep opening it",
    sqlite3.SQLITE_NOTADB: "{0} is not a SQLite database",
    sqlite3.SQLITE_CANTOPEN: "{0} can't be opened: is it a file that you may write?",
    sqlite3.SQLITE_READONLY: "{0} can't be written: it is read-only for you",
    sqlite3.SQLITE_CORRUPT: "{0} is damaged: SQLite can't read it any more",
    sqlite3.SQLITE_IOERR: "{0} can't be read or written: the disk gives an error",
    sqlite3.SQLITE_FULL: (
        "{0} can't be written: its disk is full; make room with `arena db prune`, which has a"
        " reserve to begin with: docs/keeping.md, “A full disk”"
    ),
    _READ_ONLY_DISK: (
        "{0} can't be written: its file system is read-only; what only reads goes on:"
        " docs/keeping.md, “A read-only disk”"
    ),
}
"""SQLite's codes of errors, and our sentence for the user."""

_OF_SERVERS = {
    "25006": "{0} can't be written: its server only lets it be read now",
    "53100": "{0} can't be written: the disk of its server is full",
}
"""PostgreSQL's codes of errors that are no fault of ours, and our sentence for the user."""

_DAMAGE_OF_SERVERS = ("XX001", "XX002")
"""PostgreSQL's codes for data and for indexes that are corrupted."""


@dataclass(frozen=True, slots=True)
class Waits:
    """How many seconds a reader and a writer of a SQLite file wait for another program.

    A site has few threads, and others want to read meanwhile. So no more than so many `writers` at
    a time may wait there (0: any number), whoever comes later waits `place` seconds for one of
    their places; and for `after` seconds after one waited in vain the others wait as readers do.
    On PostgreSQL readers don't wait.
    """

    write: float = 30.0
    read: float = 30.0
    writers: int = 0
    place: float = 1.0
    after: float = 5.0


FOR_A_SITE = Waits(write=10.0, read=0.5, writers=4)
"""How long the pages of a site wait."""


class BadReason(StoreError):
    """There is no reason, or it can't be kept; the message says what was expected."""


def checked_reason(text: str) -> str:
    """A reason in one line; raises `BadReason` if there is none, or if it is too long."""
    reason = " ".join(text.split())
    if not reason or len(reason) > LONGEST_REASON or not reason.isprintable():
        raise BadReason(f"a reason must have 1 to {LONGEST_REASON} characters that can be printed")
    return reason
