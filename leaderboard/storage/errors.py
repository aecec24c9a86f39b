"""What keeps a database from being used, in sentences for the user."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from json import JSONDecodeError

from sqlalchemy.exc import DBAPIError, OperationalError

from common.errors import UserError


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
def explained(title: str, patience: float = 0.0, kind: type[Unusable] = Unusable) -> Iterator[None]:
    """Turn the driver's errors into a sentence; errors in our own SQL are not caught."""
    try:
        yield
    except (DBAPIError, sqlite3.Error) as error:
        trouble = " ".join(str(getattr(error, "orig", error)).split())
        code = getattr(getattr(error, "orig", error), "sqlite_errorcode", 0) & 0xFF
        if code in (sqlite3.SQLITE_NOTADB, sqlite3.SQLITE_CORRUPT):
            raise Damaged(_SENTENCES[code].format(title)) from error
        if code in _SENTENCES:
            raise kind(_SENTENCES[code].format(title, patience=patience)) from error
        if isinstance(error, OperationalError) and "sqlite" not in type(error.orig).__module__:
            raise kind(f"the database {title} is out of reach: {trouble}") from error
        raise
    except JSONDecodeError as error:
        raise Damaged(f"{title} holds JSON that can't be read: {error}") from error


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
    sqlite3.SQLITE_FULL: "{0} can't be written: the disk is full",
}
"""SQLite's codes of errors, and our sentence for the user."""
