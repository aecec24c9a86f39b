"""How often comparisons are wrong, and how many boards they take, over margins of real boards.

Boards are drawn again and again from those that house bots have played (`margins.py`), moved so
that the mean margin is 0, or a part of a standard deviation. Whatever is measured is the arena's
own code.
"""

from __future__ import annotations

import json
import random
from collections.abc import Iterator, Mapping
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from fractions import Fraction
from itertools import accumulate
from math import lcm

from card_arena.ratings.sequential import CAP, GAIN, NO_WORSE, Margins, SequentialTest, interval
from card_arena.tests.bench.margins import KEPT

HEADINGS = (
    "boards of",
    "skewness",
    "gain: wrong at 0",
    "no-worse: wrong at 0",
    "gain: missed at .1",
    "boards at 0",
    "at .1",
    "at .2",
    "interval: wrong by 4,000",
)
RUNS = 1000
FINE = 1000
"""Margins are whole numbers, so sums are exact; a shift is rounded to this part of a point."""


@dataclass(frozen=True, slots=True)
class Spread:
    """How often each margin came on real boards, moved to a mean of 0, in whole numbers."""

    title: str
    margins: tuple[int, ...]
    weights: tuple[int, ...]

    @classmethod
    def of(cls, title: str, counts: Mapping[str, int]) -> Spread:
        """Move the margins that were kept."""
        boards = sum(counts.values())
        found = {Fraction(margin): times for margin, times in counts.items()}
        mean = sum(margin * times for margin, times in found.items()) / boards
        unit = lcm(boards, *(margin.denominator for margin in found)) * FINE
        margins = tuple(int((margin - mean) * unit) for margin in found)
        return cls(title, margins, tuple(found.values()))

    @property
    def sums(self) -> Margins:
        """The real boards."""
        return Margins.of(
            margin
            for margin, times in zip(self.margins, self.weights, strict=True)
            for _ in range(times)
        )

    def moved(self, effect: float) -> Spread:
        """The same with a mean margin of so many standard deviations."""
        shift = round(effect * self.sums.deviation)
        return Spread(self.title, tuple(margin + shift for margin in self.margins), self.weights)

    def draw(self, rng: random.Random) -> Iterator[Margins]:
        """Boards drawn again, with all sums after each."""
        cumulated = list(accumulate(self.weights))
        n = total = squares = cubes = 0
        while True:
            for margin in rng.choices(self.margins, cum_weights=cumulated, k=50):
                n += 1
                square = margin * margin
                total, squares, cubes = total + margin, squares + square, cubes + square * margin
                yield Margins(n, total, squares, cubes)


def spreads() -> list[Spread]:
    """The margins of every pair that was kept."""
    return [Spread.of(title, counts) for title, counts in json.loads(KEPT.read_text()).items()]


def ended(spread: Spread, test: SequentialTest, runs: int) -> tuple[Mapping[str, float], float]:
    """The shares of the verdicts of a test, and the mean number of boards that it took."""
    rng = random.Random(f"{spread.title} {test.low}")
    found = {"above": 0, "below": 0, "undecided": 0}
    boards = 0
    for _ in range(runs):
        for margins in spread.draw(rng):
            if verdict := test.verdict(margins):
                found[verdict] += 1
                boards += margins.boards
                break
    return {verdict: times / runs for verdict, times in found.items()}, boards / runs


def left(spread: Spread, runs: int, cap: int = CAP) -> float:
    """The share of runs in which the interval is without 0 at any board up to the cap."""
    rng = random.Random(spread.title)
    wrong = 0
    for _ in range(runs):
        for margins in spread.draw(rng):
            if (between := interval(margins)) and not between[0] <= 0 <= between[1]:
                wrong += 1
                break
            if margins.boards >= cap:
                break
    return wrong / runs


def comparing_rows(runs: int = RUNS) -> Iterator[tuple[str, ...]]:
    """A row for each pair of bots whose boards were kept."""
    with ProcessPoolExecutor() as pool:
        yield from pool.map(_row, spreads(), [runs] * len(spreads()))


def _row(spread: Spread, runs: int) -> tuple[str, ...]:
    gain, none = ended(spread, GAIN, runs)
    worse, _ = ended(spread, NO_WORSE, runs)
    missed, small = ended(spread.moved(0.1), GAIN, runs)
    _, large = ended(spread.moved(0.2), GAIN, runs)
    return (
        spread.title,
        f"{spread.sums.skewness:+.1f}",
        f"{gain['above']:.1%}",
        f"{worse['below']:.1%}",
        f"{missed['below'] + missed['undecided']:.1%}",
        f"{none:.0f}",
        f"{small:.0f}",
        f"{large:.0f}",
        f"{left(spread, runs):.1%}",
    )
