"""How often comparisons are wrong, and how many boards they take, over leads of real boards.

Boards are drawn again and again from those that house bots have played (`leads.py`), moved so that
the mean lead is 0, or a part of a standard deviation. Whatever is measured is the arena's own code.
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

from ratings.sequential import CAP, GAIN, NO_WORSE, Leads, SequentialTest, interval
from tests.bench.leads import KEPT

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
"""Leads are whole numbers, so sums are exact; a shift is rounded to this part of a point."""


@dataclass(frozen=True, slots=True)
class Spread:
    """How often each lead came on real boards, moved to a mean of 0, in whole numbers."""

    title: str
    leads: tuple[int, ...]
    weights: tuple[int, ...]

    @classmethod
    def of(cls, title: str, counts: Mapping[str, int]) -> Spread:
        """Move the leads that were kept."""
        boards = sum(counts.values())
        found = {Fraction(lead): times for lead, times in counts.items()}
        mean = sum(lead * times for lead, times in found.items()) / boards
        unit = lcm(boards, *(lead.denominator for lead in found)) * FINE
        leads = tuple(int((lead - mean) * unit) for lead in found)
        return cls(title, leads, tuple(found.values()))

    @property
    def sums(self) -> Leads:
        """The real boards."""
        return Leads.of(
            lead for lead, times in zip(self.leads, self.weights, strict=True) for _ in range(times)
        )

    def moved(self, effect: float) -> Spread:
        """The same with a mean lead of so many standard deviations."""
        shift = round(effect * self.sums.deviation)
        return Spread(self.title, tuple(lead + shift for lead in self.leads), self.weights)

    def draw(self, rng: random.Random) -> Iterator[Leads]:
        """Boards drawn again, with all sums after each."""
        cumulated = list(accumulate(self.weights))
        n = total = squares = cubes = 0
        while True:
            for lead in rng.choices(self.leads, cum_weights=cumulated, k=50):
                n += 1
                square = lead * lead
                total, squares, cubes = total + lead, squares + square, cubes + square * lead
                yield Leads(n, total, squares, cubes)


def spreads() -> list[Spread]:
    """The leads of every pair that was kept."""
    return [Spread.of(title, counts) for title, counts in json.loads(KEPT.read_text()).items()]


def ended(spread: Spread, test: SequentialTest, runs: int) -> tuple[Mapping[str, float], float]:
    """The shares of the verdicts of a test, and the mean number of boards that it took."""
    rng = random.Random(f"{spread.title} {test.low}")
    found = {"above": 0, "below": 0, "undecided": 0}
    boards = 0
    for _ in range(runs):
        for leads in spread.draw(rng):
            if verdict := test.verdict(leads):
                found[verdict] += 1
                boards += leads.boards
                break
    return {verdict: times / runs for verdict, times in found.items()}, boards / runs


def left(spread: Spread, runs: int, cap: int = CAP) -> float:
    """The share of runs in which the interval is without 0 at any board up to the cap."""
    rng = random.Random(spread.title)
    wrong = 0
    for _ in range(runs):
        for leads in spread.draw(rng):
            if (between := interval(leads)) and not between[0] <= 0 <= between[1]:
                wrong += 1
                break
            if leads.boards >= cap:
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
