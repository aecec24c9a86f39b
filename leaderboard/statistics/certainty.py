"""How sure a season's order is: which places may be luck, and how likely the first is the best.

A season's points are means: of what a bot held at the end of each leg, or of its leads. What is
independent is a leg, whose tables hand chips on to each other, or else a match, whose games
share cards. These are the clusters here, and each holds what a version made in how many trials.

The model, its sources and how well it is calibrated: docs/ratings.md, sections e and f.
"""

from __future__ import annotations

import math
import random
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from statistics import fmean, variance
from typing import Any

from leaderboard.results import Result, leads
from leaderboard.statistics.intervals import Estimate, Z
from tables.registry import GAMES

Trials = Mapping[int, tuple[float, int]]
"""A cluster: by version, what its trials add up to and how many they are."""

FEWEST = 6
"""An interval needs this many clusters at least: to win all of five is luck once in 16."""

DRAWS = 4000
"""How often the order is drawn anew: a chance is then exact to a percentage point."""

MOST = 60
"""The best one is looked for among this number of leaders."""

SPREAD = 1 / 3
"""How far apart bots are before anything is seen: the median, in standard errors of a mean."""

SPREADS = 100
"""How many values of the bots' spread are tried, each as likely beforehand."""

LEAST = 1e-3
"""A mean's variance is taken to be at least this part of the usual one; an estimate may be none."""


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

        The true means are taken to lie about a common one, and how widely is judged by what was
        seen: of many bots that are alike one is first by luck, and is not believed at once. So
        what was seen is drawn towards the common mean, each by how unsure it is, and the order is
        drawn `DRAWS` times; a version's chance is its share of the draws in which it comes first
        (ratings f.3; see `_spreads` and `_chances`). The same matches give the same draws.

        Chips scatter with what a bot bets, and so does what it may win: there a bot's spread is in
        units of its own scatter. Otherwise a bot that bets little would tell how little everybody
        can win, and every fortune would be luck (ratings f.7). How often such claims are right was
        tried out in simulated seasons (ratings f.8, ratings f.9).
        """
        if len(self.values) < 2 or min(self.seen.values()) < FEWEST:
            return None
        first = sorted(self.values, key=lambda version: (-self.values[version], version))
        clusters = [self.seen[version] for version in first]
        noise = self._staked_noise(first) if self.staked else self._noise(first)
        units = [fmean(noise)] * len(first)
        if self.staked:  # a common spread would take every fortune for luck
            usual = fmean(clusters)
            units = [own * seen / usual for own, seen in zip(noise, clusters, strict=True)]
        values = [self.values[version] for version in first]
        chances = _chances(values, noise, units, min(clusters) - 1)
        return {**dict.fromkeys(first, 0.0), **dict(zip(first, chances, strict=False))}

    def _noise(self, versions: Sequence[int]) -> list[float]:
        """The variance of each of these means, as if each had been seen alone.

        The covariances of few clusters are too unsure to be taken at their word, and those of leads
        that add up to nothing have no inverse. Only differences matter, so one variance a mean is
        fitted, by least squares, such that those of two add up to that of their difference
        (quasi-variances [Firth 2004]). In leads of those that always meet it undoes what the lead
        of one owes to the others. Then each is drawn towards the usual one, by how much more they
        differ than the estimates of equal variances would, which have a relative variance of
        2 / (m - 1) from m clusters (credibility [Bühlmann 1967]; ratings f.4).
        """
        size = len(versions)
        own = [self._covariance(version, version) for version in versions]
        shared = dict(zip(versions, own, strict=True))  # by version, what its row adds up to
        for (one, other), value in self.covariances.items():
            if one != other:
                shared[one] += value
                shared[other] += value
        total = (size * sum(own) - sum(shared.values())) / (size - 1)
        alone = [total / 2] * 2
        if size > 2:
            differences = [
                size * its + sum(own) - 2 * shared[version]
                for version, its in zip(versions, own, strict=True)
            ]
            alone = [(found - total) / (size - 2) for found in differences]
        clusters = [self.seen[version] for version in versions]
        each = [its * seen for its, seen in zip(alone, clusters, strict=True)]
        usual = fmean(each)
        if usual <= 0:  # all made the same in every cluster
            return [0.0] * size
        luck = [2 / (seen - 1) for seen in clusters]
        differing = variance(each) / usual**2
        real = max(0.0, (differing - fmean(luck)) / (1 + fmean(luck)))
        return [
            max(LEAST * usual, usual + real / (real + (1 + real) * by) * (found - usual)) / seen
            for found, by, seen in zip(each, luck, clusters, strict=True)
        ]

    def _staked_noise(self, versions: Sequence[int]) -> list[float]:
        """The variance of each of these means of chips, which may be a thousand times another's.

        Each is drawn towards the usual one in logarithms, by how much more these differ than those
        of estimates of equal variances would: 2 / (m - 1) + 2 / (m - 1)^2 from m clusters
        (ratings f.7).
        """
        clusters = [self.seen[version] for version in versions]
        each = [
            self._covariance(version, version) * seen
            for version, seen in zip(versions, clusters, strict=True)
        ]
        if not any(each):
            return each
        least = LEAST**2 * max(each)
        logs = [math.log(max(its, least)) for its in each]
        usual = fmean(logs)
        luck = [2 / (seen - 1) + 2 / (seen - 1) ** 2 for seen in clusters]
        real = max(0.0, variance(logs) - fmean(luck))
        return [
            math.exp(usual + real / (real + by) * (log - usual)) / seen
            for log, by, seen in zip(logs, luck, clusters, strict=True)
        ]

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


def clusters_of_legs(
    results: Sequence[Result], versions: Iterable[int], settings: Mapping[str, Any]
) -> list[Trials]:
    """What each version held at the end of every leg that is over, of a contest's settings.

    A leg is over when everybody has played its last round or can't pay for another one; what is
    left then counts as nothing where the settings say so. There are none where the options are not
    those of today's rules.
    """
    game = GAMES.get(str(settings.get("game", "")))
    if game is None:
        return []
    try:
        options = game.options(**(settings.get("options") or {}))
    except ValueError:
        return []
    chosen = settings.get("format")
    contest = chosen.get("contest") or {} if isinstance(chosen, Mapping) else settings
    last: dict[int, dict[int, tuple[int, int]]] = defaultdict(dict)
    for result in results:  # in key order, so that the last round comes last
        for version, purse in zip(result.versions, result.purses, strict=True):
            last[result.leg][version] = result.round, purse
    entered = {*versions}
    clusters: list[Trials] = []
    for held in last.values():
        solvent = {version: game.can_sit(options, purse) for version, (_, purse) in held.items()}
        over = all(n == contest.get("rounds") or not solvent[v] for v, (n, _) in held.items())
        if over and entered == {*held}:
            keeps = contest.get("broke") == "chips"
            clusters.append(
                {
                    v: (float(purse if solvent[v] or keeps else 0), 1)
                    for v, (_, purse) in held.items()
                }
            )
    return clusters


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


def _chances(
    values: Sequence[float], noise: Sequence[float], units: Sequence[float], freedom: int
) -> list[float]:
    """The chance of each of the first `MOST` to be the best, of means in falling order.

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
