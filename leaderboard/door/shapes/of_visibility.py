"""Who sees a tournament's results, for programs."""

from __future__ import annotations

from datetime import datetime

from leaderboard.door.entries import Names, Visibility
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


def visibility(found: Visibility, zone: str) -> VisibilityShape:
    """Who sees a tournament's results; the sentence is for people who live in this time zone."""
    facts = {name: getattr(found, name) for name in ("tournament", "names", "top", "frozen")}
    return VisibilityShape(**facts, sentence=found.sentence(zone))
