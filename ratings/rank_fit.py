"""Strengths fitted to ranks alone, where scores are no margins: the model of Plackett and Luce.

In a match the winner is chosen among all by chance, each entrant by its share of their worth, then
the second among the others, and so on. A strength is the logarithm of a worth, so that a bot 1
ahead of another ends before it in 73 matches of 100 (ratings h.1). The order of the matches changes
nothing.
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import combinations, groupby

from card_arena.ratings.certainty import Certainty
from card_arena.ratings.equations import between, factored, inverse, solved
from card_arena.ratings.margin_fit import groups
from card_arena.ratings.match_results import Result

PRIOR = 0.1
"""The prior wins and losses of every version against a bot of worth 1."""

DIGITS = 9
"""Decimals of a strength: later ones may differ between machines."""

CLOSE = 1e-11
"""The fit ends when no strength moves by more than this."""

STEPS = 500
"""The most steps that a fit may take; it needs some ten."""

Order = tuple[tuple[int, ...], ...]
"""The order of a match: groups of tied versions, the first before the second."""

Choices = Mapping[tuple[int, ...], float]
"""The number of choices from each set of versions."""


class RankTally:
    """The ranks of some matches, added one by one in any order.

    Matches of a leg in which chips are carried on depend on each other and are one cluster; every
    other match is its own. Matches with partners are left out: margins tell partners apart.
    """

    def __init__(self, results: Iterable[Result] = ()) -> None:
        self._clusters: defaultdict[str, Counter[Order]] = defaultdict(Counter)
        for result in results:
            self.add(result)

    def add(self, result: Result) -> None:
        if not 1 < len({*result.sides}) == len(result.sides):
            return
        ranked = sorted(zip(result.ranks, result.versions, strict=True))
        order = tuple(
            tuple(version for _, version in tied) for _, tied in groupby(ranked, lambda it: it[0])
        )
        season = "/".join(result.key.split("/")[:2])
        key = f"{season} leg {result.leg}" if result.purses else result.key
        self._clusters[key][order] += 1

    def met(self) -> Mapping[tuple[int, int], int]:
        """Return the number of matches of every two versions, the smaller id first."""
        met: Counter[tuple[int, int]] = Counter()
        for orders in self._clusters.values():
            for order, times in orders.items():
                for pair in combinations(sorted(v for tied in order for v in tied), 2):
                    met[pair] += times
        return met

    def strengths(self) -> Mapping[int, float]:
        """Return every version's logarithm of worth, above the mean of all."""
        return self._fitted()[0]

    def fit(self) -> Certainty:
        """Return the strengths and their errors, by the sandwich over clusters."""
        strengths, worth, choices = self._fitted()
        versions = list(strengths)
        place = {version: row for row, version in enumerate(versions)}
        size = len(versions)
        scatter = [[0.0] * size for _ in versions]
        seen: Counter[int] = Counter()
        for _, orders in sorted(self._clusters.items()):
            playing = {version for order in orders for tied in order for version in tied}
            pull = dict.fromkeys(sorted(playing), 0.0)
            for order, times in sorted(orders.items()):
                for chosen, among, part in _choices(order):
                    total = math.fsum(worth[version] for version in among)
                    for version in among:
                        expected = len(chosen) * worth[version] / total
                        pull[version] += times * part * ((version in chosen) - expected)
            seen.update(pull.keys())
            for one, own in pull.items():
                for other, its in pull.items():
                    scatter[place[one]][place[other]] += own * its
        if not versions:
            return Certainty({}, {}, {})
        bread = inverse(factored(_curvature(versions, worth, choices)))
        sandwich = between(bread, scatter)
        means = [math.fsum(row) / size for row in sandwich]
        mean = math.fsum(means) / size
        covariances = {
            (one, other): _grown(seen[one], seen[other])
            * (sandwich[place[one]][place[other]] - means[place[one]] - means[place[other]] + mean)
            for one in versions
            for other in versions
            if one <= other
        }
        return Certainty(strengths, seen, covariances, groups=groups(sorted(self.met())))

    def _fitted(self) -> tuple[Mapping[int, float], Mapping[int, float], Choices]:
        orders: Counter[Order] = Counter()
        for its in self._clusters.values():
            orders.update(its)
        won: defaultdict[int, Fraction] = defaultdict(Fraction)
        counted: defaultdict[tuple[int, ...], Fraction] = defaultdict(Fraction)
        for order, times in orders.items():
            for chosen, among, part in _choices(order):
                counted[among] += times * part * len(chosen)
                for version in chosen:
                    won[version] += times * part
                for version in among:
                    won[version] += 0
        choices = {among: float(part) for among, part in sorted(counted.items())}
        wins = {version: float(won[version]) for version in sorted(won)}
        worth = _worths(wins, choices)
        logs = {version: math.log(value) for version, value in worth.items()}
        mean = math.fsum(logs.values()) / len(logs) if logs else 0.0
        strengths = {version: round(log - mean, DIGITS) + 0.0 for version, log in logs.items()}
        return strengths, worth, choices


def _choices(order: Order) -> Iterator[tuple[tuple[int, ...], tuple[int, ...], Fraction]]:
    """Yield the choices of a match: the chosen, those they are chosen from, and the weight.

    A tie may have been any order of its members, all equally likely (ratings h.3): while some of
    them are left, each of these is chosen with the same weight.
    """
    for at, tied in enumerate(order):
        after = [version for others in order[at + 1 :] for version in others]
        for left in range(len(tied), 0, -1):
            if left + len(after) < 2:
                continue
            part = Fraction(1, math.comb(len(tied), left) * left)
            for chosen in combinations(tied, left):
                yield chosen, tuple(sorted([*chosen, *after])), part


def _worths(wins: Mapping[int, float], choices: Choices) -> dict[int, float]:
    """Return the likeliest worths, by minorisation and maximisation [Hunter 2004, section 5].

    Where the steps have become small, Newton's method ends what would take hundreds more of them.
    """
    worth = dict.fromkeys(wins, 1.0)
    if not wins:
        return worth
    versions = list(wins)
    for step in range(STEPS):
        shares: dict[int, list[float]] = {version: [] for version in versions}
        for among, times in choices.items():
            share = times / math.fsum(worth[version] for version in among)
            for version in among:
                shares[version].append(share)
        expected = {
            version: math.fsum(its) + 2 * PRIOR / (worth[version] + 1)
            for version, its in shares.items()
        }
        if step < 5:
            worth = {version: (wins[version] + PRIOR) / expected[version] for version in versions}
            continue
        slope = [wins[version] + PRIOR - worth[version] * expected[version] for version in versions]
        move = solved(factored(_curvature(versions, worth, choices)), slope)
        far = max(map(abs, move))
        scale = min(1.0, 1 / far) if far else 1.0
        worth = {v: worth[v] * math.exp(scale * by) for v, by in zip(versions, move, strict=True)}
        if far < CLOSE:
            break
    return worth


def _curvature(
    versions: Sequence[int], worth: Mapping[int, float], choices: Choices
) -> list[list[float]]:
    """Return the curvature of the likelihood at these worths, by pairs of strengths."""
    place = {version: row for row, version in enumerate(versions)}
    curvature = [[0.0] * len(versions) for _ in versions]
    for row, version in enumerate(versions):
        own = worth[version]
        curvature[row][row] = 2 * PRIOR * own / (own + 1) ** 2
    for among, times in choices.items():
        total = math.fsum(worth[version] for version in among)
        parts = [(place[version], worth[version] / total) for version in among]
        for row, part in parts:
            curvature[row][row] += times * part
            for column, other in parts:
                curvature[row][column] -= times * part * other
    return curvature


def _grown(one: int, other: int) -> float:
    """Return the correction of a covariance for the numbers of clusters: m / (m - 1)."""
    return math.prod(math.sqrt(m / (m - 1)) if m > 1 else 0.0 for m in (one, other))
