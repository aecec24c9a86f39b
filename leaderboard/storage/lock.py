"""The lock by which only one program at a time runs the tournaments of a database."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from leaderboard.storage.database import Database
from leaderboard.storage.lease import AlreadyRunning, Lease

__all__ = ["AlreadyRunning", "alone"]


@contextmanager
def alone(database: Database) -> Iterator[None]:
    """Hold the right to run tournaments while the block lasts; raises `AlreadyRunning`.

    It is a lease in the database itself, so it holds for programs on all machines that use it.
    """
    with Lease(database):
        yield
