"""Ratings after every match, and a check that they follow from the matches."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from sqlalchemy import select

from leaderboard.differences import Difference
from leaderboard.statistics.ratings import Rating
from leaderboard.storage import rating_cache
from leaderboard.storage.models import TournamentRow
from leaderboard.storage.repository import Repository


class RatingRepository(Repository):
    """The ratings of a tournament, stored beside its matches."""

    def refresh_ratings(self, tournament: str) -> None:
        """Rate the matches that are not rated yet, by a fold over all seasons in key order."""
        with self.database.writing() as session:
            owner = session.scalar(
                select(TournamentRow).where(TournamentRow.name == tournament).with_for_update()
            )
            if owner is not None:
                rating_cache.refresh(session, owner.id)

    def refresh_all_ratings(self) -> None:
        """Rate the matches of all tournaments that are not rated yet, such as a migration left."""
        with self.database.reading() as session:
            names = session.scalars(select(TournamentRow.name).order_by(TournamentRow.id)).all()
        for name in names:
            self.refresh_ratings(name)

    def ratings_before(self, tournament: str, number: int) -> Mapping[int, Rating]:
        """The ratings of a tournament's versions when this season of it began."""
        with self.database.reading() as session:
            query = select(TournamentRow.id).where(TournamentRow.name == tournament)
            tournament_id = session.scalar(query)
            return (
                {} if tournament_id is None else rating_cache.before(session, tournament_id, number)
            )

    def check_ratings(self, tournament: str) -> Sequence[Difference]:
        """Fold all seasons again and return the stored ratings that differ.

        A match that is not rated yet counts as a difference.
        """
        with self.database.reading() as session:
            query = select(TournamentRow.id).where(TournamentRow.name == tournament)
            tournament_id = session.scalar(query)
            if tournament_id is None:
                return []
            return [
                Difference(cell.where, "rating", cell.stored, cell.derived)
                for cell in rating_cache.cells(session, tournament_id)
                if cell.stored != cell.derived
            ]
