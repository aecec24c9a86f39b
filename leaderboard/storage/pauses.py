"""Tournaments that are paused: nothing of them begins until somebody lets them go on."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from sqlalchemy import select
from sqlalchemy.orm import Session

from leaderboard.storage.curtain import NOT_TOLD, curtain_of
from leaderboard.storage.database import StoreError
from leaderboard.storage.ledger import append
from leaderboard.storage.models import SeasonRow, TournamentRow
from leaderboard.storage.reasons import checked_reason
from leaderboard.storage.repository import Repository


class PauseRepository(Repository):
    """Pausing tournaments and letting them go on."""

    def pause(self, tournament: str, reason: str) -> None:
        """Let nothing new of a tournament begin; its matches under way have come home.

        Raises `StoreError` for a tournament that is unknown, and without a reason.
        """
        reason = checked_reason(reason)
        with self.database.writing() as session:
            owner = _owner(session, tournament)
            if owner.paused != reason:
                owner.paused = reason
                _tell(session, owner, "pause", reason=reason)

    def resume(self, tournament: str) -> bool:
        """Let a paused tournament go on; False if it was not paused. Raises `StoreError`."""
        with self.database.writing() as session:
            owner = _owner(session, tournament)
            if owner.paused is None:
                return False
            owner.paused = None
            _tell(session, owner, "resume")
            return True

    def paused(self) -> Mapping[str, str]:
        """The tournaments that are paused, each with the reason, if a reader may see all names."""
        with self.database.reading() as session:
            rows = session.execute(
                select(TournamentRow.name, TournamentRow.paused).where(
                    TournamentRow.paused.is_not(None)
                )
            )
            curtain = curtain_of(session)
            return {
                name: NOT_TOLD if curtain.masks(name) else reason or "" for name, reason in rows
            }


def _owner(session: Session, tournament: str) -> TournamentRow:
    query = select(TournamentRow).where(TournamentRow.name == tournament).with_for_update()
    found = session.scalar(query)
    if found is None:
        raise StoreError(f"nothing is stored of a tournament {tournament[:80]!r}")
    return found


def _tell(session: Session, owner: TournamentRow, kind: Any, **facts: object) -> None:
    """Tell of a pause or its end in the season that is being played, or in the last one."""
    newest = session.scalar(
        select(SeasonRow)
        .where(SeasonRow.tournament_id == owner.id)
        .order_by(SeasonRow.finished.is_not(None), SeasonRow.number.desc())
        .limit(1)
    )
    if newest is not None:
        append(session, owner.id, kind, newest.number, **facts)
