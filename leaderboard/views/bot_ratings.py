"""The ratings of a bot's versions, match by match."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import groupby
from typing import TypeVar

from sqlalchemy import select
from sqlalchemy.orm import Session

from leaderboard.statistics.ratings import Rating
from leaderboard.storage.models import MatchRow, SeasonRow, SeatRow, TournamentRow
from leaderboard.views.addresses import COLUMNS, Address, address

Row = TypeVar("Row")

LINE = 400
"""The most points in a line of ratings; each tournament has a line."""


@dataclass(frozen=True, slots=True)
class RatingPoint:
    """The rating of one of the bot's versions after the match at this address."""

    address: Address
    stored: datetime
    version: int
    rating: Rating


def bot_ratings(
    session: Session, numbers: Mapping[int, int]
) -> Mapping[str, tuple[RatingPoint, ...]]:
    """A line of points per tournament, in playing order; `numbers` are the versions by id."""
    rows = session.execute(
        select(*COLUMNS, MatchRow.stored, SeatRow.version_id, SeatRow.mu, SeatRow.sigma)
        .join(MatchRow, MatchRow.id == SeatRow.match_id)
        .join(SeasonRow, SeasonRow.id == MatchRow.season_id)
        .join(TournamentRow, TournamentRow.id == SeasonRow.tournament_id)
        .where(SeatRow.version_id.in_(numbers), SeatRow.mu.is_not(None))
        .order_by(TournamentRow.name, SeasonRow.number, MatchRow.key)
    )
    return {
        tournament: tuple(
            RatingPoint(
                address(row), row.stored, numbers[row.version_id], Rating(row.mu, row.sigma)
            )
            for row in _thinned(list(group))
        )
        for tournament, group in groupby(rows, key=lambda row: row.name)
    }


def _thinned(rows: Sequence[Row]) -> Sequence[Row]:
    """Every nth item of a long list, counted from its end, so that the newest is kept."""
    step = -(-len(rows) // LINE)
    return rows[(len(rows) - 1) % step :: step]
