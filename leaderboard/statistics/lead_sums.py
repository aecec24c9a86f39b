"""Sums over boards: of a table's composition, of two versions' leads, of what strike-outs cost."""

from __future__ import annotations

import math
from dataclasses import dataclass, field

from leaderboard.statistics.intervals import FEWEST, Estimate, student


@dataclass(slots=True)
class BoardsOfTable:
    """All boards of one composition: how many, and sums of scores and of products of two scores.

    `penalties` are sums of what strike-outs cost each entrant, and `squares` of their squares.
    """

    boards: int
    scores: list[int]
    products: list[list[int]]
    penalties: list[int]
    squares: list[int]

    @classmethod
    def none(cls, size: int) -> BoardsOfTable:
        """No boards of a table of so many entrants."""
        return cls(0, [0] * size, [[0] * size for _ in range(size)], [0] * size, [0] * size)

    def copy(self) -> BoardsOfTable:
        """The same sums, to be changed apart."""
        return BoardsOfTable(
            self.boards,
            [*self.scores],
            [*map(list, self.products)],
            [*self.penalties],
            [*self.squares],
        )


@dataclass(frozen=True, slots=True)
class PairLead:
    """What two versions' common boards show: the mean lead a game of the first, and its error."""

    boards: int
    lead: float
    error: float | None

    @property
    def estimate(self) -> Estimate | None:
        """The lead with its 95 % interval, Student's; None with too few boards (ratings g.6)."""
        if self.error is None or self.boards < FEWEST:
            return None
        reach = student(self.boards - 1) * self.error
        return Estimate(self.lead, self.lead - reach, self.lead + reach, self.boards)


@dataclass(slots=True)
class Loss:
    """What strike-outs cost a version on some boards, in points a game: the sum, and of squares."""

    boards: int = 0
    total: float = 0.0
    squares: float = 0.0

    def add(self, sums: BoardsOfTable, place: int, games: int) -> None:
        """Add the boards of a composition in which the version has this place."""
        self.boards += sums.boards
        if sums.squares[place]:
            self.total += sums.penalties[place] / games
            self.squares += sums.squares[place] / games**2

    @property
    def mean(self) -> float:
        """The mean loss a game."""
        return self.total / self.boards if self.total else 0.0

    @property
    def variance(self) -> float:
        """The variance of that mean."""
        return _variance(self.boards, self.mean, self.squares) if self.total else 0.0


@dataclass(slots=True)
class PairSums:
    """Two versions' common boards: the first one's lead summed up, its squares, and both losses."""

    boards: int = 0
    lead: float = 0.0
    squares: float = 0.0
    own_loss: Loss = field(default_factory=Loss)
    other_loss: Loss = field(default_factory=Loss)

    def lead_of_first(self) -> PairLead:
        """The mean lead of the first with its error, less what strike-outs cost each."""
        mean = self.lead / self.boards
        lead = mean - self.own_loss.mean + self.other_loss.mean
        if self.boards < 2:
            return PairLead(self.boards, lead, None)
        variance = _variance(self.boards, mean, self.squares)
        variance += self.own_loss.variance + self.other_loss.variance
        return PairLead(self.boards, lead, math.sqrt(variance))


def _variance(count: int, mean: float, squares: float) -> float:
    """The variance of a mean, given the sum of the squares that it is the mean of."""
    return max(0.0, squares - count * mean**2) / (max(1, count - 1) * count)
