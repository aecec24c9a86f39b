"""One order over all games: a fit in which every game has the same weight.

Points of one game are not those of another. So each game's margins are counted in standard
deviations of one board's margin there, and the pairs that met at it have a weight of one in all,
however many boards they played and however many seats a table has (ratings i.1).
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from card_arena.ratings.certainty import Certainty, covariance
from card_arena.ratings.equations import between, dot, factored, inverse
from card_arena.ratings.intervals import FEWEST
from card_arena.ratings.margin_fit import MarginTally, PairMargin, groups
from card_arena.ratings.rank_fit import RankTally

LOGISTIC = math.pi / math.sqrt(3)
"""The standard deviation of the logistic distribution, in units of a logarithm of worth."""

DIGITS = 9
"""Decimals of a strength."""


@dataclass(frozen=True, slots=True)
class GameFit:
    """A game's fit, how often two versions met at it, and the standard deviation of one margin.

    `met` has the smaller id of each pair first, and `unit` is in the fit's units.
    """

    fit: Certainty
    met: Mapping[tuple[int, int], int]
    unit: float


def of_margins(tally: MarginTally) -> GameFit:
    """Fit a game by its margins; the unit is 0 if no margin has an error."""
    pairs = {key: margin for key, margin in tally.pairs().items() if key[0] < key[1]}
    squares = [
        (margin.boards, margin.error**2 * margin.boards)
        for _, margin in sorted(pairs.items())
        if margin.error is not None
    ]
    boards = sum(count for count, _ in squares)
    spread = math.fsum(count * square for count, square in squares) / boards if boards else 0.0
    return GameFit(
        tally.fit(), {key: margin.boards for key, margin in pairs.items()}, math.sqrt(spread)
    )


def of_ranks(tally: RankTally) -> GameFit:
    return GameFit(tally.fit(), tally.met(), LOGISTIC)


def all_games(games: Sequence[GameFit]) -> Certainty:
    """Return every version's strength over all games, above the mean of its group.

    A game's strengths are fitted once more, with its pairs as the weights; the games' errors are
    independent. `seen` counts boards and clusters of all games. Games whose unit is 0 are left out.
    """
    counted = [game for game in games if game.unit > 0 and game.met]
    linked = groups(pair for game in counted for pair in sorted(game.met))
    values: dict[int, float] = {}
    covariances: dict[tuple[int, int], float] = {}
    seen: Counter[int] = Counter()
    for game in counted:
        seen.update(game.fit.seen)
    for group in linked:
        place = {version: row for row, version in enumerate(group)}
        size = len(group)
        normal = [[1.0 / size] * size for _ in group]
        right: list[list[float]] = [[] for _ in group]
        scatter = [[0.0] * size for _ in group]
        for game in counted:
            weights = _weights(game, place)
            strengths = [game.fit.values.get(version, 0.0) / game.unit for version in group]
            errors = [
                [covariance(game.fit.covariances, one, other) / game.unit**2 for other in group]
                for one in group
            ]
            sandwich = between(weights, errors)
            for row in range(size):
                right[row].append(dot(weights[row], strengths))
                for column in range(size):
                    normal[row][column] += weights[row][column]
                    scatter[row][column] += sandwich[row][column]
        bread = inverse(factored(normal))
        sums = [math.fsum(parts) for parts in right]
        values |= {
            version: round(dot(bread[place[version]], sums), DIGITS) + 0.0 for version in group
        }
        sandwich = between(bread, scatter)
        covariances |= {
            (one, other): sandwich[place[one]][place[other]]
            for one in group
            for other in group
            if one <= other
        }
    return Certainty(values, {v: seen[v] for v in values}, covariances, groups=linked)


def _weights(game: GameFit, place: Mapping[int, int]) -> list[list[float]]:
    """Return the part of a game's pairs in the normal equations; all its weights add up to 1."""
    weights = [[0.0] * len(place) for _ in place]
    whole = sum(game.met.values())
    for (one, other), times in sorted(game.met.items()):
        if one in place and other in place:
            a, b, part = place[one], place[other], times / whole
            weights[a][a] += part
            weights[b][b] += part
            weights[a][b] -= part
            weights[b][a] -= part
    return weights


# Three-cycles: A leads B, B leads C and C leads A, each more surely than luck explains.
#
# No strengths can show one. A cycle is as sure as the least sure of its three margins, and since
# many triples are looked at, its level is divided by the number of cycles that there could be
# (ratings j.1).


LEVEL = 0.05
"""The chance that luck alone shows any cycle, at most."""


@dataclass(frozen=True, slots=True)
class Cycle:
    """Three versions of which each leads the next, and the last the first.

    The one with the smallest id is first. `margins` are those of each over the next. `chance` is
    the probability that luck alone makes any cycle as sure as this one, at most.
    """

    versions: tuple[int, int, int]
    margins: tuple[PairMargin, PairMargin, PairMargin]
    chance: float


def three_cycles(pairs: Mapping[tuple[int, int], PairMargin]) -> tuple[Cycle, ...]:
    """Return the cycles among margins head to head, given both ways round, the surest first."""
    margins = {key: margin for key, margin in pairs.items() if margin.estimate is not None}
    met: defaultdict[int, set[int]] = defaultdict(set)
    for one, other in margins:
        met[one].add(other)
    possible = sum(len(met[one] & met[other]) for one, other in margins) / 3  # both ways round
    luck = {key: _luck(margin) for key, margin in margins.items() if margin.margin > 0}
    beaten: defaultdict[int, list[int]] = defaultdict(list)
    for (one, other), chance in sorted(luck.items()):
        if chance * possible <= LEVEL:
            beaten[one].append(other)
    cycles = []
    for one in sorted(beaten):
        for other in beaten[one]:
            for third in beaten.get(other, ()):
                edges = (one, other), (other, third), (third, one)
                if one < min(other, third) and one in beaten.get(third, ()):
                    chance = possible * max(luck[edge] for edge in edges)
                    own = margins[edges[0]], margins[edges[1]], margins[edges[2]]
                    cycles.append(Cycle((one, other, third), own, chance))
    return tuple(sorted(cycles, key=lambda cycle: (cycle.chance, cycle.versions)))


def _luck(margin: PairMargin) -> float:
    """Return the chance that two equal bots show this margin or a greater one."""
    if margin.error is None or margin.boards < FEWEST:
        return 1.0
    if not margin.error:  # every board gave the same margin
        return 0.5**margin.boards
    return beyond(margin.margin / margin.error, margin.boards - 1)


def beyond(reach: float, freedom: int) -> float:
    """Return the part of Student's distribution above so many standard errors, of whole degrees.

    By the finite series of [Abramowitz 1964, 26.7.3, 26.7.4].
    """
    angle = math.atan(reach / math.sqrt(freedom))
    cosine = math.cos(angle)
    term, total = (cosine, cosine) if freedom % 2 else (1.0, 1.0)
    for n in range(3 if freedom % 2 else 2, freedom - 1, 2):
        term *= (n - 1) / n * cosine * cosine
        total += term
    if freedom % 2:
        if freedom == 1:
            total = 0.0
        middle = 2 / math.pi * (angle + math.sin(angle) * total)
    else:
        middle = math.sin(angle) * total
    return max(0.0, (1 - middle) / 2)
