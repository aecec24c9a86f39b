"""Whether a bot treats one opponent better than the others in like positions.

Each observation is one decision: who treated whom, in which position, and how much it spared or
gave. Decisions are compared only with those of the same bot in the same stratum. The error is
clustered by table, since decisions of one table share their cards and their events.
docs/collusion.md has the method in words, its power and its false alarms, and the commands that
measured them.
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from statistics import median
from typing import NamedTuple

ALPHA = 0.05
"""The chance that a field of honest bots has any finding at all."""

FEWEST_TABLES = 6
"""Common tables below which a pair is not judged."""

FEWEST_PAIRS = 6
"""Pairs without a given pair below which their spread is not taken into account."""

Pair = tuple[int, int]
"""Two players, the smaller number first."""

MEDIAN = 0.6744898
"""The median of a normal variable's distance from its mean, in standard deviations."""


class Observation(NamedTuple):
    """A decision at a `table` (a match) by which `actor` treated `target`; see `Observation`."""

    table: Hashable
    actor: int
    target: int
    stratum: str
    value: float


@dataclass(frozen=True, slots=True)
class PairTest:
    """How much softer two players were on each other than on the rest.

    `softness` is the mean difference of a decision's value, `t` that difference in standard errors,
    after allowing for how much pairs of this field differ anyway. `p` is the chance of so large a
    `t` for one honest pair, and `adjusted` that of any in the field (Holm). `tables` are those with
    a decision of one about the other.
    """

    one: int
    other: int
    tables: int
    decisions: int
    softness: float
    t: float
    p: float
    adjusted: float

    @property
    def found(self) -> bool:
        """Whether it is a finding."""
        return self.adjusted <= ALPHA


def soft_play(observations: Iterable[Observation]) -> tuple[PairTest, ...]:
    """Test every pair that met at enough tables, the most suspicious first.

    For a pair, a decision's value is regressed on whether it is about the other of the two, with a
    mean for each actor and stratum (Frisch and Waugh: on the centred variable x). The variance of
    the slope is the jackknife's over C tables, (C - 1) / C times the sum of the squares of what
    leaving a table out changes: with few tables it is on the safe side. Bots of different kinds
    differ towards each other more than by chance, so t is divided by the median |t| of the pairs
    without either of the two, over what it would be by chance, if that is more than 1 and there
    are six such pairs or more.
    """
    cells: dict[tuple[int, str], list[Observation]] = defaultdict(list)
    for one in observations:
        cells[one.actor, one.stratum].append(one)
    sums: dict[Pair, _Sums] = defaultdict(_Sums)
    for (actor, _), cell in cells.items():
        about = Counter(each.target for each in cell)
        if len(about) < 2:
            continue
        mean = math.fsum(each.value for each in cell) / len(cell)
        for target, count in about.items():
            pair = (actor, target) if actor < target else (target, actor)
            sums[pair].add(cell, target, mean, count / len(cell))
    slopes = {
        pair: (found.slope, error)
        for pair, found in sums.items()
        if len(found.met) >= FEWEST_TABLES and (error := found.error) > 0
    }
    ratios = {pair: slope / error for pair, (slope, error) in slopes.items()}
    return _judged(
        [
            (
                upper_tail(ratio / (spread := _spread(ratios, pair)), len(sums[pair].met) - 1),
                pair,
                ratio / spread,
            )
            for pair, ratio in ratios.items()
        ],
        sums,
    )


class _Sums:
    """What a pair's decisions, and those they are compared with, come to."""

    def __init__(self) -> None:
        self.met: set[Hashable] = set()
        self.decisions = 0
        self._products: dict[Hashable, float] = defaultdict(float)
        self._squares: dict[Hashable, float] = defaultdict(float)

    def add(self, cell: Sequence[Observation], target: int, mean: float, share: float) -> None:
        """Count an actor's decisions in a stratum, of which this share is about the target."""
        for each in cell:
            x = 1 - share if each.target == target else -share
            self._products[each.table] += x * (each.value - mean)
            self._squares[each.table] += x * x
            if each.target == target:
                self.met.add(each.table)
                self.decisions += 1

    @property
    def slope(self) -> float:
        """How much softer the two are on each other."""
        return math.fsum(self._products.values()) / math.fsum(self._squares.values())

    @property
    def error(self) -> float:
        """The slope's standard error, clustered by table; 0 if it can't be known."""
        slope, tables = self.slope, len(self._products)
        if tables < 2:
            return 0.0
        total = math.fsum(self._squares.values())
        changes = [
            (product - slope * square) / (total - square)
            for product, square in zip(self._products.values(), self._squares.values(), strict=True)
            if total > square
        ]
        return math.sqrt((tables - 1) / tables * math.fsum(each * each for each in changes))


def _spread(ratios: Mapping[Pair, float], pair: Pair) -> float:
    """How much more than by chance the pairs without these two differ; at least 1."""
    rest = [abs(ratio) for other, ratio in ratios.items() if not {*pair} & {*other}]
    return max(1.0, median(rest) / MEDIAN) if len(rest) >= FEWEST_PAIRS else 1.0


def _judged(
    found: Iterable[tuple[float, Pair, float]], sums: Mapping[Pair, _Sums]
) -> tuple[PairTest, ...]:
    """Correct for the number of pairs by Holm's method."""
    ordered = sorted(found)
    judged, worst = [], 0.0
    for rank, (p, pair, t) in enumerate(ordered):
        worst = min(1.0, max(worst, p * (len(ordered) - rank)))
        one = sums[pair]
        judged.append(PairTest(*pair, len(one.met), one.decisions, one.slope, t, p, worst))
    return tuple(judged)


def upper_tail(t: float, freedom: int) -> float:
    """The part of Student's distribution above t, of so many degrees of freedom.

    With t = sqrt(n) tan(a) its density is proportional to cos(a)^(n - 1): Simpson's rule.
    """
    if t < 0:
        return 1 - upper_tail(-t, freedom)
    half = _cosines(0.0, freedom)
    return 0.5 * _cosines(math.atan(t / math.sqrt(freedom)), freedom) / half


def _cosines(start: float, freedom: int, steps: int = 400) -> float:
    width = (math.pi / 2 - start) / steps
    terms = (
        (1 if place in (0, steps) else 4 if place % 2 else 2)
        * max(0.0, math.cos(start + place * width)) ** (freedom - 1)
        for place in range(steps + 1)
    )
    return math.fsum(terms) * width / 3
