"""Means and rates with their 95 % intervals, where games of one match share cards.

Games of a match are no independent trials: they are played with the same packs, or by the same
processes. So every figure is made of clusters, a pair of numbers each: what was counted, and out of
how many. A cluster of one trial gives back the formula of the textbook. The page of these formulas
is docs/ratings.md, whose paragraph e.1 is cited as "ratings e.1".
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

Z = 1.959964
"""The normal distribution holds 95 % within this number of standard errors."""

Cluster = tuple[float, int]
"""What a cluster's trials add up to, and how many they are."""


@dataclass(frozen=True, slots=True)
class Estimate:
    """A figure, and the 95 % interval that it lies in.

    `low` and `high` are None where too little was seen to say. `trials` is what it is a mean over,
    None where nothing was seen and all was computed.
    """

    value: float
    low: float | None
    high: float | None
    trials: int | None


def exact(value: float) -> Estimate:
    """A figure that was computed: there is no interval and nothing that it is a mean over."""
    return Estimate(value, None, None, None)


def mean(clusters: Iterable[Cluster]) -> Estimate:
    """The mean over all trials, with the normal interval of a ratio of two sums.

    The variance of sum(x) / sum(n) over m clusters is m / (m - 1) * sum((x - r n)^2) / sum(n)^2,
    r being the ratio [Cochran 1977, 6.4] (ratings e.2). Raises `ValueError` without trials.
    """
    found, trials = _seen(clusters)
    value = sum(x for x, _ in found) / trials
    count = len(found)
    if count < 2:
        return Estimate(value, None, None, trials)
    variance = count / (count - 1) * _squares(found, value) / trials**2
    reach = Z * math.sqrt(variance)
    return Estimate(value, value - reach, value + reach, trials)


def rate(clusters: Iterable[Cluster]) -> Estimate:
    """The rate of successes, with Wilson's interval for as many trials as the clusters are worth.

    Clusters that go up and down together are worth fewer trials than they hold, a board that both
    sides played is worth more: the variance between clusters says how many. Where every cluster
    came to the same rate it can't, and each counts as one (ratings e.3, ratings e.4). Raises
    `ValueError` without trials.
    """
    found, trials = _seen(clusters)
    value = sum(x for x, _ in found) / trials
    squares = _squares(found, value)
    alike = squares < 1e-12
    worth = len(found) if alike else value * (1 - value) * trials**2 / squares
    low, high = wilson(value, worth)
    return Estimate(value, low, high, trials)


def wilson(value: float, trials: float) -> tuple[float, float]:
    """The 95 % interval of [Wilson 1927] for a rate of that many trials, whole or not."""
    weight = 1 + Z * Z / trials
    middle = (value + Z * Z / (2 * trials)) / weight
    reach = Z / weight * math.sqrt(value * (1 - value) / trials + (Z / (2 * trials)) ** 2)
    return max(0.0, middle - reach), min(1.0, middle + reach)


def student(freedom: int) -> float:
    """Within how many standard errors Student's distribution holds 95 %.

    By four terms of the expansion in 1 / freedom [Abramowitz 1964, 26.7.5], which is right to a
    thousandth from 5 degrees of freedom on (ratings e.6).
    """
    z = Z
    terms = (
        (z**3 + z) / 4,
        (5 * z**5 + 16 * z**3 + 3 * z) / 96,
        (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / 384,
        (79 * z**9 + 776 * z**7 + 1482 * z**5 - 1920 * z**3 - 945 * z) / 92160,
    )
    x = float(freedom)
    return z + sum(term / x**power for power, term in enumerate(terms, start=1))


def _seen(clusters: Iterable[Cluster]) -> tuple[Sequence[Cluster], int]:
    """The clusters that hold a trial, and how many trials there are."""
    found = [cluster for cluster in clusters if cluster[1]]
    if not found:
        raise ValueError("nothing was seen that a mean could be made of")
    return found, sum(count for _, count in found)


def _squares(clusters: Sequence[Cluster], value: float) -> float:
    return sum((x - value * count) ** 2 for x, count in clusters)
