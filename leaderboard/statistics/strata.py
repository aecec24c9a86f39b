"""The mean over several kinds of boards that count alike, however many there were of each."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from leaderboard.statistics.intervals import FEWEST, Estimate, student


@dataclass(slots=True)
class Stratum:
    """The boards of one kind: their number, and the exact sums of what they came to."""

    boards: int = 0
    total: Fraction = Fraction()
    squares: Fraction = Fraction()

    def add(self, value: Fraction) -> None:
        self.boards += 1
        self.total += value
        self.squares += value * value

    def remove(self, value: Fraction) -> None:
        """Count a board no more that was added before."""
        self.boards -= 1
        self.total -= value
        self.squares -= value * value

    @property
    def mean(self) -> Fraction:
        """What a board came to on average; there must be one."""
        return self.total / self.boards

    @property
    def variance(self) -> Fraction:
        """The variance of the mean, from at least two boards."""
        spread = self.squares - self.boards * self.mean**2
        return spread / (self.boards - 1) / self.boards


def mean_of(strata: Sequence[Stratum]) -> Fraction:
    """The mean of the strata's means: exact, so it may decide; there must be boards in each."""
    return sum((each.mean for each in strata), Fraction()) / len(strata)


def stratified(strata: Sequence[Stratum]) -> Estimate:
    """The mean of the strata's means with its 95 % interval.

    Its variance is the mean of theirs, divided by their number [Cochran 1977, 5.3]; the degrees of
    freedom are those of [Welch 1947] (ratings l.2). There is no interval if any stratum has a
    single board or all together fewer than `FEWEST`.
    """
    value, trials = float(mean_of(strata)), sum(each.boards for each in strata)
    if trials < FEWEST or any(each.boards < 2 for each in strata):
        return Estimate(value, None, None, trials)
    variances = [each.variance for each in strata]
    total = sum(variances, Fraction())
    if not total:
        return Estimate(value, value, value, trials)
    parts = zip(variances, strata, strict=True)
    freedom = total**2 / sum((v**2 / (each.boards - 1) for v, each in parts), Fraction())
    reach = student(max(1, int(freedom))) * math.sqrt(total) / len(strata)
    return Estimate(value, value - reach, value + reach, trials)
