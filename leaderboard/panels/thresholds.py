"""Thresholds: how far each bot is from marks that were fixed before it played."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Literal

from leaderboard.panels.base import Panel
from leaderboard.panels.cross_table import Cell

Reached = Literal["surely", "perhaps", "no"]
"""Whether the whole 95 % interval is at or above the mark, some of it, or nothing."""


@dataclass(frozen=True, slots=True)
class Mark:
    """A threshold: `value` points a game over all references, or over one `reference`."""

    title: str
    value: float
    reference: int | None = None


@dataclass(frozen=True, slots=True)
class Line:
    """A bot's mean lead over all references and over each, and which marks it reached.

    `against` and `reached` are in the order of the panel's references and marks.
    """

    version: int
    lead: Cell
    against: tuple[Cell | None, ...]
    reached: tuple[Reached, ...]


@dataclass(frozen=True, slots=True)
class Thresholds(Panel):
    """What each bot's mean lead against fixed reference bots is, beside fixed marks.

    `before` is how many of all boards earlier seasons had.
    """

    kind: ClassVar[str] = "thresholds"

    references: tuple[int, ...]
    marks: tuple[Mark, ...]
    lines: tuple[Line, ...]
    before: int = 0


def reached(lead: Cell | None, value: float) -> Reached:
    """Say how surely a lead is at or above a value; without an interval nothing is sure."""
    _, mean, reach = lead or (0, 0.0, None)
    if reach is None:
        return "perhaps"
    if mean - reach >= value:
        return "surely"
    return "perhaps" if mean + reach >= value else "no"
