"""The certainty of an order: which places may be luck, and the chance of being best.

The order may be that of a season's means or of fitted strengths. The model, its sources and how
well it is calibrated: docs/ratings.md, sections e and f.
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from statistics import fmean
from typing import ClassVar

from leaderboard.statistics import noise
from leaderboard.statistics.clusters import Trials
from leaderboard.statistics.first_place import chances
from leaderboard.statistics.intervals import FEWEST, Estimate, student


@dataclass(frozen=True)
class Certainty:
    """What independent units of play say about an order: clusters about means, boards about leads.

    `values` are the versions' means or strengths, and `seen` counts the units of each.
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
        """The standard error of a version's value; None if it is unknown."""
        if not self._freedom(version, version):
            return None
        return math.sqrt(max(0.0, noise.covariance(self.covariances, version, version)))

    def difference_error(self, one: int, other: int) -> float | None:
        """The standard error of the difference of two values; None if it is unknown."""
        return math.sqrt(self._variance(one, other)) if self._freedom(one, other) else None

    def estimate(self, version: int) -> Estimate | None:
        """A version's value with its 95 % interval, None if there is too little data.

        The value of a fit is above the mean of the version's group.
        """
        error = self.error(version)
        return self._interval(self.values[version], error, version, version)

    def difference(self, one: int, other: int) -> Estimate | None:
        """How far one version's value is above another's; None if there is too little data.

        The 95 % interval is Student's, for the degrees of freedom of the pair (ratings e.6, ratings
        g.5).
        """
        error = self.difference_error(one, other)
        return self._interval(self.values[one] - self.values[other], error, one, other)

    def places(self, version: int) -> tuple[int, int]:
        """The best and the worst place that a version may have; 1 is the best.

        A version is surely better if the interval of the difference does not contain zero. Each
        pair has an interval, without correction for multiple comparisons (ratings f.2).
        """
        others = [other for other in self.values if other != version]
        signs = [self._surely[other, version] for other in others]
        return 1 + signs.count(1), len(others) + 1 - signs.count(-1)

    def surely_better(self, one: int, other: int) -> bool:
        """Whether the interval of the difference of two values is wholly above zero."""
        return self._surely[one, other] == 1

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

        The model is in `first_place`, the uncertainty of each mean in `noise`. For chips a bot's
        spread is in units of its own scatter (ratings f.7). It is also None where versions can't be
        compared.
        """
        if len(self.values) < 2 or min(self.seen.values()) < FEWEST or len(self.groups) > 1:
            return None
        first = self.order
        if not all(self._freedom(first[0], version) for version in first):
            return None
        clusters = [self.seen[version] for version in first]
        model = noise.of_chips if self.staked else noise.of_leads
        variances = model(first, self.seen, self.covariances)
        units = [fmean(variances)] * len(first)
        if self.staked:  # a common spread would mistake every fortune for luck
            usual = fmean(clusters)
            units = [own * seen / usual for own, seen in zip(variances, clusters, strict=True)]
        values = [self.values[version] for version in first]
        found = chances(values, variances, units, min(clusters) - 1)
        return {**dict.fromkeys(first, 0.0), **dict(zip(first, found, strict=False))}

    @cached_property
    def _surely(self) -> Mapping[tuple[int, int], int]:
        """1 if the first version is surely better than the second, -1 if it is worse, else 0."""
        signs = {}
        for at, one in enumerate(self.order):
            for other in self.order[at + 1 :]:
                found = self.difference(one, other)
                sign = 0
                if found is not None and found.low is not None and found.high is not None:
                    sign = (found.low > 0) - (found.high < 0)
                signs[one, other], signs[other, one] = sign, -sign
        return signs

    @cached_property
    def _group(self) -> Mapping[int, int]:
        return {version: n for n, group in enumerate(self.groups) for version in group}

    def _interval(self, value: float, error: float | None, *versions: int) -> Estimate | None:
        """An interval for so many degrees of freedom as these versions have together."""
        fewest = min(self.seen[version] for version in versions)
        if error is None or fewest < FEWEST:
            return None
        reach = student(max(1.0, self._freedom(*versions))) * error
        return Estimate(value, value - reach, value + reach, fewest)

    def _freedom(self, one: int, other: int) -> float:
        """The degrees of freedom of a difference, or of one version's value; 0 if unknown."""
        if self._group.get(one) != self._group.get(other):
            return 0.0
        if self.freedoms is not None:
            return self.freedoms.get((min(one, other), max(one, other)), 0.0)
        return min(self.seen[one], self.seen[other]) - 1

    def _variance(self, one: int, other: int) -> float:
        own, its, shared = (
            noise.covariance(self.covariances, *pair)
            for pair in ((one, one), (other, other), (one, other))
        )
        return max(0.0, own + its - 2 * shared)


def certainty(clusters: Iterable[Trials], *, staked: bool = False) -> Certainty:
    """Compute what clusters say about the order of their versions; `staked` means chips.

    A mean is a ratio of two sums, r = sum(x) / sum(n). The covariance of two of them is the sum
    over the clusters of the products of their residuals, (x - r n) / sum(n), times m / (m - 1) for
    m clusters [Cochran 1977, 6.4]; versions that met share clusters (ratings e.5).
    """
    found = list(clusters)
    sums: dict[int, float] = defaultdict(float)
    counts: Counter[int] = Counter()
    seen: Counter[int] = Counter()
    for cluster in found:
        for version, (value, trials) in cluster.items():
            sums[version] += value
            counts[version] += trials
            seen[version] += 1
    values = {version: sums[version] / counts[version] for version in sums}
    covariances: dict[tuple[int, int], float] = defaultdict(float)
    scale = {v: math.sqrt(m / (m - 1)) / counts[v] if m > 1 else 0.0 for v, m in seen.items()}
    for cluster in found:
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
