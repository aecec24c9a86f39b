"""How sure a season's order is: which places may be luck, and how likely the first is the best.

A season's points are means: of what a bot held at the end of each tourney, or of its leads. What is
independent is a tourney, whose tables hand chips on to each other, or else a match, whose games
share cards. These are the clusters here, and each holds what a version made in how many trials.
"""

from __future__ import annotations

import math
import random
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from leaderboard.intervals import Estimate, Z
from leaderboard.results import Result, leads
from tables.registry import GAMES

Trials = Mapping[int, tuple[float, int]]
"""A cluster: by version, what its trials add up to and how many they are."""

FEWEST = 6
"""Of so many clusters at least an interval is made: who wins all of five has luck once in 16."""

DRAWS = 4000
"""How often the order is drawn anew; the chance that comes of it is exact to a percentage point."""

FAR = 6.0
"""A bot so many standard errors behind is the best in none of these draws."""

MOST = 60
"""Among so many that lead the best one is looked for."""


@dataclass(frozen=True)
class Certainty:
    """What a season's clusters say of its order.

    `values` are the versions' means and `seen` in how many clusters each was. `covariances` are
    those of the means, by pairs of versions, the smaller one first.
    """

    values: Mapping[int, float]
    seen: Mapping[int, int]
    covariances: Mapping[tuple[int, int], float]

    def difference(self, one: int, other: int) -> Estimate | None:
        """By how much one version's mean is above another's; None where too little was seen.

        The 95 % interval is Student's, for as many clusters as the one seen less often was in.
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
        an interval for each pair and none is made wider because there are several.
        """
        others = [other for other in self.values if other != version]
        signs = [self._surely(other, version) for other in others]
        return 1 + signs.count(1), len(others) + 1 - signs.count(-1)

    @cached_property
    def best(self) -> Mapping[int, float] | None:
        """How likely each version is the best of all; None where too little was seen.

        The true means are taken to lie about a common one as widely as what was seen leaves over
        from chance: of many bots that are alike one is first by luck, and is not believed at once.
        So what was seen is drawn towards the common mean, each by how unsure it is (a hierarchical
        normal model with its variance estimated by moments: Efron and Morris, 1973; Gelman and
        others, *Bayesian Data Analysis*, 5.4). From what comes of that, with the tails of
        Student's distribution, the order is drawn `DRAWS` times, and a version's chance is its
        share of the draws in which it comes first. The same matches give the same draws.
        """
        if len(self.values) < 2 or min(self.seen.values()) < FEWEST:
            return None
        first = sorted(self.values, key=lambda version: (-self.values[version], version))
        return {**dict.fromkeys(self.values, 0.0), **self._drawn(first[:MOST])}

    def _drawn(self, versions: Sequence[int]) -> Mapping[int, float]:
        """The chance of each of these to be the best of them."""
        size = len(versions)
        values = [self.values[version] for version in versions]
        noise = [[self._covariance(a, b) for b in versions] for a in versions]
        common = sum(values) / size
        own = sum(noise[i][i] for i in range(size)) / size
        shared = (sum(map(sum, noise)) - size * own) / (size * (size - 1))
        scatter = sum((value - common) ** 2 for value in values) / (size - 1)
        among = scatter - (own - shared)
        if among <= 1e-9 * scatter:  # chance alone explains what was seen
            return dict.fromkeys(versions, 1 / size)
        for i in range(size):
            noise[i][i] += among
        inverse = _inverse(noise)
        means = [
            common + among * sum(row[j] * (values[j] - common) for j in range(size))
            for row in inverse
        ]
        spread = [
            [among * ((i == j) - among * inverse[i][j]) for j in range(size)] for i in range(size)
        ]
        top = max(range(size), key=means.__getitem__)
        rivals = [
            i
            for i in range(size)
            if (means[top] - means[i]) ** 2
            <= FAR**2 * max(0.0, spread[top][top] + spread[i][i] - 2 * spread[top][i])
        ]
        root = _root([[spread[i][j] for j in rivals] for i in rivals])
        freedom = min(self.seen[version] for version in versions) - 1
        drawn = random.Random(0)
        wins = Counter[int]()
        for _ in range(DRAWS):
            normal = [drawn.gauss(0.0, 1.0) for _ in rivals]
            tails = math.sqrt(freedom / drawn.gammavariate(freedom / 2, 2.0))
            seen = [
                means[i] + tails * sum(map(float.__mul__, row, normal))
                for i, row in zip(rivals, root, strict=True)
            ]
            wins[rivals[seen.index(max(seen))]] += 1
        return {versions[i]: wins[i] / DRAWS for i in rivals}

    def _surely(self, one: int, other: int) -> int:
        """1 where one version is surely better than another, -1 where it is worse, else 0."""
        found = self.difference(one, other)
        if found is None or found.low is None or found.high is None:
            return 0
        return (found.low > 0) - (found.high < 0)

    def _variance(self, one: int, other: int) -> float:
        """The variance of the difference of two means."""
        both = self._covariance(one, one) + self._covariance(other, other)
        return max(0.0, both - 2 * self._covariance(one, other))

    def _covariance(self, one: int, other: int) -> float:
        return self.covariances.get((min(one, other), max(one, other)), 0.0)


def certainty(clusters: Iterable[Trials]) -> Certainty:
    """Work out what clusters say of the order of those that are in them.

    A mean is a ratio of two sums, r = sum(x) / sum(n). Two of them covary over the clusters by
    the sum of the products of what each cluster adds to them, (x - r n) / sum(n), times m / (m - 1)
    for m clusters (Cochran, *Sampling Techniques*, 6.4); versions that met have it in common.
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
    return Certainty(values, seen, covariances)


def percent(part: float) -> str:
    """Write how sure something is, never as quite sure: `87 %`, `over 99 %`."""
    if part > 0.99:
        return "over 99 %"
    return "under 1 %" if part < 0.01 else f"{100 * part:.0f} %"


def clusters_of_matches(results: Sequence[Result], games: Mapping[str, int]) -> list[Trials]:
    """The leads of every match, whose number of games is told by its key."""
    return [
        {
            version: (float(lead), games[result.key])
            for version, lead in zip(
                result.versions, leads(result.sides, result.ranks, result.scores), strict=True
            )
        }
        for result in results
    ]


def clusters_of_tourneys(
    results: Sequence[Result], versions: Iterable[int], settings: Mapping[str, Any]
) -> list[Trials]:
    """What each version held at the end of every tourney that is over, of a season's settings.

    Over is a tourney in which everybody has played its last round or can't pay for another one;
    what is left then counts as nothing where the settings say so. None of them where the options
    are not those of today's rules.
    """
    game = GAMES.get(str(settings.get("game", "")))
    if game is None:
        return []
    try:
        options = game.options(**(settings.get("options") or {}))
    except ValueError:
        return []
    last: dict[int, dict[int, tuple[int, int]]] = defaultdict(dict)
    for result in results:  # in key order, so that the last round comes last
        for version, purse in zip(result.versions, result.purses, strict=True):
            last[result.leg][version] = result.round, purse
    entered = {*versions}
    clusters: list[Trials] = []
    for held in last.values():
        solvent = {version: game.can_sit(options, purse) for version, (_, purse) in held.items()}
        over = all(n == settings.get("rounds") or not solvent[v] for v, (n, _) in held.items())
        if over and entered == {*held}:
            keeps = settings.get("broke") == "chips"
            clusters.append(
                {
                    v: (float(purse if solvent[v] or keeps else 0), 1)
                    for v, (_, purse) in held.items()
                }
            )
    return clusters


def student(freedom: int) -> float:
    """Within how many standard errors Student's distribution holds 95 %.

    By four terms of the expansion in 1 / freedom (Abramowitz and Stegun, 26.7.5), which is right
    to a thousandth from 5 degrees of freedom on.
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


def _root(matrix: Sequence[Sequence[float]]) -> list[list[float]]:
    """A lower triangle whose product with itself is this covariance matrix (Cholesky).

    Leads of those that always meet add up to nothing, so a column may be nought.
    """
    size = len(matrix)
    tiny = 1e-12 * max((matrix[i][i] for i in range(size)), default=0.0)
    rows = [[0.0] * size for _ in range(size)]
    for j in range(size):
        pivot = matrix[j][j] - sum(value * value for value in rows[j][:j])
        if pivot <= tiny:
            continue
        rows[j][j] = math.sqrt(pivot)
        for i in range(j + 1, size):
            known = sum(map(float.__mul__, rows[i][:j], rows[j][:j]))
            rows[i][j] = (matrix[i][j] - known) / rows[j][j]
    return rows


def _inverse(matrix: Sequence[Sequence[float]]) -> list[list[float]]:
    """The inverse of a covariance matrix that is positive definite, by its root."""
    root, size = _root(matrix), len(matrix)
    columns = []
    for k in range(size):
        solved = [0.0] * size
        for i in range(k, size):
            known = sum(map(float.__mul__, root[i][k:i], solved[k:i]))
            solved[i] = ((i == k) - known) / root[i][i]
        columns.append(solved)
    return [[sum(map(float.__mul__, one, other)) for other in columns] for one in columns]
