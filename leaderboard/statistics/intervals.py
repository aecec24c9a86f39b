"""Means and rates with their 95 % intervals, when games of one match share cards.

Games of a match are not independent trials: they are played with the same packs, or by the same
processes. So every figure is computed from clusters, each a pair of numbers: a sum, and the number
of trials. With clusters of one trial this is the textbook formula. The formulas are in
docs/ratings.md, whose paragraph e.1 is cited as "ratings e.1".
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

Z = 1.959964
"""The number of standard errors that contains 95 % of the normal distribution."""

FEWEST = 5
"""The fewest clusters for an interval: with fewer, nobody knows how much they scatter."""

Cluster = tuple[float, int]
"""The sum and the number of a cluster's trials."""


@dataclass(frozen=True, slots=True)
class Estimate:
    """A figure and its 95 % interval.

    `low` and `high` are None if there is too little data. `trials` is the number of trials behind
    the mean, None if the figure was computed rather than observed.
    """

    value: float
    low: float | None
    high: float | None
    trials: int | None


def exact(value: float) -> Estimate:
    """A figure that was computed rather than observed, without an interval or trials."""
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
    """The rate of successes, with Wilson's interval for the clusters' effective number of trials.

    Correlated trials in a cluster are worth fewer than their number, those of a board that both
    sides played are worth more: the variance between clusters says how many. If every cluster has
    the same rate, that variance says nothing and each cluster counts as one trial (ratings e.3,
    ratings e.4). Raises `ValueError` without trials.
    """
    found, trials = _seen(clusters)
    value = sum(x for x, _ in found) / trials
    squares = _squares(found, value)
    alike = squares < 1e-12
    worth = len(found) if alike else value * (1 - value) * trials**2 / squares
    low, high = wilson(value, worth)
    return Estimate(value, low, high, trials)


def wilson(value: float, trials: float) -> tuple[float, float]:
    """The 95 % interval of [Wilson 1927] for a rate; the number of trials need not be whole."""
    weight = 1 + Z * Z / trials
    middle = (value + Z * Z / (2 * trials)) / weight
    reach = Z / weight * math.sqrt(value * (1 - value) / trials + (Z / (2 * trials)) ** 2)
    return max(0.0, middle - reach), min(1.0, middle + reach)


def student(freedom: int) -> float:
    """The number of standard errors that contains 95 % of Student's distribution.

    Uses four terms of the expansion in 1 / freedom [Abramowitz 1964, 26.7.5], accurate to a
    thousandth from 5 degrees of freedom (ratings e.6).
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
    """The clusters with at least one trial, and the number of trials."""
    found = [cluster for cluster in clusters if cluster[1]]
    if not found:
        raise ValueError("nothing was seen that a mean could be made of")
    return found, sum(count for _, count in found)


def _squares(clusters: Sequence[Cluster], value: float) -> float:
    return sum((x - value * count) ** 2 for x, count in clusters)
