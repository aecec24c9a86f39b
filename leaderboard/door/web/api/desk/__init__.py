"""The organiser's desk for programs: every address needs an organiser's token that may `manage`."""

from leaderboard.door.web.api.desk import (
    limits,
    log,
    messages,
    orders,
    people,
    sheets,
    students,
    teams,
    tournaments,
    uploads,
)

__all__ = [
    "limits",
    "log",
    "messages",
    "orders",
    "people",
    "sheets",
    "students",
    "teams",
    "tournaments",
    "uploads",
]
