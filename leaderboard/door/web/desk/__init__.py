"""The organiser's desk."""

from leaderboard.door.web.desk import (
    bots,
    home,
    limits,
    log,
    messages,
    roster,
    seasons,
    sheets,
    tournaments,
)
from leaderboard.door.web.desk.blueprint import blueprint

__all__ = [
    "blueprint",
    "bots",
    "home",
    "limits",
    "log",
    "messages",
    "roster",
    "seasons",
    "sheets",
    "tournaments",
]
