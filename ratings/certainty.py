"""The certainty of an order: which places may be luck, and the chance of being best.

The order may be that of a season's means or of fitted strengths. The model, its sources and how
well it is calibrated: docs/ratings.md, sections e and f.
"""

from __future__ import annotations

import math
import random
from collections import Counter, defaultdict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from statistics import fmean, variance
from typing import ClassVar

from card_arena.ratings.intervals import FEWEST, Estimate, Trials, student

# The variance of each mean by itself: two models, one for margins and one for chips.
#
# Both begin with each mean's own estimate of its variance per cluster. Few clusters give a poor
# estimate, so it is shrunk towards the average, depending on how much more the estimates differ
# than those of equal variances would by luck (credibility [Bühlmann 1967]). The models differ in
# scale: variances of margins are alike and are averaged directly; one variance of chips may be a
# thousand times another, so these are averaged as logarithms.


Covariances = Mapping[tuple[int, int], float]
"""The covariances of the means, by pairs of versions, the smaller id first; 0 if missing."""

LEAST = 1e-3
"""A mean's variance is at least this fraction of the average; an estimate may be zero."""


def covariance(covariances: Covariances, one: int, other: int) -> float:
    """Return the covariance of two versions' means, or the variance of one."""
    return covariances.get((min(one, other), max(one, other)), 0.0)


def difference_variance(covariances: Covariances, one: int, other: int) -> float:
    """Return the variance of the difference of two versions' means, never below zero."""
    own, its, shared = (
        covariance(covariances, *pair) for pair in ((one, one), (other, other), (one, other))
    )
    return max(0.0, own + its - 2 * shared)


def of_margins(
    versions: Sequence[int], seen: Mapping[int, int], covariances: Covariances
) -> list[float]:
    """Return the variance of each mean of margins, as if each had been observed alone.

    Estimates from m clusters have a relative variance of 2 / (m - 1) if the true ones are equal
    (ratings f.4).
    """
    clusters = [seen[version] for version in versions]
    alone = _quasi_variances(versions, covariances)
    scaled = [its * many for its, many in zip(alone, clusters, strict=True)]
    usual = fmean(scaled)
    if usual <= 0:  # all scored the same in every cluster
        return [0.0] * len(versions)
    luck = [2 / (many - 1) for many in clusters]
    differing = variance(scaled) / usual**2
    real = max(0.0, (differing - fmean(luck)) / (1 + fmean(luck)))
    return [
        max(LEAST * usual, usual + real / (real + (1 + real) * by) * (its - usual)) / many
        for its, by, many in zip(scaled, luck, clusters, strict=True)
    ]


def of_chips(
    versions: Sequence[int], seen: Mapping[int, int], covariances: Covariances
) -> list[float]:
    """Return the variance of each mean of chips; one may be a thousand times another.

    Logarithms of estimates from m clusters have a variance of 2 / (m - 1) + 2 / (m - 1)^2 if the
    true ones are equal (ratings f.7).
    """
    clusters = [seen[version] for version in versions]
    scaled = [
        covariance(covariances, version, version) * many
        for version, many in zip(versions, clusters, strict=True)
    ]
    if not any(scaled):
        return scaled
    least = LEAST**2 * max(scaled)
    logs = [math.log(max(its, least)) for its in scaled]
    usual = fmean(logs)
    luck = [2 / (many - 1) + 2 / (many - 1) ** 2 for many in clusters]
    real = max(0.0, variance(logs) - fmean(luck))
    return [
        math.exp(usual + real / (real + by) * (log - usual)) / many
        for log, by, many in zip(logs, luck, clusters, strict=True)
    ]


def _quasi_variances(versions: Sequence[int], covariances: Covariances) -> list[float]:
    """Return one variance per mean; those of two add up to the variance of their difference.

    The covariances of a few clusters are too uncertain to be used directly, and the matrix is
    singular for margins that add up to zero. Only differences matter, so one variance per mean is
    fitted by least squares (quasi-variances [Firth 2004]). For bots that always meet, this removes
    the dependence of one bot's margin on the others.
    """
    size = len(versions)
    own = [covariance(covariances, version, version) for version in versions]
    shared = dict(zip(versions, own, strict=True))  # the sum of each version's row
    for (one, other), value in covariances.items():
        if one != other:
            shared[one] += value
            shared[other] += value
    total = (size * sum(own) - sum(shared.values())) / (size - 1)
    if size == 2:
        return [total / 2] * 2
    differences = [
        size * its + sum(own) - 2 * shared[version]
        for version, its in zip(versions, own, strict=True)
    ]
    return [(difference - total) / (size - 2) for difference in differences]


# The probability that each of several bots is the best, given their observed means.
#
# The true means are assumed to scatter around a common mean, with a spread estimated from the
# data: among many equal bots one comes first by luck, so a margin is not taken at face value. Each
# observed mean is shrunk towards the common mean by its uncertainty, and the order is drawn
# `DRAWS` times; a bot's chance is the share of the draws in which it comes first (ratings f.3).
# The same input gives the same draws.
#
# For chips a bot's spread is in units of its own scatter, which grows with its bets, as its
# possible winnings do (ratings f.7). The calibration was tested in simulated seasons (ratings
# f.8, ratings f.9).


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
    """Return the chance of each of the first `MOST` to be the best; means are in descending order.

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
    """Return the possible spreads of the true means around their common mean, with their weights.

    `units` are the variances that a spread of 1 gives the true means.

    Each mean y has variance v = noise + among around a common mean, which has a flat prior and is
    integrated out: the weight is sqrt(V) times the product of exp(-(y - c)^2 / 2v) / sqrt(v), where
    1 / V = sum(1 / v) and c = V sum(y / v) [Gelman 2013, formula 5.21]. Using only the likeliest
    variance would be overconfident. The standard deviation has a half-Cauchy prior [Gelman 2006] of
    the median `SPREAD`, and is evaluated at that prior's quantiles; a flat prior is overconfident
    if bots are alike (ratings f.5).
    """
    spreads = []
    for step in range(SPREADS):
        among = (SPREAD * math.tan(math.pi / 2 * (step + 0.5) / SPREADS)) ** 2
        precisions = [1 / (own + among * unit) for own, unit in zip(noise, units, strict=True)]
        unsure = 1 / sum(precisions)
        center = unsure * sum(map(float.__mul__, precisions, values))
        off = sum(
            precision * (value - center) ** 2
            for precision, value in zip(precisions, values, strict=True)
        )
        log = (math.log(unsure) + sum(map(math.log, precisions)) - off) / 2
        spreads.append((among, log, center, unsure))
    most = max(log for _, log, _, _ in spreads)
    return [_Spread(among, math.exp(log - most), *rest) for among, log, *rest in spreads]


@dataclass(frozen=True)
class Certainty:
    """The values of versions and their errors, from independent units.

    `values` are the versions' means or strengths, and `seen` counts the units of each: clusters or
    boards.
    `covariances` are those of the values, by pairs of versions, the smaller id first. `staked` says
    that values are of chips, whose scatter grows with a bot's stakes, as its possible winnings do.

    `freedoms` are the degrees of freedom of each pair's difference, the smaller id first, and of
    each version's own value; a pair that is missing has an unknown error. If it is None, they are
    those of the version seen less often. Versions of different `groups` can't be compared; without
    groups all can.
    """

    values: Mapping[int, float]
    seen: Mapping[int, int]
    covariances: Mapping[tuple[int, int], float]
    staked: bool = False
    freedoms: Mapping[tuple[int, int], float] | None = None
    groups: tuple[tuple[int, ...], ...] = ()

    leans: ClassVar[bool] = False
    """Whether an interval may reach further to one side of its figure than to the other."""

    def error(self, version: int) -> float | None:
        """Return the standard error of a version's value; None if it is unknown."""
        if not self._freedom(version, version):
            return None
        return math.sqrt(max(0.0, covariance(self.covariances, version, version)))

    def difference_error(self, one: int, other: int) -> float | None:
        """Return the standard error of the difference of two values; None if it is unknown."""
        if not self._freedom(one, other):
            return None
        return math.sqrt(difference_variance(self.covariances, one, other))

    def estimate(self, version: int) -> Estimate | None:
        """Return a version's value with its 95 % interval, None if there is too little data.

        The value of a fit is above the mean of the version's group.
        """
        error = self.error(version)
        return self._interval(self.values[version], error, version, version)

    def estimates(self) -> Mapping[int, Estimate]:
        """Return every version's value, without an interval if there is too little data for one."""
        return {
            version: self.estimate(version) or Estimate(value, None, None, self.seen[version])
            for version, value in self.values.items()
        }

    def difference(self, one: int, other: int) -> Estimate | None:
        """Return the first value less the second; None if there is too little data.

        The 95 % interval is Student's, for the degrees of freedom of the pair (ratings e.6, ratings
        g.5).
        """
        error = self.difference_error(one, other)
        return self._interval(self.values[one] - self.values[other], error, one, other)

    def places(self, version: int) -> tuple[int, int]:
        """Return the best and the worst place that a version may have; 1 is the best.

        A version is surely better if the interval of the difference does not contain zero. Each
        pair has an interval, without correction for multiple comparisons (ratings f.2).
        """
        others = [other for other in self.values if other != version]
        signs = [self._surely[other, version] for other in others]
        return 1 + signs.count(1), len(others) + 1 - signs.count(-1)

    @cached_property
    def order(self) -> tuple[int, ...]:
        """The versions from the highest value to the lowest; equal ones by id."""
        return tuple(sorted(self.values, key=lambda version: (-self.values[version], version)))

    @cached_property
    def tied(self) -> tuple[tuple[int, ...], ...]:
        """Runs of versions in order of value of which none is surely better than another.

        Each has at least two versions and is as long as it can be. A version may be in several: the
        first of three may be better than the last while neither can be told from the second
        (ratings f.11).
        """
        order = self.order
        runs: list[tuple[int, ...]] = []
        end = 0
        for start in range(len(order)):
            last = start + 1
            while last < len(order) and not any(
                self._surely[other, order[last]] for other in order[start:last]
            ):
                last += 1
            if last > max(end, start + 1):
                runs.append(order[start:last])
            end = max(end, last)
        return tuple(runs)

    @cached_property
    def best(self) -> Mapping[int, float] | None:
        """The probability that each version is the best of all; None if there is too little data.

        `chances` is the model. For chips a bot's spread is in units of its own scatter (ratings
        f.7). It is also None where versions can't be compared.
        """
        if len(self.values) < 2 or min(self.seen.values()) < FEWEST or len(self.groups) > 1:
            return None
        first = self.order
        if not all(self._freedom(first[0], version) for version in first):
            return None
        clusters = [self.seen[version] for version in first]
        model = of_chips if self.staked else of_margins
        variances = model(first, self.seen, self.covariances)
        units = [fmean(variances)] * len(first)
        if self.staked:  # a common spread would mistake every fortune for luck
            usual = fmean(clusters)
            units = [own * seen / usual for own, seen in zip(variances, clusters, strict=True)]
        values = [self.values[version] for version in first]
        leaders = chances(values, variances, units, min(clusters) - 1)
        return {**dict.fromkeys(first, 0.0), **dict(zip(first, leaders, strict=False))}

    @cached_property
    def _surely(self) -> Mapping[tuple[int, int], int]:
        """1 if the first version is surely better than the second, -1 if it is worse, else 0."""
        signs = {}
        for at, one in enumerate(self.order):
            for other in self.order[at + 1 :]:
                estimate = self.difference(one, other)
                sign = 0
                if estimate and estimate.low is not None and estimate.high is not None:
                    sign = (estimate.low > 0) - (estimate.high < 0)
                signs[one, other], signs[other, one] = sign, -sign
        return signs

    @cached_property
    def _group(self) -> Mapping[int, int]:
        return {version: n for n, group in enumerate(self.groups) for version in group}

    def _interval(self, value: float, error: float | None, *versions: int) -> Estimate | None:
        """Return the interval for the degrees of freedom that these versions have together."""
        fewest = min(self.seen[version] for version in versions)
        if error is None or fewest < FEWEST:
            return None
        reach = student(max(1.0, self._freedom(*versions))) * error
        return Estimate(value, value - reach, value + reach, fewest)

    def _freedom(self, one: int, other: int) -> float:
        """Return the degrees of freedom of a difference, or of one's value; 0 if unknown."""
        if self._group.get(one) != self._group.get(other):
            return 0.0
        if self.freedoms is not None:
            return self.freedoms.get((min(one, other), max(one, other)), 0.0)
        return min(self.seen[one], self.seen[other]) - 1


def certainty(clusters: Collection[Trials], *, staked: bool = False) -> Certainty:
    """Compute the versions' means and their errors from clusters; `staked` means chips.

    A mean is a ratio of two sums, r = sum(x) / sum(n). The covariance of two of them is the sum
    over the clusters of the products of their residuals, (x - r n) / sum(n), times m / (m - 1) for
    m clusters [Cochran 1977, 6.4]; versions that met share clusters (ratings e.5).
    """
    sums: dict[int, float] = defaultdict(float)
    counts: Counter[int] = Counter()
    seen: Counter[int] = Counter()
    for cluster in clusters:
        for version, (value, trials) in cluster.items():
            sums[version] += value
            counts[version] += trials
            seen[version] += 1
    values = {version: sums[version] / counts[version] for version in sums}
    covariances: dict[tuple[int, int], float] = defaultdict(float)
    scale = {v: math.sqrt(m / (m - 1)) / counts[v] if m > 1 else 0.0 for v, m in seen.items()}
    for cluster in clusters:
        parts = [
            (version, (value - values[version] * trials) * scale[version])
            for version, (value, trials) in sorted(cluster.items())
        ]
        for at, (one, part) in enumerate(parts):
            for other, its in parts[at:]:
                covariances[one, other] += part * its
    return Certainty(values, seen, covariances, staked)


def percent(part: float) -> str:
    """Write a probability, never as a certainty: `87 %`, `over 99 %` (ratings f.10)."""
    if part > 0.99:
        return "over 99 %"
    return "under 1 %" if part < 0.01 else f"{100 * part:.0f} %"
