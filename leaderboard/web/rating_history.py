"""A bot's rating over time: the points of a plot, and the same in a sentence."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from leaderboard.views import Address, RatingPoint
from leaderboard.web.number_formats import number


@dataclass(frozen=True, slots=True)
class Point:
    """A rating after one match: `low` is mu - 3 sigma, what is shown, `high` mu + 3 sigma.

    `season` and `new_version` say what began with it, nothing where all went on.
    """

    address: Address
    version: int
    low: float
    mu: float
    high: float
    season: str
    new_version: str


@dataclass(frozen=True, slots=True)
class History:
    """A bot in one tournament."""

    tournament: str
    points: tuple[Point, ...]

    @property
    def summary(self) -> str:
        """The line in words."""
        first, last = self.points[0], self.points[-1]
        best = max(self.points, key=lambda point: point.low)
        return (
            f"From {number(first.low, 1)} after its first table to {number(last.low, 1)} now"
            f" (mu {number(last.mu, 1)} ± {number((last.mu - last.low) / 3, 1)}),"
            f" at best {number(best.low, 1)}."
        )


def history(tournament: str, ratings: Sequence[RatingPoint]) -> History:
    """Prepare ratings, in playing order, for the page."""
    points = []
    season = version = None
    for rating in ratings:
        now = rating.address.season
        points.append(
            Point(
                address=rating.address,
                version=rating.version,
                low=rating.mu - 3 * rating.sigma,
                mu=rating.mu,
                high=rating.mu + 3 * rating.sigma,
                season=f"season {now}" if now != season else "",
                new_version=f"v{rating.version}" if rating.version != version else "",
            )
        )
        season, version = now, rating.version
    return History(tournament, tuple(points))
