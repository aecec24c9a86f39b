"""The heading of one stage of a season: what is played in it, and who goes on."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from leaderboard.panels.base import Panel


@dataclass(frozen=True, slots=True)
class Stage(Panel):
    """One stage that has begun; the pictures that follow are its own.

    `title` is the name of its format. `best` is how many of it go on, None in the last stage.
    `going_on` are those that do, the best first: nobody until the stage is over.
    """

    kind: ClassVar[str] = "stage"

    number: int
    stages: int
    title: str
    players: int
    best: int | None
    going_on: tuple[int, ...]
