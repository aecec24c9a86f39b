"""Opening the database, and its transactions.

A reader sees a snapshot of the database and never waits for a writer. A writer takes its lock
before it reads anything, on SQLite by `BEGIN IMMEDIATE` and on PostgreSQL by locking the row
concerned, so that no writer works from data that another is changing.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, closing, contextmanager, suppress
from copy import copy
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from threading import BoundedSemaphore
from typing import Any, TypeVar

from sqlalchemy import (
    URL,
    Connection,
    Engine,
    LargeBinary,
    MetaData,
    create_engine,
    event,
    inspect,
    make_url,
    select,
    text,
)
from sqlalchemy.exc import ArgumentError, DBAPIError, IntegrityError
from sqlalchemy.orm import Session

from card_arena.results.errors import StoreError, Unwritable, Waits, explained
from card_arena.results.migrations import HEAD
from card_arena.results.models import Base, BotRow, TournamentRow
from card_arena.results.sqlite_file import (
    Unlocked,
    close_to_others,
    connected,
    make_private,
    prepare,
    prepare_durable,
    prepare_reader,
    shrink,
    table_names,
    with_beside,
)

SERVER_WAITS = {"connect_timeout": 10, "tcp_user_timeout": 30_000}
"""How long a PostgreSQL server may be silent: seconds to connect, then milliseconds."""

_MIGRATION_LOCK = 0x0CA4D
"""The PostgreSQL advisory lock that a migrating program holds."""


@dataclass(frozen=True, slots=True)
class Tables:
    """The tables that a database is to have.

    `migrations` is the folder that makes them, as Alembic names it, and `head` the newest of them;
    `metadata` is what they are then. On PostgreSQL they are in a `schema`, the server's default one
    if it is empty. What is written to `durable` tables survives a power cut, for which each
    transaction waits for the disk.
    """

    migrations: str
    head: str
    metadata: MetaData
    schema: str = ""
    durable: bool = False


RESULTS = Tables("card_arena.results:migrations", HEAD, Base.metadata)
"""The tables of models.py: bots, and what happened."""


class Database:
    """An open database, by default with the tables of models.py.

    `url` is `sqlite:///path/to/file` or `postgresql+psycopg://user@host/name`. A SQLite file is
    created if it does not exist, and an older database is migrated. `waits` says how long whoever
    uses it waits for others. Raises `StoreError`.

    Only its owner may read a SQLite file and the files beside it, whatever the umask: they hold the
    seeds of running seasons, and the sources of all bots. `closed` are the files that others could
    read until now. On PostgreSQL the server controls access. `migrated` says that the database was
    an older one. One that is opened `read_only` is neither created nor migrated. Messages call it
    by its `title`: the file or the address, unless another one is given. `file` is the file of a
    SQLite database.
    """

    def __init__(
        self,
        url: str,
        waits: Waits | None = None,
        *,
        read_only: bool = False,
        title: str = "",
        tables: Tables = RESULTS,
    ) -> None:
        self.url = _checked(url)
        self.tables = tables
        self.read_only = read_only
        self.file = _file(self.url)
        self.title = title or _title(self.url)
        self._waits = waits = waits or Waits()
        self._failed = -waits.after
        self._places = BoundedSemaphore(waits.writers) if waits.writers else None
        self.guard: Callable[[Session], None] | None = None
        self._policy: Callable[[Session], None] | None = None
        self.migrated = False
        self.closed: list[Path] = []
        self._unlocked: Unlocked | None = None
        if self.file is not None:
            if "uri" not in self.url.query and not read_only:  # else any name that SQLite knows
                make_private(self.file)
            if read_only and not self.file.exists():
                raise StoreError(f"there is no database {self.file}")
            names = table_names(self.file)
            if names and "alembic_version" not in names:
                raise StoreError(f"{self.title} holds tables that are not the arena's")
            if names is not None:  # nothing else may be changed: a folder, another program's file
                self.closed = close_to_others(with_beside(self.file))
            self._unlocked = None if "uri" in self.url.query else Unlocked(self.file)
            self._engine = create_engine(
                self.url, connect_args={"timeout": waits.read}, hide_parameters=True
            )
            writer = prepare_durable if tables.durable else prepare
            event.listen(self._engine, "connect", prepare_reader if read_only else writer)
            event.listen(self._engine, "begin", self._begin_sqlite)
            self._reader: Engine = self._engine
            self._writer: Engine = self._engine.execution_options(immediate=True)
        else:
            self._engine = _engine_of_server(self.url, tables)
            event.listen(self._engine, "connect", self._prepare_postgresql)
            self._reader = self._engine.execution_options(
                isolation_level="REPEATABLE READ", postgresql_readonly=True
            )
            self._writer = self._reader if read_only else self._engine
        self._open()

    @property
    def address(self) -> str:
        """The address as it was given, with its password."""
        return self.url.render_as_string(hide_password=False)

    def place_beside(self, name: str) -> Path:
        """A path for what belongs to it: beside a SQLite file, else in `var` of this folder."""
        return place_beside(self.url, name)

    @contextmanager
    def reading(self) -> Iterator[Session]:
        """Read from a snapshot of the database, or from what a visibility policy leaves of it.

        Also from a SQLite file on a full or read-only disk, as long as nobody writes to it.
        """
        with (
            self._explained(),
            connected(self._reader, self._unlocked) as connection,
            Session(connection) as session,
        ):
            if self._policy is not None:
                self._policy(session)
            yield session

    def filtered(self, policy: Callable[[Session], None]) -> Database:
        """The same database for readers who don't see all: `policy` is applied to every session."""
        other = copy(self)
        other._policy = policy
        return other

    @contextmanager
    def writing(self) -> Iterator[Session]:
        """Change the database; an exception that leaves the block undoes everything.

        Where somebody has set a `guard`, it has its say first, in the same transaction.
        """
        with (
            self._place(),
            explained(self.title, self._waits.write, Unwritable, self.file),
            Session(self._writer) as session,
            session.begin(),
        ):
            if self.guard is not None:
                self.guard(session)
            yield session

    @contextmanager
    def _place(self) -> Iterator[None]:
        """One of the places of those who write at a time, or wait for it."""
        if self._places is None:
            yield
            return
        if not self._places.acquire(timeout=self._waits.place):
            raise Unwritable(f"{self.title} is locked: {self._waits.writers} wait to write to it")
        try:
            yield
        except Unwritable:
            self._failed = time.monotonic()
            raise
        finally:
            self._places.release()

    def shrink(self) -> None:
        """Make a SQLite file as small as what is in it; PostgreSQL does that by itself.

        Others can write meanwhile.
        """
        if self.file is not None:
            bulky = [
                table.name
                for table in self.tables.metadata.sorted_tables
                if len(table.primary_key.columns) > 1
                and any(isinstance(column.type, LargeBinary) for column in table.columns)
            ]
            with self._explained(), closing(self._engine.raw_connection()) as connection:
                shrink(connection.dbapi_connection, bulky)  # type: ignore[arg-type]

    def close(self) -> None:
        self._engine.dispose()
        if self._unlocked is not None:
            self._unlocked.close()

    def _open(self) -> None:
        try:
            with self._explained(), connected(self._reader, self._unlocked) as connection:
                revision = _revision(connection)
            if revision != self.tables.head and self.read_only:
                raise StoreError(f"{self.title} is none of this version's databases")
            if revision != self.tables.head:
                with self._explained(), self._writer.begin() as connection:
                    self._migrate(connection)
        except StoreError:
            self.close()
            raise

    def _migrate(self, connection: Connection) -> None:
        if self.file is None:
            connection.execute(text(f"SELECT pg_advisory_xact_lock({_MIGRATION_LOCK})"))
            if self.tables.schema:
                connection.execute(text(f"CREATE SCHEMA IF NOT EXISTS {self.tables.schema}"))
        revision = _revision(connection)
        if revision is None and inspect(connection).get_table_names():
            raise StoreError(f"{self.title} holds tables that are not the arena's")
        if revision is not None and revision > self.tables.head:
            raise StoreError(
                f"{self.title} was written by a newer version of the arena: its tables are"
                f" revision {revision}, this version knows them up to {self.tables.head}"
            )
        # Importing Alembic takes longer than running everything else here.
        from alembic import command
        from alembic.config import Config

        config = Config(attributes={"connection": connection})
        config.set_main_option("script_location", self.tables.migrations)
        if revision is None:
            self.tables.metadata.create_all(connection)
            command.stamp(config, self.tables.head)
        else:
            command.upgrade(config, self.tables.head)
        self.migrated = revision is not None

    def _prepare_postgresql(self, connection: Any, _: Any) -> None:
        """Bound how long a writer waits for a row."""
        with connection.cursor() as cursor:
            cursor.execute(f"SET lock_timeout = {int(self._waits.write * 1000)}")
        connection.commit()

    def _explained(self) -> AbstractContextManager[None]:
        return explained(self.title, self._waits.read, file=self.file)

    def _begin_sqlite(self, connection: Connection) -> None:
        """Begin a transaction; a writer that would wait in vain, as others did, waits briefly."""
        immediate = connection.get_execution_options().get("immediate")
        waits = self._waits
        if waits.read != waits.write:
            failed = time.monotonic() - self._failed < waits.after
            patience = waits.write if immediate and not failed else waits.read
            connection.exec_driver_sql(f"PRAGMA busy_timeout={int(patience * 1000)}")
        connection.exec_driver_sql("BEGIN IMMEDIATE" if immediate else "BEGIN")


def place_beside(url: str | URL, name: str) -> Path:
    """A path for what belongs to a database: beside a SQLite file, else in `var` of this folder.

    Raises `StoreError` if the address is none.
    """
    file = _file(url if isinstance(url, URL) else _checked(url)) or Path("var", "arena")
    return file.with_name(f"{file.stem}.{name}")


def has_password(url: str | None) -> bool:
    """Whether an address holds a password; raises `StoreError` if it is none."""
    return url is not None and _checked(url).password is not None


def file_of(url: str) -> Path | None:
    """The file of a SQLite database at this address; raises `StoreError` if it is none."""
    return _file(_checked(url))


def beside(url: str, tables: Tables) -> str:
    """The address of the other `tables` of the arena whose results are at `url`.

    They are in a file beside a SQLite file, and on PostgreSQL in a schema of the same database.
    """
    file = file_of(url)
    if file is None or not tables.schema:
        return url
    file = file_beside(file, tables.schema)
    return _checked(url).set(database=str(file)).render_as_string(hide_password=False)


def file_beside(file: Path, schema: str) -> Path:
    """The file of other tables beside a file of results: `arena.accounts.db` for `arena.db`."""
    return file.with_name(f"{file.stem}.{schema}{file.suffix}")


def revision_of(url: str, tables: Tables = RESULTS) -> str | None:
    """The revision of the tables of the arena whose results are at `url`; None if it has none.

    Nothing is made or migrated. Raises `StoreError` if there is something else, or if it is out of
    reach.
    """
    parsed = _checked(beside(url, tables))
    file, unlocked = _file(parsed), None
    if file is None:
        engine = _engine_of_server(parsed, tables)
    elif file.exists():
        engine = create_engine(parsed, hide_parameters=True)
        event.listen(engine, "connect", prepare_reader)
        unlocked = Unlocked(file)
    else:
        return None
    try:
        with explained(_title(parsed), file=file), connected(engine, unlocked) as connection:
            return _revision(connection)
    finally:
        engine.dispose()
        if unlocked is not None:
            unlocked.close()


def _engine_of_server(url: URL, tables: Tables) -> Engine:
    schema = {"options": f"-csearch_path={tables.schema}"} if tables.schema else {}
    arguments = {**SERVER_WAITS, **schema}
    return create_engine(url, pool_pre_ping=True, hide_parameters=True, connect_args=arguments)


def _checked(url: str) -> URL:
    """Parse the address of a database, and make the folder of a SQLite file."""
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
    if parsed.get_backend_name() == "sqlite":
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
    """Quote an address without its password, if it has one."""
    scheme, mark, rest = url.partition("://")
    return repr(f"{scheme}{mark}{rest.rpartition('@')[2]}"[:80])


def _file(url: URL) -> Path | None:
    return Path(str(url.database)) if url.get_backend_name() == "sqlite" else None


def _title(url: URL) -> str:
    return url.render_as_string() if _file(url) is None else str(url.database)


def _revision(connection: Connection) -> str | None:
    """The revision of the tables; None if there are no tables of the arena."""
    try:
        with connection.begin_nested():
            return connection.execute(text("SELECT version_num FROM alembic_version")).scalar()
    except DBAPIError as error:
        if "alembic_version" in str(error.orig):
            return None
        raise


ATTEMPTS = 5

_Result = TypeVar("_Result")
_Named = TypeVar("_Named", BotRow, TournamentRow)


class Repository:
    """A part of a store: the rows of one kind. Every method is one transaction.

    Every method raises `StoreError` if the database can't be used.
    """

    def __init__(self, database: Database) -> None:
        self.database = database


def retry_on_conflict(write: Callable[[], _Result]) -> _Result:
    """Do a transaction again if another writer was faster; then it finds what that one wrote.

    SQLite has one writer at a time, so it happens on PostgreSQL alone.
    """
    for _ in range(ATTEMPTS):
        with suppress(IntegrityError):
            return write()
    return write()


def locked(session: Session, model: type[_Named], name: str, **others: object) -> _Named:
    """Find or make the row for a name, and lock it until the transaction ends."""
    query = select(model).where(model.name == name).with_for_update()
    row = session.scalar(query)
    if row is not None:
        return row
    try:
        with session.begin_nested():
            session.add(model(name=name, **others))
    except IntegrityError:  # on PostgreSQL another writer may just have made it
        session.expire_all()
    return session.execute(query).scalar_one()
