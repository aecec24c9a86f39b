"""Standings, for programs."""

from __future__ import annotations

from leaderboard.shapes.base import Shape
from leaderboard.shapes.seasons import Coming, Entered, Season, season
from leaderboard.standings import SeasonTable, Standing


class Standings(Shape):
    """A season and its standings."""

    season: Season
    """The season."""
    leans: bool
    """Whether intervals reach further to one side: results decided who met whom."""
    standings: tuple[Standing, ...]
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


def standings(table: SeasonTable) -> Standings:
    """A season's standings for programs."""
    return Standings(season=season(table.season), leans=table.leans, standings=table.standings)
