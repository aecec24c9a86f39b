"""The tables of what is published of seasons: their manifests, and the ledgers of tournaments."""

from __future__ import annotations

from sqlalchemy import ForeignKey, Index
from sqlalchemy import text as condition
from sqlalchemy.orm import Mapped, mapped_column

from leaderboard.storage.models import Base

TOLD_ONCE = "kind IN ('announce', 'begin', 'unshown', 'value', 'finish')"
"""Which entries a season has once at most."""


class ManifestRow(Base):
    """A season's manifest, exactly as it is hashed."""

    __tablename__ = "manifests"

    season_id: Mapped[int] = mapped_column(ForeignKey("seasons.id"), primary_key=True)
    text: Mapped[str]


class LedgerRow(Base):
    """An entry of a tournament's ledger, exactly as it is hashed; `season` and `kind` find it."""

    __tablename__ = "ledger"
    __table_args__ = (
        Index("ix_ledger_season", "tournament_id", "season", "kind"),
        Index(
            "ix_ledger_once",
            *("tournament_id", "season", "kind"),
            unique=True,
            sqlite_where=condition(TOLD_ONCE),
            postgresql_where=condition(TOLD_ONCE),
        ),
    )

    tournament_id: Mapped[int] = mapped_column(ForeignKey("tournaments.id"), primary_key=True)
    number: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    season: Mapped[int]
    kind: Mapped[str]
    text: Mapped[str]
