"""Who met whom, round by round."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from leaderboard.panels.base import Panel


@dataclass(frozen=True, slots=True)
class Met:
    """One match of one version: the `others` at its table, and what it came to.

    `points` are 1 for a win, 1/2 for a draw and 0 for a defeat; at a table of several opponents,
    the share of them that finished behind, those level counting half. `lead` is in points a game. A
    version that sat the round out has no `key` and no `others`.
    """

    round: int
    key: str
    others: tuple[int, ...]
    points: float
    lead: float


@dataclass(frozen=True, slots=True)
class RoundsLine:
    """The matches of one version, with the points they add up to and the opponents' points."""

    version: int
    points: float
    buchholz: float
    matches: tuple[Met, ...]


@dataclass(frozen=True, slots=True)
class Rounds(Panel):
    """A line for every version, the best first, with a cell for every round that it has played.

    `rounds` is how many there will be, `seats` how many bots sit at a table.
    """

    kind: ClassVar[str] = "rounds"

    rounds: int
    seats: int
    lines: tuple[RoundsLine, ...]
