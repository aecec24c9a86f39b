"""The tables of the exhibitions database, the same for SQLite and PostgreSQL.

The row classes stay inside this package. A change here needs a migration; a test compares the two.
"""

from __future__ import annotations

from datetime import datetime
from typing import Any

from sqlalchemy import JSON, BigInteger, ForeignKey, Index, LargeBinary, MetaData, Text
from sqlalchemy.orm import DeclarativeBase, Mapped, mapped_column, relationship

from card_arena.results.models import NAMES, Moment


class Base(DeclarativeBase):
    """The base of all tables of exhibitions."""

    metadata = MetaData(naming_convention=NAMES)
    type_annotation_map = {  # noqa: RUF012 - SQLAlchemy reads it so
        datetime: Moment,
        str: Text,
        bytes: LargeBinary,
        dict[str, Any]: JSON(none_as_null=True),
        list[int]: JSON(none_as_null=True),
    }


class KeyRow(Base):
    """The key by which visitors' addresses are hashed; its row is locked while a table is made."""

    __tablename__ = "keys"

    id: Mapped[int] = mapped_column(primary_key=True)
    key: Mapped[bytes]


class TableRow(Base):
    """One game at one table.

    `conditions` are the bots' clock, limits, strikes and sandbox, as in a tournament's file.
    `played_by` names the program that plays it. `code` is only there while people may join,
    `queued` the moment since which it waits to be played. `seed` is the secret of its packs.
    `creator` is the number of a person in accounts, `address` the keyed hash of a client's address.
    """

    __tablename__ = "tables"
    __table_args__ = (
        Index(None, "state", "queued"),
        Index(None, "creator", "created"),
        Index(None, "address", "created"),
        Index(None, "created"),
    )

    id: Mapped[int] = mapped_column(primary_key=True)
    key: Mapped[str] = mapped_column(unique=True)
    game: Mapped[str]
    version: Mapped[int]
    options: Mapped[dict[str, Any]]
    conditions: Mapped[dict[str, Any]]
    played_by: Mapped[str]
    state: Mapped[str]
    reason: Mapped[str]
    created: Mapped[datetime]
    queued: Mapped[datetime | None]
    started: Mapped[datetime | None]
    finished: Mapped[datetime | None]
    code: Mapped[str | None] = mapped_column(unique=True)
    creator: Mapped[int | None]
    address: Mapped[str]
    seed: Mapped[bytes]
    source: Mapped[dict[str, Any] | None]
    hints: Mapped[dict[str, Any] | None]
    scores: Mapped[list[int] | None]
    seats: Mapped[list[SeatRow]] = relationship(
        order_by=lambda: SeatRow.number, lazy="selectin", passive_deletes=True
    )


class SeatRow(Base):
    """One seat of a table.

    `bot` is the bot that plays in it or replaces its person: a version of the results store, or a
    folder or archive at `path`. `name` is the person's; it is empty while the seat is free.
    `prefixed` says whether its bot asks for questions with the common prefix.
    """

    __tablename__ = "seats"

    table_id: Mapped[int] = mapped_column(
        ForeignKey("tables.id", ondelete="CASCADE"), primary_key=True
    )
    number: Mapped[int] = mapped_column(primary_key=True)
    kind: Mapped[str]
    bot: Mapped[str]
    version_id: Mapped[int | None]
    path: Mapped[str]
    name: Mapped[str]
    secret: Mapped[str | None]
    prefixed: Mapped[bool]
    away_since: Mapped[datetime | None]


class TurnRow(Base):
    """One turn of a game, with the fields of a record's turn.

    `pack` is the number of the pack that was dealt in it, from 0.
    """

    __tablename__ = "turns"

    table_id: Mapped[int] = mapped_column(
        ForeignKey("tables.id", ondelete="CASCADE"), primary_key=True
    )
    number: Mapped[int] = mapped_column(primary_key=True)
    seat: Mapped[int]
    action: Mapped[str]
    question: Mapped[str]
    answer: Mapped[str | None]
    wall: Mapped[int] = mapped_column(BigInteger)
    cpu: Mapped[int] = mapped_column(BigInteger)
    peak: Mapped[int] = mapped_column(BigInteger)
    fault: Mapped[dict[str, Any] | None]
    pack: Mapped[int | None]
    at: Mapped[datetime]


class AnswerRow(Base):
    """The line that a person gave in a turn, or that the bot gave which replaced them."""

    __tablename__ = "answers"

    table_id: Mapped[int] = mapped_column(
        ForeignKey("tables.id", ondelete="CASCADE"), primary_key=True
    )
    turn: Mapped[int] = mapped_column(primary_key=True)
    line: Mapped[str]
    at: Mapped[datetime]


class HintRow(Base):
    """A hint that a seat asked for in a turn; `answer` is None until it is given."""

    __tablename__ = "hints"

    table_id: Mapped[int] = mapped_column(
        ForeignKey("tables.id", ondelete="CASCADE"), primary_key=True
    )
    turn: Mapped[int] = mapped_column(primary_key=True)
    seat: Mapped[int] = mapped_column(primary_key=True)
    at: Mapped[datetime]
    answer: Mapped[str | None]
