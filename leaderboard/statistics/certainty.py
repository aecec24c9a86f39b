"""How sure a season's order is: which places may be luck, and how likely the first is the best.

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
"""An interval needs this many clusters at least: to win all of five is luck once in 16."""


@dataclass(frozen=True)
class Certainty:
    """What a season's clusters say of its order.

    `values` are the versions' means and `seen` in how many clusters each was. `covariances` are
    those of the means, by pairs of versions, the smaller one first. `staked` says that they are of
    chips, whose scatter grows with a bot's stakes, as what it may win does.
    """

    values: Mapping[int, float]
    seen: Mapping[int, int]
    covariances: Mapping[tuple[int, int], float]
    staked: bool = False

    def difference(self, one: int, other: int) -> Estimate | None:
        """By how much one version's mean is above another's; None where too little was seen.

        The 95 % interval is Student's, for as many clusters as the one seen less often was in
        (ratings e.6).
        """
        clusters = min(self.seen[one], self.seen[other])
        if clusters < FEWEST:
            return None
        value = self.values[one] - self.values[other]
        reach = student(clusters - 1) * math.sqrt(self._variance(one, other))
        return Estimate(value, value - reach, value + reach, clusters)

    def places(self, version: int) -> tuple[int, int]:
        """The best and the worst place that a version may have, each 1 the best.

        Somebody is surely better where the interval of the difference does not hold zero. There is
        an interval for each pair and none is made wider because there are several (ratings f.2).
        """
        others = [other for other in self.values if other != version]
        signs = [self._surely(other, version) for other in others]
        return 1 + signs.count(1), len(others) + 1 - signs.count(-1)

    @cached_property
    def best(self) -> Mapping[int, float] | None:
        """How likely each version is the best of all; None where too little was seen.

        The model is in `first_place`; how unsure each mean is, in `noise`. For chips a bot's
        spread is in units of its own scatter (ratings f.7).
        """
        if len(self.values) < 2 or min(self.seen.values()) < FEWEST:
            return None
        first = sorted(self.values, key=lambda version: (-self.values[version], version))
        clusters = [self.seen[version] for version in first]
        model = noise.of_chips if self.staked else noise.of_leads
        variances = model(first, self.seen, self.covariances)
        units = [fmean(variances)] * len(first)
        if self.staked:  # a common spread would take every fortune for luck
            usual = fmean(clusters)
            units = [own * seen / usual for own, seen in zip(variances, clusters, strict=True)]
        values = [self.values[version] for version in first]
        found = chances(values, variances, units, min(clusters) - 1)
        return {**dict.fromkeys(first, 0.0), **dict(zip(first, found, strict=False))}

    def _surely(self, one: int, other: int) -> int:
        """1 where one version is surely better than another, -1 where it is worse, else 0."""
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
    """Work out what clusters say of the order of those that are in them; `staked` if by chips.

    A mean is a ratio of two sums, r = sum(x) / sum(n). Two of them covary over the clusters by
    the sum of the products of what each cluster adds to them, (x - r n) / sum(n), times m / (m - 1)
    for m clusters [Cochran 1977, 6.4]; versions that met have it in common (ratings e.5).
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
    """Write how sure something is, never as quite sure: `87 %`, `over 99 %` (ratings f.10)."""
    if part > 0.99:
        return "over 99 %"
    return "under 1 %" if part < 0.01 else f"{100 * part:.0f} %"
