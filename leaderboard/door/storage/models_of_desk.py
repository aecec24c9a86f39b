"""The tables of what organisers decide: limits, messages, and who sees which standings."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from sqlalchemy import ForeignKey, Index, UniqueConstraint
from sqlalchemy.orm import Mapped, mapped_column

from leaderboard.door.storage.models import Base


class LimitRow(Base):
    """What everybody may hand in, or one team: what is None is as without this row.

    `team_id` is 0 for everybody. `grace` is in seconds, `reason` an organiser's words.
    """

    __tablename__ = "limits"

    team_id: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    a_day: Mapped[int | None]
    size: Mapped[int | None]
    bots: Mapped[int | None]
    bots_a_person: Mapped[int | None]
    deadline: Mapped[datetime | None]
    grace: Mapped[float | None]
    reason: Mapped[str]


class MessageRow(Base):
    """What an organiser tells everybody, or one team, until `ends` if that is set."""

    __tablename__ = "messages"

    id: Mapped[int] = mapped_column(primary_key=True)
    team_id: Mapped[int | None] = mapped_column(ForeignKey("teams.id"))
    text: Mapped[str]
    written: Mapped[datetime]
    ends: Mapped[datetime | None]


class DismissalRow(Base):
    """A message that somebody has read and no longer wants to see."""

    __tablename__ = "dismissals"
    __table_args__ = (Index(None, "person_id"),)

    message_id: Mapped[int] = mapped_column(ForeignKey("messages.id"), primary_key=True)
    person_id: Mapped[int] = mapped_column(ForeignKey("people.id"), primary_key=True)


class VisibilityRow(Base):
    """Who sees a tournament's results; a tournament without a row is public.

    `names` says whose names others see: "all", "top" (of the first `top`) or "own". From `frozen`
    on, new results are hidden.
    """

    __tablename__ = "visibility"

    tournament: Mapped[str] = mapped_column(primary_key=True)
    names: Mapped[str]
    top: Mapped[int | None]
    frozen: Mapped[datetime | None]


class BoardRow(Base):
    """A season's standings as they were when they were frozen; `taken` is when they were copied."""

    __tablename__ = "boards"

    season_id: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    tournament: Mapped[str]
    frozen: Mapped[datetime]
    taken: Mapped[datetime]
    board: Mapped[dict[str, Any]]


class AliasRow(Base):
    """The number by which a bot is called in a tournament whose names are hidden."""

    __tablename__ = "aliases"
    __table_args__ = (UniqueConstraint("tournament", "number"),)

    tournament: Mapped[str] = mapped_column(primary_key=True)
    bot: Mapped[str] = mapped_column(primary_key=True)
    number: Mapped[int]
