"""Standings, for programs."""

from __future__ import annotations

from leaderboard.shapes.base import Figure, RatingShape, Shape, Text
from leaderboard.shapes.of_seasons import Coming, Entered, Season, season
from leaderboard.statistics.certainty import Certainty
from leaderboard.views import Figures, SeasonTable, Standing


class TieBreak(Shape):
    """A figure that parts bots with equal points."""

    title: Text
    """What it is called."""
    value: float
    """The figure."""


class StandingShape(Shape):
    """One version's line in the standings."""

    rank: int | None
    """Its place, 1 the best; null if it has none yet."""
    bot: Text
    """The bot's name."""
    version: int
    """The number of its version."""
    author: Text
    """Its author."""
    language: Text
    """Its language."""
    points: float | None
    """Its points in the season."""
    interval: Figure | None
    """The points with their 95 % interval; null where nothing can be said of them."""
    best: int | None
    """The best place that it might have with other cards (95 %)."""
    worst: int | None
    """The worst place that it might have."""
    chance: float | None
    """The probability that it is truly the best of all, from 0 to 1."""
    less_luck: Figure | None
    """Its lead without the luck with the cards; null where luck is not counted."""
    tie_breaks: tuple[TieBreak, ...]
    """What parts it from others with the same points, the weightiest first."""
    rating: RatingShape | None
    """Its rating; null without rated matches."""
    rating_rank: int | None
    """Its place by rating, 1 the best."""
    matches: int
    """How many matches it has played."""
    struck_out: int
    """In how many of them it was struck out."""
    hands: int
    """How many hands it was dealt."""
    decisions: int
    """How many questions it was asked."""
    faults: int
    """How many of its answers were faults."""
    forgiven: int
    """How many of these the tournament forgives: they count for nothing."""
    slowest: int
    """Its longest answer, in microseconds."""
    group: int | None
    """Ratings can be compared within a group; null before it has played."""
    sits_out: Text
    """Why it does not play; empty if it does."""


class Standings(Shape):
    """A season and its standings."""

    season: Season
    """The season."""
    leans: bool
    """Whether intervals reach further to one side: results decided who met whom."""
    standings: tuple[StandingShape, ...]
    """The entrants, the best first; those that sit out come last."""


class NotStarted(Shape):
    """A tournament that was never played, as it is announced."""

    coming: Coming
    """Its first season."""
    entered: tuple[Entered, ...]
    """The bots entered in it."""


class AllStandings(Shape):
    """The standings of several tournaments."""

    played: tuple[Standings, ...]
    """The newest season of each, or the one that was asked for."""
    announced: tuple[NotStarted, ...]
    """Those that were never played."""


def standings(table: SeasonTable, figures: Figures) -> Standings:
    """A season's standings for programs, with what the stored matches say about them."""
    lines = tuple(_line(line, figures) for line in table.standings)
    leans = figures.points is not None and figures.points.leans
    return Standings(season=season(table.season), leans=leans, standings=lines)


def _line(line: Standing, figures: Figures) -> StandingShape:
    points = _known(figures.points, line.version_id)
    sure = _known(figures.sure, line.version_id)
    interval = points.estimate(line.version_id) if points else None
    best, worst = sure.places(line.version_id) if sure else (None, None)
    chances = sure.best if sure else None
    luck = figures.less_luck.get(line.version_id)
    taken = {name: getattr(line, name) for name in StandingShape.model_fields if name in TAKEN}
    return StandingShape(
        interval=Figure.model_validate(interval) if interval else None,
        best=best if chances else None,
        worst=worst if chances else None,
        chance=chances[line.version_id] if chances else None,
        less_luck=Figure.model_validate(luck) if luck else None,
        tie_breaks=tuple(TieBreak(title=title, value=value) for title, value in line.tie_breaks),
        rating=RatingShape.model_validate(line.rating) if line.rating else None,
        **taken,
    )


TAKEN = frozenset(Standing.__slots__) - {"tie_breaks", "rating"}
"""The fields of a line that programs read as they are."""


def _known(found: Certainty | None, version: int) -> Certainty | None:
    """What is known of the points, if it says anything about this version."""
    return found if found is not None and version in found.values else None
