"""The lock by which only one program at a time runs the tournaments of a database."""

from __future__ import annotations

import fcntl
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from sqlalchemy import NullPool, create_engine, text

from common.errors import UserError
from leaderboard.storage.database import Database
from leaderboard.storage.private import make_private

RUN_LOCK = 0x0CA4E
"""The PostgreSQL advisory lock that a running program holds."""


class AlreadyRunning(UserError):
    """Another program runs the tournaments of this database."""


@contextmanager
def alone(database: Database) -> Iterator[None]:
    """Hold the right to run tournaments while the block lasts; raises `AlreadyRunning`.

    The lock ends with the program that holds it, however that ends: on SQLite it is a lock on a
    file beside the database, on PostgreSQL it lasts as long as a connection.
    """
    refusal = (
        f"another arena is playing the tournaments of {database.title}: stop it first, or wait"
        f" until it is done"
    )
    if database.url.get_backend_name() == "sqlite":
        # Resolve links: a link to the database is the same database.
        path = Path(os.path.realpath(str(database.url.database)) + ".lock")
        make_private(path)  # anybody who may read it could hold the lock
        with path.open("r+", encoding="ascii") as file:
            try:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                raise AlreadyRunning(refusal) from None
            yield
    else:
        engine = create_engine(database.url, poolclass=NullPool, isolation_level="AUTOCOMMIT")
        with engine.connect() as connection:
            if not connection.scalar(text(f"SELECT pg_try_advisory_lock({RUN_LOCK})")):
                raise AlreadyRunning(refusal)
            yield
