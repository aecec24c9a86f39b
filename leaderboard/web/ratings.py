"""A bot's rating over time: the points of a plot, and the same in a sentence."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from leaderboard.bots import RatingPoint
from leaderboard.matches import Address
from leaderboard.shapes.base import RatingShape
from leaderboard.standings import SeasonTable, Standing
from leaderboard.tournaments import Leader, TournamentLine
from leaderboard.web.filters import number
from ratings.certainty import Certainty


@dataclass(frozen=True, slots=True)
class Point:
    """A rating after one match.

    `season` and `new_version` say what started with this match; empty where nothing did.
    """

    match: Address
    version: int
    rating: RatingShape
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
        now = point.match.season
        points.append(
            Point(
                match=point.match,
                version=point.version,
                rating=point.rating,
                season=f"season {now}" if now != season else "",
                new_version=f"v{point.version}" if point.version != version else "",
            )
        )
        season, version = now, point.version
    return History(tournament, tuple(points))


@dataclass(frozen=True, slots=True)
class GameLeader:
    """The leader of a season with `field` bots; several bots where they have the same points.

    `chance` is how likely the leader is the best of that season, None where too little was played
    to say. `rivals` are the other bots that may be first.
    """

    bots: tuple[Standing, ...]
    field: int
    chance: float | None
    rivals: tuple[Standing, ...]


def game_leader(table: SeasonTable, sure: Certainty | None) -> GameLeader:
    """The leader of a season, by its standings."""
    first = tuple(line for line in table.standings if line.rank == 1)
    playing = [line for line in table.standings if not line.sits_out]
    chance = None
    rivals: list[Standing] = []
    if sure is not None and sure.best is not None:
        chance = sum(sure.best[line.version_id] for line in first) if len(first) == 1 else None
        rivals = [
            line
            for line in playing
            if line.version_id in sure.values  # who left before a leg was over has no points
            and line not in first
            and sure.places(line.version_id)[0] == 1
        ]
    return GameLeader(first, len(playing), chance, tuple(rivals))


def deciding_tournaments(
    tournaments: Iterable[TournamentLine], leaders: Mapping[str, Sequence[Leader]]
) -> tuple[TournamentLine, ...]:
    """For every game the tournament whose newest season decides who leads it.

    It is the one that began last among those in which somebody has points; a rated one goes before
    an unrated one. Games come in the order of their names.
    """
    found: dict[str, TournamentLine] = {}
    for line in sorted(tournaments, key=lambda line: not line.rated):
        if leaders.get(line.name):
            found.setdefault(line.game, line)
    return tuple(found[name] for name in sorted(found))
