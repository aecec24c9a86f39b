"""The tables of what was done to seasons and bots from outside; the ledger tells of all of it."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from sqlalchemy import JSON, ForeignKey, Index
from sqlalchemy.orm import Mapped, mapped_column

from leaderboard.storage.models import KEY, Base


class InterventionRow(Base):
    """An intervention in a season; `number` counts from 1.

    `entry` is its entry in the ledger. `after` is the id of the newest match that the season had by
    then, 0 if it had none. `entrant` is who was admitted, as a manifest lists an entrant. `lifted`
    is when a bot on probation passed the examination again.
    """

    __tablename__ = "interventions"
    __table_args__ = (Index(None, "version_id"), Index(None, "key"))

    season_id: Mapped[int] = mapped_column(ForeignKey("seasons.id"), primary_key=True)
    number: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    entry: Mapped[int]
    made: Mapped[datetime]
    kind: Mapped[str]
    reason: Mapped[str]
    version_id: Mapped[int | None] = mapped_column(ForeignKey("versions.id"))
    key: Mapped[str | None] = mapped_column(KEY)
    entrant: Mapped[dict[str, Any] | None] = mapped_column(JSON(none_as_null=True))
    after: Mapped[int]
    lifted: Mapped[datetime | None]


class MoveRow(Base):
    """What a bot was called, and whose it was, until it was moved; and what it was moved to."""

    __tablename__ = "moves"
    __table_args__ = (Index(None, "bot_id"), Index(None, "name"))

    id: Mapped[int] = mapped_column(primary_key=True)
    bot_id: Mapped[int] = mapped_column(ForeignKey("bots.id"))
    made: Mapped[datetime]
    name: Mapped[str]
    author: Mapped[str]
    new_name: Mapped[str]
    new_author: Mapped[str]
    reason: Mapped[str]
