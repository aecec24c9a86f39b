"""The probability that each of several bots is the best, given their observed means.

The true means are assumed to scatter around a common mean, with a spread estimated from the data:
among many equal bots one comes first by luck, so a lead is not taken at face value. Each observed
mean is shrunk towards the common mean by its uncertainty, and the order is drawn `DRAWS` times; a
bot's chance is the share of the draws in which it comes first (ratings f.3). The same input gives
the same draws.

For chips a bot's spread is in units of its own scatter, which grows with its bets, as its possible
winnings do (ratings f.7). The calibration was tested in simulated seasons (ratings f.8, ratings
f.9).
"""

from __future__ import annotations

import math
import random
from collections.abc import Sequence
from dataclasses import dataclass

DRAWS = 4000
"""The number of draws of the order; they give a chance to within a percentage point."""

MOST = 60
"""The number of leading bots that are considered for first place."""

SPREAD = 1 / 3
"""The prior median of the spread of the bots, in standard errors of a mean."""

SPREADS = 100
"""The number of values of the spread at which the model is evaluated, equally likely a priori."""


def chances(
    values: Sequence[float], noise: Sequence[float], units: Sequence[float], freedom: int
) -> list[float]:
    """The chance of each of the first `MOST` to be the best, given means in descending order.

    `noise` are the means' variances, `units` the variances that a spread of 1 gives the true means,
    and `freedom` the degrees of freedom that the variances were estimated with.

    A spread is drawn by its weight, then the common mean, then the true means, each normal around
    center + among / (among + noise) * (y - center), with the tails of Student's distribution
    (ratings f.6).
    """
    leading = len(values[:MOST])
    if not any(noise):
        level = values.count(values[0])
        return [(place < level) / level for place in range(leading)]
    spreads = _spreads(values, noise, units)
    leaders = list(zip(noise, units, strict=True))[:leading]
    parts = [[s.among * unit / (s.among * unit + own) for own, unit in leaders] for s in spreads]
    errors = [
        [math.sqrt(part * own) for part, own in zip(row, noise, strict=False)] for row in parts
    ]
    drawn = random.Random(0)
    gauss = drawn.gauss
    wins = [0] * leading
    for at in drawn.choices(range(SPREADS), [s.weight for s in spreads], k=DRAWS):
        center = gauss(spreads[at].center, math.sqrt(spreads[at].unsure))
        tails = math.sqrt(freedom / drawn.gammavariate(freedom / 2, 2.0))
        means = [
            part * (value - center) + error * gauss(0.0, tails)
            for part, value, error in zip(parts[at], values, errors[at], strict=False)
        ]
        wins[means.index(max(means))] += 1
    return [won / DRAWS for won in wins]


@dataclass(frozen=True)
class _Spread:
    """The posterior if the variance of the true means around their common mean is `among` units.

    `weight` is its probability up to a common factor; `center` is the common mean in that case, and
    `unsure` the variance of that mean.
    """

    among: float
    weight: float
    center: float
    unsure: float


def _spreads(
    values: Sequence[float], noise: Sequence[float], units: Sequence[float]
) -> list[_Spread]:
    """The possible spreads of the true means around their common mean, with their weights.

    `units` are the variances that a spread of 1 gives the true means.

    Each mean y has variance v = noise + among around a common mean, which has a flat prior and is
    integrated out: the weight is sqrt(V) times the product of exp(-(y - c)^2 / 2v) / sqrt(v), where
    1 / V = sum(1 / v) and c = V sum(y / v) [Gelman 2013, formula 5.21]. Using only the likeliest
    variance would be overconfident. The standard deviation has a half-Cauchy prior [Gelman 2006] of
    the median `SPREAD`, and is evaluated at that prior's quantiles; a flat prior is overconfident
    if bots are alike (ratings f.5).
    """
    found = []
    for step in range(SPREADS):
        among = (SPREAD * math.tan(math.pi / 2 * (step + 0.5) / SPREADS)) ** 2
        known = [1 / (own + among * unit) for own, unit in zip(noise, units, strict=True)]
        unsure = 1 / sum(known)
        center = unsure * sum(map(float.__mul__, known, values))
        off = sum(part * (value - center) ** 2 for part, value in zip(known, values, strict=True))
        found.append(
            (among, (math.log(unsure) + sum(map(math.log, known)) - off) / 2, center, unsure)
        )
    most = max(log for _, log, _, _ in found)
    return [_Spread(among, math.exp(log - most), *rest) for among, log, *rest in found]
