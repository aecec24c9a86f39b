"""Seasons that are not played, for programs: what the next one of a tournament would be."""

from __future__ import annotations

from datetime import datetime

from leaderboard.shapes.base import Shape, Text
from leaderboard.shapes.of_seasons import Entered


class Plan(Shape):
    """What the next season of a tournament would be."""

    tournament: str
    """The tournament's name."""
    season: int
    """The number that the season would have."""
    game: str
    """The game."""
    due: datetime | None
    """When it is due; null without a date."""
    start: Text
    """When it begins, in words; of use where it has no date."""
    playing: tuple[Entered, ...]
    """Who would play."""
    sits_out: tuple[Entered, ...]
    """Who would not, each with the reason."""
    references: tuple[Entered, ...]
    """The bots that its format needs beside them."""
    trouble: Text
    """Why it can't begin; empty if it can."""
    matches: int | None
    """How many matches it would have; null if nobody can say."""
    at_most: bool
    """Whether that is an upper bound."""
    games: int
    """How many games a match has."""
    duration: Text
    """How long it would take, in words."""
