"""Intervals of strengths that hold however bots came to meet, even by their results so far.

Where pairs are made by results, a lucky bot next meets other lucky bots, and its luck does not
average out: fitted strengths lie further apart than they should, and their intervals are too
narrow. The posterior distribution of strengths does not depend on how pairs were made, as long as
they were made by these results. So an interval is that of the posterior, under a prior by which
strengths lie about a common mean, as far apart as the results suggest (ratings g.7). The strengths
themselves, and the order, stay those of the fit.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import ClassVar

from card_arena.ratings.certainty import Certainty, Covariances, covariance, difference_variance
from card_arena.ratings.equations import Factor, Matrix, dot, factored, inverse, solved
from card_arena.ratings.intervals import Estimate, student

STEPS = 12
"""The number of values of the spread at which the posterior is evaluated, in equal steps."""

WIDEST = 4
"""The widest of them, in standard deviations of the fitted strengths."""

NEGLIGIBLE = 1e-3
"""A spread of less than this part of the likeliest one's probability is left out."""


@dataclass(frozen=True)
class Shrunk(Certainty):
    """Fitted strengths, with intervals that hold where pairs were made by results.

    `believed` are the means of the strengths' posterior distribution, and `doubts` its covariances.
    An interval reaches equally far to both sides of what is believed, and if that doesn't take it
    to the fitted value, it is as long as that takes.
    """

    believed: Mapping[int, float] = field(default_factory=dict)
    doubts: Covariances = field(default_factory=dict)

    leans: ClassVar[bool] = True

    def estimate(self, version: int) -> Estimate | None:
        """Return a version's value with its 95 % interval, None if there is too little data."""
        variance = max(0.0, covariance(self.doubts, version, version))
        fitted = super().estimate(version)
        return self._about(fitted, self.believed[version], variance, version, version)

    def difference(self, one: int, other: int) -> Estimate | None:
        """Return the first value less the second; None if there is too little data."""
        variance = difference_variance(self.doubts, one, other)
        middle = self.believed[one] - self.believed[other]
        return self._about(super().difference(one, other), middle, variance, one, other)

    def _about(
        self, fitted: Estimate | None, middle: float, variance: float, one: int, other: int
    ) -> Estimate | None:
        """Return the fitted figure with its interval about the posterior mean, `middle`."""
        if fitted is None:
            return None
        reach = student(max(1.0, self._freedom(one, other))) * math.sqrt(variance)
        low, high = min(fitted.value, middle - reach), max(fitted.value, middle + reach)
        return Estimate(fitted.value, low, high, fitted.trials)


def shrunk(fit: Certainty) -> Certainty:
    """Return the same strengths, with intervals that hold where pairs were made by results."""
    believed: dict[int, float] = {}
    doubts: dict[tuple[int, int], float] = {}
    for group in fit.groups or (tuple(fit.values),):
        means, variances = _posterior(
            [fit.values[version] for version in group],
            [[covariance(fit.covariances, one, other) for other in group] for one in group],
        )
        believed |= dict(zip(group, means, strict=True))
        doubts |= {
            (min(one, other), max(one, other)): variances[row][column]
            for row, one in enumerate(group)
            for column, other in enumerate(group)
        }
    return Shrunk(
        fit.values,
        fit.seen,
        fit.covariances,
        staked=fit.staked,
        freedoms=fit.freedoms,
        groups=fit.groups,
        believed=believed,
        doubts=doubts,
    )


@dataclass(frozen=True, slots=True)
class _Spread:
    """One spread that the strengths may have.

    `log` is the logarithm of its probability, up to a constant. `factor` is that of the fitted
    strengths' covariance, and `means` are those of the true ones.
    """

    square: float
    log: float
    factor: Factor
    means: Sequence[float]


def _spreads(values: Sequence[float], noise: Matrix, widest: float) -> Iterator[_Spread]:
    """Yield the spreads in equal steps.

    With the spread t, the fitted strengths y have the covariance V + t^2, so the true ones have the
    mean t^2 (V + t^2)^-1 y. Beforehand the square of the spread may have any value equally likely
    [Everson 2000].
    """
    for step in range(STEPS):
        spread = (step + 0.5) / STEPS * widest
        square = spread**2
        factor = factored(
            [
                [value + square * (row == column) for column, value in enumerate(line)]
                for row, line in enumerate(noise)
            ]
        )
        pull = solved(factor, values)
        sizes = math.fsum(math.log(row[-1]) for row in factor)
        # t^2 grows by 2 t dt in a step; and the sum of the strengths, which is zero and tells
        # nothing, adds the root of its variance t^2 to the determinant
        log = 2 * math.log(spread) - sizes - dot(values, pull) / 2
        yield _Spread(square, log, factor, [square * value for value in pull])


def _posterior(
    values: Sequence[float], noise: Matrix
) -> tuple[Sequence[float], Sequence[Sequence[float]]]:
    """Return the means and the covariances of true strengths that add up to zero, like the values.

    For each spread t the covariance is t^2 - t^4 (V + t^2)^-1; the covariance of all also has the
    differences between the means of the spreads.
    """
    size = len(values)
    widest = WIDEST * math.sqrt(dot(values, values) / max(1, size - 1))
    if not widest:
        return values, noise
    spreads = list(_spreads(values, noise, widest))
    most = max(spread.log for spread in spreads)
    weighed = [(math.exp(spread.log - most), spread) for spread in spreads]
    likely = [(weight, spread) for weight, spread in weighed if weight > NEGLIGIBLE]
    whole = math.fsum(weight for weight, _ in likely)
    parts = [(weight / whole, spread) for weight, spread in likely]
    means = [math.fsum(part * it.means[row] for part, it in parts) for row in range(size)]
    sums: defaultdict[tuple[int, int], list[float]] = defaultdict(list)
    for part, it in parts:
        off = [own - middle for own, middle in zip(it.means, means, strict=True)]
        for row, line in enumerate(inverse(it.factor)):
            for column in range(row, size):
                within = it.square * (row == column) - it.square**2 * line[column]
                sums[row, column].append(part * (within + off[row] * off[column]))
    variances = [[0.0] * size for _ in range(size)]
    for (row, column), terms in sums.items():
        variances[row][column] = variances[column][row] = math.fsum(terms)
    return means, variances
