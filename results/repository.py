"""The base of every part of the store, and finding the row for a name."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from typing import TypeVar

from sqlalchemy import select
from sqlalchemy.exc import IntegrityError
from sqlalchemy.orm import Session

from results.database import Database
from results.models import BotRow, TournamentRow

ATTEMPTS = 5

_Result = TypeVar("_Result")
_Named = TypeVar("_Named", BotRow, TournamentRow)


class Repository:
    """The rows of one kind in a database. Every method is one transaction.

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
