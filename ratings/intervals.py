"""Means and rates with their 95 % intervals, when games of one match share cards.

Games of a match are not independent trials: they are played with the same packs, or by the same
processes. So every figure is computed from clusters, each a pair of numbers: a sum, and the number
of trials. With clusters of one trial this is the textbook formula. The formulas are in
docs/ratings.md, whose paragraph e.1 is cited as "ratings e.1".
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from card_arena.ratings.match_results import Result, luck_shares_of, margins, margins_of_luck
from card_arena.tables.luck import UNIT

Z = 1.959964
"""The number of standard errors that contains 95 % of the normal distribution."""

FEWEST = 5
"""The fewest clusters for an interval; fewer don't show how much they scatter."""

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
    """Return a figure that was computed, without an interval or trials."""
    return Estimate(value, None, None, None)


def mean(clusters: Iterable[Cluster]) -> Estimate:
    """Return the mean over all trials, with Student's interval of a ratio of two sums.

    The variance of sum(x) / sum(n) over m clusters is m / (m - 1) * sum((x - r n)^2) / sum(n)^2,
    r being the ratio [Cochran 1977, 6.4], and has m - 1 degrees of freedom (ratings e.2). There is
    no interval from fewer than `FEWEST` clusters. Raises `ValueError` without trials.
    """
    counted, trials = _counted(clusters)
    value = math.fsum(x for x, _ in counted) / trials
    return _of_means(value, len(counted), _squares(counted, value), trials)


def mean_of_sums(clusters: int, x: float, n: int, *, xx: float, xn: float, nn: float) -> Estimate:
    """Return the same mean, given the number of clusters and the sums of x, n, x x, x n and n n.

    Where x is large beside its scatter some digits of the interval are lost.
    """
    value = x / n
    squares = max(0.0, xx - 2 * value * xn + value**2 * nn)
    return _of_means(value, clusters, squares, n)


def _of_means(value: float, count: int, squares: float, trials: int) -> Estimate:
    if count < FEWEST:
        return Estimate(value, None, None, trials)
    reach = student(count - 1) * math.sqrt(count / (count - 1) * squares) / trials
    return Estimate(value, value - reach, value + reach, trials)


def rate(clusters: Iterable[Cluster]) -> Estimate:
    """Return the rate of successes, with Wilson's interval for the effective number of trials.

    Correlated trials in a cluster are worth fewer than their number, those of a board that both
    sides played are worth more: the variance between clusters says how many. If every cluster has
    the same rate, that variance says nothing and each cluster counts as one trial. The variance is
    itself estimated from m clusters, so the interval is as wide as Student's is for m - 1 degrees
    of freedom (ratings e.3, ratings e.4). There is none from fewer than `FEWEST` clusters. Raises
    `ValueError` without trials.
    """
    counted, trials = _counted(clusters)
    value = math.fsum(x for x, _ in counted) / trials
    count = len(counted)
    if count < FEWEST:
        return Estimate(value, None, None, trials)
    squares = count / (count - 1) * _squares(counted, value)
    worth = count if squares < 1e-12 else value * (1 - value) * trials**2 / squares
    low, high = wilson(value, worth, student(count - 1))
    return Estimate(value, low, high, trials)


def wilson(value: float, trials: float, z: float = Z) -> tuple[float, float]:
    """Return the interval of [Wilson 1927] for a rate; the number of trials need not be whole.

    `z` is the number of standard errors that it reaches to either side, for 95 % by default.
    """
    weight = 1 + z * z / trials
    middle = (value + z * z / (2 * trials)) / weight
    reach = z / weight * math.sqrt(value * (1 - value) / trials + (z / (2 * trials)) ** 2)
    return max(0.0, middle - reach), min(1.0, middle + reach)


_QUANTILES = (
    *(12.706205, 4.302653, 3.182446, 2.776445, 2.570582),
    *(2.446912, 2.364624, 2.306004, 2.262157, 2.228139),
)
"""The quantiles for 1 to 10 degrees of freedom, where the expansion is poor."""


def student(freedom: float) -> float:
    """Return the number of standard errors that contains 95 % of Student's distribution.

    The degrees of freedom, at least 1, need not be whole. Up to 10 the quantile comes from a table,
    beyond from four terms of the expansion in 1 / freedom [Abramowitz 1964, 26.7.5], and between
    whole numbers it is interpolated; whole numbers are right to a hundred-thousandth (ratings e.6).
    """
    if freedom < 1:
        raise ValueError(f"Student's distribution needs 1 degree of freedom or more, not {freedom}")
    least = int(freedom)
    if least >= len(_QUANTILES):
        return _expanded(freedom)
    below, above = _QUANTILES[least - 1 : least + 1]
    # (quantile - Z) * freedom is nearly a straight line in 1 / freedom
    start, end = (below - Z) * least, (above - Z) * (least + 1)
    part = (1 / least - 1 / freedom) * least * (least + 1)
    return Z + (start + part * (end - start)) / freedom


def _expanded(freedom: float) -> float:
    z = Z
    terms = (
        (z**3 + z) / 4,
        (5 * z**5 + 16 * z**3 + 3 * z) / 96,
        (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / 384,
        (79 * z**9 + 776 * z**7 + 1482 * z**5 - 1920 * z**3 - 945 * z) / 92160,
    )
    return z + sum(term / freedom**power for power, term in enumerate(terms, start=1))


def _counted(clusters: Iterable[Cluster]) -> tuple[Sequence[Cluster], int]:
    """Return the clusters with at least one trial, and the number of trials."""
    counted = [cluster for cluster in clusters if cluster[1]]
    if not counted:
        raise ValueError("A mean needs at least one trial.")
    return counted, sum(count for _, count in counted)


def _squares(clusters: Sequence[Cluster], value: float) -> float:
    return math.fsum((x - value * count) ** 2 for x, count in clusters)


# The independent units of a season: the clusters behind every mean and its error.
#
# A season's points are means: of a bot's final chips in each leg, or of its margins. The
# independent unit is a leg, whose tables pass chips on to each other, or else a match, whose
# games share cards. A cluster holds the score of each version and the number of its trials.


Trials = Mapping[int, tuple[float, int]]
"""A cluster: the sum and the number of trials of each version."""


def clusters_of_matches(results: Sequence[Result], games: Mapping[str, int]) -> list[Trials]:
    """Return the margins of every match; `games` maps keys to the number of games of the match."""
    return [
        {
            version: (float(margin), games[result.key])
            for version, margin in zip(result.versions, margins(result), strict=True)
        }
        for result in results
    ]


def clusters_of_legs(finals: Mapping[int, Iterable[tuple[int, int]]]) -> list[Trials]:
    """Return the chips of the versions at the end of each leg, given those of each version by leg.

    A version without a table in a leg is not in its cluster, as the leg does not count for it.
    """
    legs: dict[int, dict[int, tuple[float, int]]] = defaultdict(dict)
    for version, held in finals.items():
        for leg, chips in held:
            legs[leg][version] = float(chips), 1
    return [legs[leg] for leg in sorted(legs)]


def margins_less_luck(results: Iterable[Result]) -> Mapping[int, Estimate]:
    """Return each version's mean margin a game less luck, over the matches with known luck."""
    known = [result for result in results if result.luck and len({*result.sides}) > 1]
    clusters: dict[int, list[Cluster]] = {}
    for result, shares in zip(known, luck_shares_of(known), strict=True):
        boards = margins_of_luck(result)
        for entrant, (version, margin) in enumerate(
            zip(result.versions, margins(result), strict=True)
        ):
            luck = sum(board[entrant] * share for board, share in zip(boards, shares, strict=True))
            cluster = float(margin - luck / UNIT), result.games
            clusters.setdefault(version, []).append(cluster)
    return {version: mean(own) for version, own in clusters.items()}


@dataclass(slots=True)
class Stratum:
    """The boards of one kind: their number, and the exact sums of their values and squares."""

    boards: int = 0
    total: Fraction = Fraction()
    squares: Fraction = Fraction()

    def add(self, value: Fraction, times: int = 1) -> None:
        """Count a board; -1 `times` removes one that was added before."""
        self.boards += times
        self.total += times * value
        self.squares += times * value * value

    @property
    def mean(self) -> Fraction:
        """The mean of the boards; there must be one."""
        return self.total / self.boards

    @property
    def variance(self) -> Fraction:
        """The variance of the mean, from at least two boards."""
        spread = self.squares - self.boards * self.mean**2
        return spread / (self.boards - 1) / self.boards


def mean_of(strata: Sequence[Stratum]) -> Fraction:
    """Return the mean of the strata's means, exactly; each must have boards."""
    return sum((stratum.mean for stratum in strata), Fraction()) / len(strata)


def stratified(strata: Sequence[Stratum]) -> Estimate:
    """Return the mean of the strata's means with its 95 % interval.

    Its variance is the mean of theirs, divided by their number [Cochran 1977, 5.3]; the degrees of
    freedom are those of [Welch 1947] (ratings l.2). There is no interval if any stratum has a
    single board or all together fewer than `FEWEST`.
    """
    value, trials = float(mean_of(strata)), sum(stratum.boards for stratum in strata)
    if trials < FEWEST or any(stratum.boards < 2 for stratum in strata):
        return Estimate(value, None, None, trials)
    variances = [stratum.variance for stratum in strata]
    total = sum(variances, Fraction())
    if not total:
        return Estimate(value, value, value, trials)
    parts = zip(variances, strata, strict=True)
    freedom = total**2 / sum((v**2 / (stratum.boards - 1) for v, stratum in parts), Fraction())
    reach = student(max(1, int(freedom))) * math.sqrt(total) / len(strata)
    return Estimate(value, value - reach, value + reach, trials)
