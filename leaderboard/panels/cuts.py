"""The stages of a season that cuts its field: who stayed, by how much, and how sure that is."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Literal

from leaderboard.panels.base import Panel

Fate = Literal["stays", "spared", "out", "open"]
"""What became of a version at a cut. `spared` is below the line, but too close to it to be cut."""


@dataclass(frozen=True, slots=True)
class Against:
    """One version at a cut, compared with the version on the line.

    `lead` is how far it is above the line in points a game, with its 95 % interval from `low` to
    `high`; they are None while there are too few boards to tell. `boards` counts those it has
    played so far.
    """

    version: int
    lead: float | None
    low: float | None
    high: float | None
    boards: int
    fate: Fate


@dataclass(frozen=True, slots=True)
class Stage:
    """One stage, its versions in the order of their strengths.

    The version on the line is the last of the `places` that are kept, or in the last stage the
    leader. A stage that is not `over` shows how things stand, and every fate in it is open.
    """

    number: int
    places: int
    matches: int
    over: bool
    versions: tuple[Against, ...]


@dataclass(frozen=True, slots=True)
class Cuts(Panel):
    """All stages so far, out of `planned`.

    A version below the line is spared if it is at most `margin` standard errors below it.
    """

    kind: ClassVar[str] = "cuts"

    planned: int
    margin: float
    stages: tuple[Stage, ...]
