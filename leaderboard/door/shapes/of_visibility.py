"""Who sees a tournament's results, for programs."""

from __future__ import annotations

from datetime import datetime

from leaderboard.door.entries import Names
from leaderboard.shapes.base import Shape


class VisibilityShape(Shape):
    """Who sees the results of a tournament; organisers see everything."""

    tournament: str
    """The tournament's name."""
    names: Names
    """Whose names others see: `all`, those of the first places (`top`), or one's `own` alone."""
    top: int | None
    """How many places are told with `top`; null otherwise."""
    frozen: datetime | None
    """From when on new results are hidden; null if none are."""
    sentence: str
    """The same in words."""
