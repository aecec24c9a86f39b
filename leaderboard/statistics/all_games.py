"""One order over all games: a fit in which every game has the same weight.

Points of one game are not those of another. So each game's leads are counted in standard deviations
of one board's lead there, and the pairs that met at it have a weight of one in all, however many
boards they played and however many seats a table has (ratings i.1).
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from leaderboard.statistics.certainty import Certainty
from leaderboard.statistics.comparability import groups
from leaderboard.statistics.equations import between, dot, factored, inverse
from leaderboard.statistics.lead_fit import LeadTally
from leaderboard.statistics.noise import covariance
from leaderboard.statistics.rank_fit import RankTally

LOGISTIC = math.pi / math.sqrt(3)
"""The standard deviation of what decides who ends first, in units of a logarithm of worth."""

DIGITS = 9
"""Decimals of a strength."""


@dataclass(frozen=True, slots=True)
class GameFit:
    """A game's fit, how often each two versions met at it, and the standard deviation of one lead.

    `met` has the smaller id of each pair first, and `unit` is in the fit's units.
    """

    fit: Certainty
    met: Mapping[tuple[int, int], int]
    unit: float


def of_leads(tally: LeadTally) -> GameFit:
    """A game by its leads; the unit is 0 if they say nothing."""
    pairs = {key: lead for key, lead in tally.pairs().items() if key[0] < key[1]}
    squares = [
        (lead.boards, lead.error**2 * lead.boards)
        for _, lead in sorted(pairs.items())
        if lead.error is not None
    ]
    boards = sum(count for count, _ in squares)
    spread = math.fsum(count * square for count, square in squares) / boards if boards else 0.0
    return GameFit(
        tally.fit(), {key: lead.boards for key, lead in pairs.items()}, math.sqrt(spread)
    )


def of_ranks(tally: RankTally) -> GameFit:
    return GameFit(tally.fit(), tally.met(), LOGISTIC)


def all_games(games: Sequence[GameFit]) -> Certainty:
    """Every version's strength over all games, above the mean of those it is linked with.

    A game's strengths are fitted once more, with its pairs as the weights; the games' errors are
    independent. `seen` counts boards and clusters of all games. Games whose unit is 0 are left out.
    """
    told = [game for game in games if game.unit > 0 and game.met]
    linked = groups(pair for game in told for pair in sorted(game.met))
    values: dict[int, float] = {}
    covariances: dict[tuple[int, int], float] = {}
    seen: Counter[int] = Counter()
    for game in told:
        seen.update(game.fit.seen)
    for group in linked:
        place = {version: row for row, version in enumerate(group)}
        size = len(group)
        normal = [[1.0 / size] * size for _ in group]
        right: list[list[float]] = [[] for _ in group]
        scatter = [[0.0] * size for _ in group]
        for game in told:
            weights = _weights(game, place)
            for row in range(size):
                for column in range(size):
                    normal[row][column] += weights[row][column]
            strengths = [game.fit.values.get(version, 0.0) / game.unit for version in group]
            for row in range(size):
                right[row].append(dot(weights[row], strengths))
            errors = [
                [covariance(game.fit.covariances, one, other) / game.unit**2 for other in group]
                for one in group
            ]
            for row, line in enumerate(between(weights, errors)):
                for column, value in enumerate(line):
                    scatter[row][column] += value
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
    """What a game's pairs among these versions add to the normal equations, 1 in all."""
    found = [[0.0] * len(place) for _ in place]
    whole = sum(game.met.values())
    for (one, other), times in sorted(game.met.items()):
        if one in place and other in place:
            a, b, part = place[one], place[other], times / whole
            found[a][a] += part
            found[b][b] += part
            found[a][b] -= part
            found[b][a] -= part
    return found
