"""The certainty of a season's order: which places may be luck, and the chance of being best.

The model, its sources and how well it is calibrated: docs/ratings.md, sections e and f.
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from statistics import fmean

from leaderboard.statistics import noise
from leaderboard.statistics.clusters import Trials
from leaderboard.statistics.first_place import chances
from leaderboard.statistics.intervals import Estimate, student

FEWEST = 6
"""The fewest clusters for an interval: winning all of five is luck once in 16."""


@dataclass(frozen=True)
class Certainty:
    """What a season's clusters say about its order.

    `values` are the versions' means, and `seen` counts the clusters of each. `covariances` are
    those of the means, by pairs of versions, the smaller id first. `staked` says that the means are
    of chips, whose scatter grows with a bot's stakes, as its possible winnings do.
    """

    values: Mapping[int, float]
    seen: Mapping[int, int]
    covariances: Mapping[tuple[int, int], float]
    staked: bool = False

    def difference(self, one: int, other: int) -> Estimate | None:
        """How far one version's mean is above another's; None if there is too little data.

        The 95 % interval is Student's, for the number of clusters of the version seen less often
        (ratings e.6).
        """
        clusters = min(self.seen[one], self.seen[other])
        if clusters < FEWEST:
            return None
        value = self.values[one] - self.values[other]
        reach = student(clusters - 1) * math.sqrt(self._variance(one, other))
        return Estimate(value, value - reach, value + reach, clusters)

    def places(self, version: int) -> tuple[int, int]:
        """The best and the worst place that a version may have; 1 is the best.

        A version is surely better if the interval of the difference does not contain zero. Each
        pair has an interval, without correction for multiple comparisons (ratings f.2).
        """
        others = [other for other in self.values if other != version]
        signs = [self._surely(other, version) for other in others]
        return 1 + signs.count(1), len(others) + 1 - signs.count(-1)

    @cached_property
    def best(self) -> Mapping[int, float] | None:
        """The probability that each version is the best of all; None if there is too little data.

        The model is in `first_place`, the uncertainty of each mean in `noise`. For chips a bot's
        spread is in units of its own scatter (ratings f.7).
        """
        if len(self.values) < 2 or min(self.seen.values()) < FEWEST:
            return None
        first = sorted(self.values, key=lambda version: (-self.values[version], version))
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

    def _surely(self, one: int, other: int) -> int:
        """1 if one version is surely better than another, -1 if it is surely worse, else 0."""
        found = self.difference(one, other)
        if found is None or found.low is None or found.high is None:
            return 0
        return (found.low > 0) - (found.high < 0)

    def _variance(self, one: int, other: int) -> float:
        """The variance of the difference of two means."""
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
