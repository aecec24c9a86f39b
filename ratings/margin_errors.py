"""The errors of fitted strengths: the sandwich over boards, and its degrees of freedom.

The covariance of the strengths is K S K, where K is the inverse of the normal equations and S sums
the products of each board's residuals (ratings g.3). A residual is too small by the board's own
pull on the fit, its leverage, and is made up for by what is left (ratings g.4). An interval is
Student's, for as many degrees of freedom as the boards that decide it give (ratings g.5).
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cache

from card_arena.ratings.certainty import Certainty
from card_arena.ratings.equations import Factor, Matrix, Sparse, dot, inverse

UNEXPLAINED = 0.25
"""The part of a variance that other bots' boards may have before they are looked at one by one."""

THOROUGH = 100_000
"""Up to so many versions times versions times tables, all boards are looked at for every pair."""

PINNED = 1e-9
"""A board with less than this left beside its leverage says nothing about its own noise."""

APART = 1e5
"""Two strengths whose difference has a variance of so many boards' can't be told apart at all."""

Sides = tuple[tuple[int, ...], ...]
"""The rows of the versions at a table, side by side."""


@dataclass(frozen=True, slots=True)
class BoardSums:
    """All boards of one composition: `scores` and `products` are the sides', a game.

    `scores` are sums over the boards and `products` sums of products of two sides' scores.
    """

    sides: Sides
    boards: int
    scores: Sequence[float]
    products: Matrix


class Errors:
    """The covariances of fitted strengths, and the degrees of freedom of their differences.

    Both are computed on access, pair by pair: a format that needs a few pairs does not wait for
    all. Pairs are rows of the fit, the smaller one first; a row with itself stands for the strength
    about the mean of all. `losses` are the variances of the strengths' losses by strike-outs.
    """

    def __init__(
        self,
        factor: Factor,
        tables: Sequence[BoardSums],
        strengths: Sequence[float],
        losses: Sequence[float],
    ) -> None:
        self._design = _Design(inverse(factor), tables)
        self._scatter = [*map(Sparse, self._design.scatter(strengths))]
        self._losses = losses
        self._half = cache(self._pulled)
        self.covariance = cache(self._covariance)
        """The covariance of two strengths."""
        self.freedom = cache(self._design.freedom)
        """The degrees of freedom of the difference of two strengths; 0 if its error is unknown."""

    def _covariance(self, one: int, other: int) -> float:
        loss = self._losses[one] if one == other else 0.0
        return dot(self._half(one), self._design.inverse[other]) + loss

    def _pulled(self, row: int) -> list[float]:
        """Return a row of the inverse times the scatter."""
        own = self._design.inverse[row]
        return [line.times(own) for line in self._scatter]


@dataclass(slots=True)
class _Boards:
    """The boards of one version or of two: how many, and what they add to the normal equations."""

    count: int = 0
    weight: float = 0.0


class _Design:
    """The tables of a fit, as far as errors depend on them.

    `inverse` is that of the normal equations with ones added, which shift all strengths alike.
    """

    def __init__(self, inverse: list[list[float]], tables: Sequence[BoardSums]) -> None:
        self.inverse = inverse
        self._tables = tables
        self._free = [self._left(table.sides) for table in tables]
        self._seen: defaultdict[tuple[int, int], _Boards] = defaultdict(_Boards)
        """The boards of two versions, the smaller row first; of one, if it stands there twice."""
        left = [0.0] * len(inverse)
        for table, free in zip(tables, self._free, strict=True):
            self._count(table)
            for side, part in zip(table.sides, free, strict=True):
                for version in side:
                    left[version] += table.boards * part
        self._part = [
            total / max(1, self._seen[version, version].count) for version, total in enumerate(left)
        ]
        """What is left of each version's boards beside their leverages, on the whole."""

    def _left(self, sides: Sides) -> list[float]:
        """Return the rest of a board beside its leverage, for each side; near 1 on one of many.

        Where a side's leverage is h among s sides, that is 1 - h s / (s - 1).
        """
        between_sides = [
            [_mean([self.inverse[a][b] for a in one for b in other]) for other in sides]
            for one in sides
        ]
        means = [_mean(row) for row in between_sides]
        middle, share = _mean(means), len(sides) / (len(sides) - 1)
        return [
            min(1.0, max(0.0, 1 - share * (row[side] - 2 * means[side] + middle)))
            for side, row in enumerate(between_sides)
        ]

    def _count(self, table: BoardSums) -> None:
        apart = 1 / len(table.sides)
        seated = sorted(
            (version, side, 1 / len(versions))
            for side, versions in enumerate(table.sides)
            for version in versions
        )
        for at, (one, side, part) in enumerate(seated):
            for other, its, other_part in seated[at:]:
                boards = self._seen[one, other]
                boards.count += table.boards
                boards.weight += table.boards * part * other_part * ((side == its) - apart)

    def scatter(self, strengths: Sequence[float]) -> list[list[float]]:
        """Return the sums over all boards of the products of residuals, corrected for leverage."""
        sums = [[0.0] * len(strengths) for _ in strengths]
        for table, free in zip(self._tables, self._free, strict=True):
            expected = _centred([_mean([strengths[v] for v in side]) for side in table.sides])
            total = _centred(table.scores)
            squares = _centred_both(table.products)
            grown = [1 / math.sqrt(part) if part > PINNED else 1.0 for part in free]
            residuals = _centred_both(
                [
                    [
                        grown[one]
                        * grown[other]
                        * (
                            square
                            - total[one] * expected[other]
                            - expected[one] * total[other]
                            + table.boards * expected[one] * expected[other]
                        )
                        for other, square in enumerate(row)
                    ]
                    for one, row in enumerate(squares)
                ]
            )
            for one, row in zip(table.sides, residuals, strict=True):
                for other, product in zip(table.sides, row, strict=True):
                    for a in one:
                        for b in other:
                            sums[a][b] += product / (len(one) * len(other))
        return sums

    def freedom(self, one: int, other: int) -> float:
        """Return the degrees of freedom of a difference, or of a strength about the mean of all.

        0 if nothing is known of its error. The variance of a difference is that of all boards, each
        by its share; the shares are those of equal noise. With n boards of the share s each, the
        freedom is 1 / (n s^2), less for leverage (ratings g.5).
        """
        own, its, size = self.inverse[one], self.inverse[other], len(self.inverse)
        alone = one == other
        variance = own[one] - 1 / size if alone else own[one] + its[other] - 2 * own[other]
        if not 0 < variance < APART:
            return 0.0
        if size * size * len(self._tables) > THOROUGH:
            few = self._by_own(one, variance) if alone else self._by_few(one, other, variance)
            if few is not None:
                return few
        against = [1 / size] * size if alone else its
        return self._by_all([mine - theirs for mine, theirs in zip(own, against, strict=True)])

    def _by_own(self, version: int, variance: float) -> float | None:
        """Return the freedom of a strength by the version's own boards; None if others decide it.

        The pull on the version's opponents follows from the normal equations: times the pull they
        are 1 for the version, less the mean of all.
        """
        own, size = self._seen[version, version], len(self.inverse)
        share = 2 * variance * (1 - 1 / size) - own.weight * variance**2
        if share < (1 - UNEXPLAINED) * variance:
            return None
        return own.count * self._part[version] * (variance / share) ** 2

    def _by_few(self, one: int, other: int, variance: float) -> float | None:
        """Return the freedom of a difference by the two's own boards; None if others decide it."""
        up = self.inverse[one][one] - self.inverse[one][other]
        down = self.inverse[other][other] - self.inverse[one][other]
        mine, theirs = self._seen[one, one], self._seen[other, other]
        both = self._seen.get((min(one, other), max(one, other)), _Boards())
        part, its = self._part[one], self._part[other]
        direct = both.count / mine.count * mine.weight * up * up
        direct += both.count / theirs.count * theirs.weight * down * down
        direct -= 2 * both.weight * up * down
        shares = [
            (both.count * (part + its) / 2, direct),
            ((mine.count - both.count) * part, (1 - both.count / mine.count) * mine.weight * up**2),
            (
                (theirs.count - both.count) * its,
                (1 - both.count / theirs.count) * theirs.weight * down**2,
            ),
        ]
        if abs(math.fsum(share for _, share in shares) - variance) > UNEXPLAINED * variance:
            return None
        if any(share > PINNED * variance and left <= PINNED for left, share in shares):
            return 0.0
        return variance**2 / math.fsum(share**2 / left for left, share in shares if left > PINNED)

    def _by_all(self, pull: Sequence[float]) -> float:
        """Return the freedom of a comparison by all boards; `pull` is the inverse times it."""
        shares, squares = [0.0], []
        nothing = PINNED * PINNED * math.fsum(value * value for value in pull)
        for table, free in zip(self._tables, self._free, strict=True):
            pulled = _centred([_mean([pull[version] for version in side]) for side in table.sides])
            parts = [value * value for value in pulled]
            share = math.fsum(parts)
            if share <= nothing:  # a rounding error
                continue
            grown = [
                part / left if left > PINNED else math.inf
                for part, left in zip(parts, free, strict=True)
                if part > PINNED * share
            ]
            shares.append(table.boards * share)
            squares.append(table.boards * share * math.fsum(grown))
        return math.fsum(shares) ** 2 / math.fsum(squares) if squares else 0.0


def _mean(values: Sequence[float]) -> float:
    return math.fsum(values) / len(values)


def _centred(values: Sequence[float]) -> list[float]:
    mean = _mean(values)
    return [value - mean for value in values]


def _centred_both(matrix: Matrix) -> list[list[float]]:
    """Return a matrix less the means of its rows and columns."""
    half = [_centred(row) for row in matrix]
    columns = [_centred(column) for column in zip(*half, strict=True)]
    return [list(row) for row in zip(*columns, strict=True)]


# Unseen scatter, for games with a widest difference of scores.
#
# Where a board is only won or lost, a few of them may all end alike by luck. Then they show no
# scatter, though there is some, and any margin would be sure. So a variance is that of the boards
# and of `UNSEEN` more, on which two bots were as far apart as the rules allow (ratings e.9).


UNSEEN = 2
"""The number of boards that are added, one to either side."""


def with_unseen(fit: Certainty, widest: float | None) -> Certainty:
    """Return the same values with errors that allow for boards which have not been seen.

    `widest` is the largest difference that two bots' values could have after one board; without it
    nothing changes. Of n boards a variance becomes n / (n + 2) of itself, and each version's own
    grows by its half of what two boards add that are `widest` from the mean.
    """
    if not widest:
        return fit
    parts = {version: many / (many + UNSEEN) for version, many in fit.seen.items() if many}
    covariances = {
        (one, other): value * math.sqrt(parts[one] * parts[other])
        for (one, other), value in fit.covariances.items()
    }
    for version, many in fit.seen.items():
        if many:
            more = UNSEEN * widest**2 / 2 / (many * (many + UNSEEN))
            own = version, version
            covariances[own] = covariances.get(own, 0.0) + more
    return replace(fit, covariances=covariances)
