"""The ratings of a bot's versions, match by match."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import groupby

from sqlalchemy import func, or_, select
from sqlalchemy.orm import Session

from leaderboard.statistics.ratings import Rating
from leaderboard.storage.curtain import curtain_of
from leaderboard.storage.models import MatchRow, SeasonRow, SeatRow, TournamentRow
from leaderboard.views.addresses import COLUMNS, Address, address

LINE = 100
"""The most points in a line of ratings, but for its first; each tournament has a line."""


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
        .where(
            SeatRow.version_id.in_(numbers),
            SeatRow.match_id.in_(_chosen(session, numbers)),
            SeatRow.mu.is_not(None),
        )
        .order_by(TournamentRow.name, SeasonRow.number, MatchRow.key)
    )
    return {
        tournament: tuple(
            RatingPoint(
                address(row), row.stored, numbers[row.version_id], Rating(row.mu, row.sigma)
            )
            for row in group
        )
        for tournament, group in groupby(rows, key=lambda row: row.name)
    }


def _chosen(session: Session, numbers: Mapping[int, int]) -> Sequence[int]:
    """Every nth match of each tournament, counted from the newest, and the first of all.

    They are chosen by an index alone, so that what isn't shown isn't read.
    """
    backwards = func.row_number().over(
        partition_by=SeasonRow.tournament_id, order_by=SeatRow.match_id.desc()
    )
    count = func.count().over(partition_by=SeasonRow.tournament_id)
    played = (
        select(SeatRow.match_id, (backwards - 1).label("number"), count.label("count"))
        .join(SeasonRow, SeasonRow.id == SeatRow.season_id)
        .where(
            SeatRow.version_id.in_(numbers),
            SeasonRow.rated,
            # a rating follows from all that is played, also from what is hidden
            SeasonRow.id.not_in([*curtain_of(session).frozen]),
        )
        .subquery()
    ).c
    step = (played.count + LINE - 1) // LINE
    shown = or_(played.number % step == 0, played.number == played.count - 1)
    return session.scalars(select(played.match_id).where(shown)).all()
