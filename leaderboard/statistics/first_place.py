"""How likely each of several bots is the best, given what was seen of their means.

The true means are taken to lie about a common one, and how widely is judged by what was seen: of
many bots that are alike one is first by luck, and is not believed at once. So what was seen is
drawn towards the common mean, each by how unsure it is, and the order is drawn `DRAWS` times; a
bot's chance is its share of the draws in which it comes first (ratings f.3). The same input gives
the same draws.

For chips a bot's spread is in units of its own scatter, which grows with what it bets, as what it
may win does (ratings f.7). How often such claims are right was tried out in simulated seasons
(ratings f.8, ratings f.9).
"""

from __future__ import annotations

import math
import random
from collections.abc import Sequence
from dataclasses import dataclass

DRAWS = 4000
"""How often the order is drawn anew; the chance that comes of it is exact to a percentage point."""

MOST = 60
"""How many of the leading bots are considered for first place."""

SPREAD = 1 / 3
"""How far apart bots are before anything is seen: the median, in standard errors of a mean."""

SPREADS = 100
"""At how many values of the bots' spread the model is worked out, all equally likely beforehand."""


def chances(
    values: Sequence[float], noise: Sequence[float], units: Sequence[float], freedom: int
) -> list[float]:
    """The chance of each of the first `MOST` to be the best, given means in falling order.

    `noise` are the means' variances, `units` the variances that a spread of 1 gives the true means,
    and `freedom` the degrees of freedom that the variances were estimated with.

    A spread is drawn by its weight, then the common mean, then the true means, each normal about
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
    """What was seen, if the true means' variance about their common one is `among` times a unit.

    `weight` is how likely that is beside the others, up to a common factor; `center` is the common
    mean then, and `unsure` its variance.
    """

    among: float
    weight: float
    center: float
    unsure: float


def _spreads(
    values: Sequence[float], noise: Sequence[float], units: Sequence[float]
) -> list[_Spread]:
    """How widely the true means may lie about their common one, and how likely each is.

    `units` are the variances that a spread of 1 gives the true means.

    Each mean y has variance v = noise + among about a common one of which nothing is known
    beforehand, and which is integrated out: the weight is sqrt(V) times the product of
    exp(-(y - c)^2 / 2v) / sqrt(v), where 1 / V = sum(1 / v) and c = V sum(y / v) [Gelman 2013,
    formula 5.21]. To put in the one likeliest variance would claim too much. The standard deviation
    has a half-Cauchy prior [Gelman 2006] of the median `SPREAD`, at whose quantiles it is taken; a
    flat one claims too much where bots are alike (ratings f.5).
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
