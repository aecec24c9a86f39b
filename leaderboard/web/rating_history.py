"""A bot's rating over time: the points of a plot, and the same in a sentence."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from leaderboard.statistics.ratings import Rating
from leaderboard.views import Address, RatingPoint
from leaderboard.web.number_formats import number


@dataclass(frozen=True, slots=True)
class Point:
    """A rating after one match.

    `season` and `new_version` say what started with this match; empty where nothing did.
    """

    address: Address
    version: int
    rating: Rating
    season: str
    new_version: str


@dataclass(frozen=True, slots=True)
class History:
    """A bot in one tournament."""

    tournament: str
    points: tuple[Point, ...]

    @property
    def summary(self) -> str:
        first, last = self.points[0], self.points[-1]
        return (
            f"From {number(first.rating.mu, 1)} after its first match to"
            f" {number(last.rating.mu, 1)} now; its 95 % interval is"
            f" {number(last.rating.low, 1)} to {number(last.rating.high, 1)}"
            f"{', so it is provisional' if last.rating.provisional else ''}."
        )


def history(tournament: str, ratings: Sequence[RatingPoint]) -> History:
    """Prepare ratings, given in playing order, for the page."""
    points = []
    season = version = None
    for point in ratings:
        now = point.address.season
        points.append(
            Point(
                address=point.address,
                version=point.version,
                rating=point.rating,
                season=f"season {now}" if now != season else "",
                new_version=f"v{point.version}" if point.version != version else "",
            )
        )
        season, version = now, point.version
    return History(tournament, tuple(points))
