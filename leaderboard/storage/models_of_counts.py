"""The tables of what is counted and added up beside the matches; all of it follows from them."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import BigInteger, ForeignKey, Index, LargeBinary
from sqlalchemy.orm import Mapped, mapped_column

from leaderboard.storage.models import Base


class LegRow(Base):
    """A leg of a season: how many of its `matches` are stored, and when the `newest` was."""

    __tablename__ = "legs"

    season_id: Mapped[int] = mapped_column(ForeignKey("seasons.id"), primary_key=True)
    leg: Mapped[int] = mapped_column(primary_key=True)
    matches: Mapped[int]
    newest: Mapped[datetime]


class ChairSumRow(Base):
    """The chairs of an entrant added up over the matches of a leg.

    `x` and `n` are a match's lead and its games there; alone at a table its score stands for the
    lead. Beside the sum of `x` there are those of `xx`, `xn` and `nn`, their products.
    """

    __tablename__ = "chair_sums"
    __table_args__ = (Index(None, "version_id"),)

    season_id: Mapped[int] = mapped_column(ForeignKey("seasons.id"), primary_key=True)
    version_id: Mapped[int] = mapped_column(ForeignKey("versions.id"), primary_key=True)
    leg: Mapped[int] = mapped_column(primary_key=True)
    seats: Mapped[int] = mapped_column(primary_key=True)
    held: Mapped[str] = mapped_column(primary_key=True)
    matches: Mapped[int]
    games: Mapped[int]
    score: Mapped[int] = mapped_column(BigInteger)
    x: Mapped[float]
    xx: Mapped[float]
    xn: Mapped[float]
    nn: Mapped[float]


class TallyRow(Base):
    """The boards of a tournament added up to the end of its newest season, for the next one."""

    __tablename__ = "tallies"

    tournament_id: Mapped[int] = mapped_column(ForeignKey("tournaments.id"), primary_key=True)
    season_id: Mapped[int] = mapped_column(ForeignKey("seasons.id"))
    data: Mapped[bytes] = mapped_column(LargeBinary)
