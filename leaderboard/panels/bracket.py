"""The tree of a knockout, round by round."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Literal

from leaderboard.panels.base import Panel

Ended = Literal["", "sure", "cap", "boards", "bye", "left"]
"""Why a tie ended: the better ones are sure; undecided when the boards had run out, so that the
higher seeds go on; all boards of a fixed number are played; there was nobody to meet; a player had
left. Empty while it is played.
"""


@dataclass(frozen=True, slots=True)
class BracketSeat:
    """One version in a tie.

    `lead` is by how much its score is above the mean of its opponents', in points a game, with the
    interval from `low` to `high` that holds whenever a tie ends; None below 30 boards. `goes_on` is
    None while that is open.
    """

    version: int
    seed: int
    lead: float
    low: float | None
    high: float | None
    goes_on: bool | None


@dataclass(frozen=True, slots=True)
class BracketTie:
    """One tie: who plays, the best seed first, how many `boards` they have played of at most
    `most`, and why it ended. A bye has one seat, and no number and no boards.
    """

    number: int
    seats: tuple[BracketSeat, ...]
    boards: int
    most: int
    ended: Ended


@dataclass(frozen=True, slots=True)
class BracketRound:
    """One round: its ties from the top of the tree to the bottom.

    `leg` is its number, counted from 1; `going_on` is how many bots it leaves.
    """

    leg: int
    title: str
    going_on: int
    ties: tuple[BracketTie, ...]


@dataclass(frozen=True, slots=True)
class Bracket(Panel):
    """The rounds that have been drawn, and the titles and ties of those to come.

    `seats` is how many bots play a tie. `stops` says whether a tie ends as soon as it is sure.
    """

    kind: ClassVar[str] = "bracket"

    seats: int
    stops: bool
    rounds: tuple[BracketRound, ...]
    ahead: tuple[tuple[str, int], ...]
