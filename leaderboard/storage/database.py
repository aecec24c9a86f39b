"""Opening the database, and what a transaction is.

Reading sees one instant of the database and never waits for a writer. Writing takes its lock
before it reads anything, on SQLite by `BEGIN IMMEDIATE` and on PostgreSQL by locking the row that
it is about, so that no writer works from what another one is changing.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from sqlalchemy import URL, Connection, Engine, create_engine, event, inspect, make_url, text
from sqlalchemy.exc import ArgumentError, DBAPIError, OperationalError
from sqlalchemy.orm import Session

from leaderboard.storage.migrations import HEAD
from leaderboard.storage.private import close_to_others, make_private, with_beside

_MIGRATION_LOCK = 0x0CA4D
"""The number of PostgreSQL's advisory lock that only one migrating program holds."""


class StoreError(Exception):
    """The database can't do what was asked; the message is one sentence for the user.

    Raised for a malformed address, for a database that can't be opened, read or written or is of a
    newer version, and for unknown names.
    """


class Unknown(StoreError):
    """Nothing of this name is stored; its subclasses say what was looked for."""


class Database:
    """An open database whose tables are those of models.py.

    `url` is `sqlite:///path/to/file` or `postgresql+psycopg://user@host/name`. A SQLite file is
    created when it does not exist, and an older database is brought up to date. `patience` is how
    many seconds a writer waits for another one. Raises `StoreError`.

    A SQLite file and what lies beside it are their owner's alone, whatever the umask: they hold
    the seeds of seasons that run, and everybody's sources. `closed` are those that others could
    read until now. On PostgreSQL the server says who may read what.
    """

    def __init__(self, url: str, patience: float = 30.0) -> None:
        self.url = _checked(url)
        self.title = self.url.database if _is_sqlite(self.url) else self.url.render_as_string()
        self._patience = patience
        self.closed: list[Path] = []
        if _is_sqlite(self.url):
            file = Path(str(self.url.database))
            if "uri" not in self.url.query:  # else it may be any that SQLite can name
                make_private(file)
            self.closed = close_to_others(with_beside(file))
            self._engine = create_engine(
                self.url, connect_args={"timeout": patience}, hide_parameters=True
            )
            event.listen(self._engine, "connect", _prepare_sqlite)
            event.listen(self._engine, "begin", _begin_sqlite)
            self._reader: Engine = self._engine
            self._writer: Engine = self._engine.execution_options(immediate=True)
        else:
            self._engine = create_engine(self.url, pool_pre_ping=True, hide_parameters=True)
            event.listen(self._engine, "connect", self._prepare_postgresql)
            self._reader = self._engine.execution_options(
                isolation_level="REPEATABLE READ", postgresql_readonly=True
            )
            self._writer = self._engine
        self._open()

    @contextmanager
    def reading(self) -> Iterator[Session]:
        """Look at one instant of the database."""
        with self._explained(), Session(self._reader) as session:
            yield session

    @contextmanager
    def writing(self) -> Iterator[Session]:
        """Change the database; an exception that leaves the block undoes everything."""
        with self._explained(), Session(self._writer) as session, session.begin():
            yield session

    def close(self) -> None:
        """Close every connection."""
        self._engine.dispose()

    def _open(self) -> None:
        try:
            with self._explained(), self._reader.connect() as connection:
                revision = _revision(connection)
            if revision != HEAD:
                with self._explained(), self._writer.begin() as connection:
                    self._migrate(connection)
        except StoreError:
            self.close()
            raise

    def _migrate(self, connection: Connection) -> None:
        """Bring the tables up to date, in one transaction and one program at a time."""
        if not _is_sqlite(self.url):
            connection.execute(text(f"SELECT pg_advisory_xact_lock({_MIGRATION_LOCK})"))
        revision = _revision(connection)
        if revision is None and inspect(connection).get_table_names():
            raise StoreError(f"{self.title} holds tables that are not the arena's")
        if revision is not None and revision > HEAD:
            raise StoreError(
                f"{self.title} was written by a newer version of the arena: its tables are"
                f" revision {revision}, this version knows them up to {HEAD}"
            )
        # Alembic takes longer to import than everything else here to run.
        from alembic import command
        from alembic.config import Config

        config = Config(attributes={"connection": connection})
        config.set_main_option("script_location", "leaderboard.storage:migrations")
        command.upgrade(config, HEAD)

    def _prepare_postgresql(self, connection: Any, _: Any) -> None:
        """Bound how long a writer waits for a row."""
        with connection.cursor() as cursor:
            cursor.execute(f"SET lock_timeout = {int(self._patience * 1000)}")
        connection.commit()

    @contextmanager
    def _explained(self) -> Iterator[None]:
        """Turn the driver's complaints into a sentence; a mistake in our SQL stays one."""
        try:
            yield
        except (DBAPIError, sqlite3.Error) as error:
            trouble = " ".join(str(getattr(error, "orig", error)).split())
            if trouble in _SENTENCES:
                sentence = _SENTENCES[trouble].format(self.title, patience=self._patience)
                raise StoreError(sentence) from error
            if isinstance(error, OperationalError) and not _is_sqlite(self.url):
                raise StoreError(f"the database {self.title} is out of reach: {trouble}") from error
            raise


_SENTENCES = {
    "database is locked": (
        "{0} is locked: another program has been writing to it for {patience:g} s"
    ),
    "file is not a database": "{0} is not a SQLite database",
    "unable to open database file": "{0} can't be opened: is it a file that you may write?",
    "attempt to write a readonly database": "{0} can't be written: it is read-only for you",
    "database disk image is malformed": "{0} is damaged: SQLite can't read it any more",
    "disk I/O error": "{0} can't be read or written: the disk gives an error",
    "database or disk is full": "{0} can't be written: the disk is full",
}
"""What SQLite says, and our sentence for the user."""


def _checked(url: str) -> URL:
    """Read the address of a database; makes the folder of a SQLite file."""
    try:
        parsed = make_url(url)
        (parsed.host or "").encode("idna")
    except (ArgumentError, ValueError):  # the latter for a malformed host or port
        parsed = None
    if parsed is None or parsed.get_backend_name() not in ("sqlite", "postgresql"):
        raise StoreError(
            f"{_short(url)} is not a database address: expected sqlite:///path/to/file or"
            " postgresql+psycopg://user@host/name"
        )
    if _is_sqlite(parsed):
        if not parsed.database or parsed.database == ":memory:":
            raise StoreError(f"{url} names no file: expected sqlite:///path/to/file")
        try:
            Path(parsed.database).parent.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise StoreError(f"{parsed.database} can't be made: {error.strerror}") from error
        return parsed.set(drivername="sqlite")
    if find_spec("psycopg") is None:
        raise StoreError(
            "PostgreSQL needs the psycopg package, which is not installed:"
            " pip install 'psycopg[binary]'"
        )
    return parsed.set(drivername="postgresql+psycopg")


def _short(url: str) -> str:
    """Quote an address without the password that may be in it."""
    scheme, mark, rest = url.partition("://")
    return repr(f"{scheme}{mark}{rest.rpartition('@')[2]}"[:80])


def _is_sqlite(url: URL) -> bool:
    return url.get_backend_name() == "sqlite"


def _revision(connection: Connection) -> str | None:
    """The revision of the tables; None when the arena has none there."""
    try:
        with connection.begin_nested():
            return connection.execute(text("SELECT version_num FROM alembic_version")).scalar()
    except DBAPIError as error:
        if "alembic_version" in str(error.orig):
            return None
        raise


def _prepare_sqlite(connection: Any, _: Any) -> None:
    """Set up a new connection.

    The write-ahead log lets pages read while a match is being stored. With it,
    synchronous=NORMAL loses no committed match when a program dies and never damages the file;
    only a power cut may undo the last few seconds, and those matches are played again.
    """
    connection.isolation_level = None  # transactions are begun by us, see _begin_sqlite
    for pragma in ("journal_mode=WAL", "synchronous=NORMAL", "foreign_keys=ON"):
        connection.execute(f"PRAGMA {pragma}")


def _begin_sqlite(connection: Connection) -> None:
    immediate = connection.get_execution_options().get("immediate")
    connection.exec_driver_sql("BEGIN IMMEDIATE" if immediate else "BEGIN")
