"""Databases for tests: new SQLite files, and new databases of a PostgreSQL server of our own."""

import os
import subprocess
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from uuid import uuid4

import pytest
from sqlalchemy import URL, create_engine, make_url, text

from card_arena.results.store import Store
from card_arena.tests.needs import need

NOBODY = 65534


@dataclass(frozen=True)
class Server:
    """A PostgreSQL server of our own, reached through a socket in a folder of its own."""

    address: str
    control: Callable[..., None]
    """Calls `pg_ctl` with these words."""

    def stop(self) -> None:
        """Stop it as an update of the system does."""
        self.control("-m", "fast", "stop")

    def start(self) -> None:
        """Start it again."""
        self.control("start")


@contextmanager
def new_server(place: Path | None = None) -> Iterator[Server]:
    """Start a server that ends with the block; its files are in a new folder, of a `place`."""
    found = sorted(Path("/usr/lib/postgresql").glob("*/bin"))
    if not found:
        need("pg_ctlcluster")
    programs = found[-1]
    # The server refuses to run as root.
    user = {"user": NOBODY, "group": NOBODY, "extra_groups": ()} if os.getuid() == 0 else {}
    with TemporaryDirectory(prefix="arena-postgres-", dir=place) as folder:
        if user:
            os.chown(folder, NOBODY, NOBODY)
        data, log = f"{folder}/data", f"{folder}/log"

        def run(program: str, *words: str) -> None:
            subprocess.run(
                [programs / program, "-D", data, *words],
                check=True,
                cwd=folder,
                stdout=subprocess.DEVNULL,
                **user,
            )

        run("initdb", "--username=ada", "--auth=trust", "--encoding=UTF8", "--no-sync")
        options = f"-c listen_addresses= -c unix_socket_directories={folder} -c fsync=off"
        control = partial(run, "pg_ctl", "-w", "-l", log, "-o", options)
        control("start")
        try:
            address = URL.create(
                "postgresql+psycopg", username="ada", database="postgres", query={"host": folder}
            )
            yield Server(address.render_as_string(), control)
        finally:
            control("-m", "immediate", "stop")


@pytest.fixture(scope="session")
def server() -> Iterator[str]:
    """The address of a server that all tests of a process share."""
    with new_server() as shared:
        yield shared.address


@pytest.fixture
def file_url(tmp_path: Path) -> str:
    """A SQLite file that is not there yet."""
    return f"sqlite:///{tmp_path}/arena.db"


@pytest.fixture(scope="session")
def with_tables(server: str) -> Iterator[str]:
    """The name of a database on the server that has the arena's tables and nothing in them."""
    with _new_database(server, "template1") as (name, address):
        Store(address).close()
        yield name


@contextmanager
def _new_database(server: str, template: str) -> Iterator[tuple[str, str]]:
    name = f"arena_{uuid4().hex}"
    engine = create_engine(server, isolation_level="AUTOCOMMIT")
    with engine.connect() as connection:
        connection.execute(text(f"CREATE DATABASE {name} TEMPLATE {template}"))
        yield name, make_url(server).set(database=name).render_as_string(hide_password=False)
        connection.execute(text(f"DROP DATABASE {name} WITH (FORCE)"))
    engine.dispose()


@pytest.fixture
def server_url(request: pytest.FixtureRequest, server: str) -> Iterator[str]:
    """A new database on the PostgreSQL server, dropped afterwards.

    It is empty, but has its tables already where a test wants a store and not how one is made.
    """
    stored = "store" in request.fixturenames
    template = request.getfixturevalue("with_tables") if stored else "template1"
    with _new_database(server, template) as (_, address):
        yield address


@pytest.fixture(params=["file", "server"])
def url(request: pytest.FixtureRequest) -> str:
    """The address of a new database of either kind."""
    found: str = request.getfixturevalue(f"{request.param}_url")
    return found
