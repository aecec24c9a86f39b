"""Seasons of bots of known strength, told to the arena's own statistics.

Every function plays one season and yields, for each interval that the arena prints of it, the kind
of the interval and whether it holds the truth.
"""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Iterator, Mapping, Sequence

from card_arena.ratings.certainty import certainty
from card_arena.ratings.intervals import Estimate, mean, rate
from card_arena.ratings.margin_fit import MarginTally
from card_arena.ratings.match_results import Result
from card_arena.ratings.rank_fit import RankTally
from card_arena.ratings.sequential import Margins, interval
from card_arena.tests.coverage.noises import Noise

Held = Iterator[tuple[str, bool]]

BOTS = 12
POINTS = 1000
"""Points that the standard deviation of a board's noise is worth: scores are whole."""


def holds(found: Estimate | None, truth: float) -> Iterator[bool]:
    """Whether an interval holds the truth; nothing if there is none."""
    if found is not None and found.low is not None and found.high is not None:
        yield found.low <= truth <= found.high


def means(rng: random.Random, noise: Noise, clusters: int) -> Held:
    """A mean of ten games a cluster, which share their luck in part; and two of them compared."""
    shared = [noise(rng) for _ in range(clusters)]
    games = [(10 * luck + sum(noise(rng) for _ in range(10)), 10) for luck in shared]
    for held in holds(mean(games), 0.0):
        yield "mean", held
    pairs = [(luck + noise(rng), luck + 2 * noise(rng)) for luck in shared]
    points = certainty([{0: (one, 1), 1: (other, 1)} for one, other in pairs])
    for held in holds(points.difference(0, 1), 0.0):
        yield "difference of means", held


def rates(rng: random.Random, part: float, clusters: int) -> Held:
    """A rate of ten games a cluster, whose chances differ from cluster to cluster."""
    won = []
    for _ in range(clusters):
        luck = rng.betavariate(8 * part, 8 * (1 - part))
        won.append((sum(rng.random() < luck for _ in range(10)), 10))
    for held in holds(rate(won), part):
        yield f"rate of {part:g}", held


def played(table: Sequence[int], scores: Sequence[int], key: str = "t/0001/r1/a") -> Result:
    """A match of one board."""
    ranks = tuple(sum(other > own for other in scores) for own in scores)
    return Result(
        key=key,
        leg=1,
        round=1,
        versions=tuple(table),
        sides=tuple(range(len(table))),
        ranks=ranks,
        scores=tuple(scores),
        purses=(),
        boards=(tuple(scores),),
    )


Tables = Callable[[random.Random, MarginTally, int, int], Iterator[list[int]]]


def by_lot(rng: random.Random, tally: MarginTally, seats: int, boards: int) -> Iterator[list[int]]:
    """Everybody plays in every round, with whom is drawn."""
    for _ in range(boards):
        order = rng.sample(range(BOTS), BOTS)
        yield from (order[first : first + seats] for first in range(0, BOTS, seats))


def by_results(
    rng: random.Random, tally: MarginTally, seats: int, boards: int
) -> Iterator[list[int]]:
    """Five rounds of a Swiss: bots of like strength, those first that met least."""
    met: dict[frozenset[int], int] = {}
    for number in range(5):
        strengths = tally.strengths() if number else {}
        left = sorted(rng.sample(range(BOTS), BOTS), key=lambda bot: -strengths.get(bot, 0.0))
        while left:
            table = [left.pop(0)]
            while len(table) < seats:
                again = [sum(met.get(frozenset((bot, it)), 0) for it in table) for bot in left]
                table.append(left.pop(again.index(min(again))))
            for one in table:
                for other in table:
                    met[frozenset((one, other))] = met.get(frozenset((one, other)), 0) + 1
            yield from [table] * max(1, boards // 5)


def margins(
    rng: random.Random, noise: Noise, boards: int, seats: int, tables: Tables, spread: float
) -> Held:
    """Fitted strengths, their differences and margins head to head; bots scatter differently."""
    true = [rng.gauss(0, spread) * POINTS for _ in range(BOTS)]
    scatter = [math.exp(rng.gauss(0, 0.3)) * POINTS for _ in range(BOTS)]
    tally = MarginTally()
    for table in tables(rng, tally, seats, boards):
        tally.add(played(table, [round(true[b] + scatter[b] * noise(rng)) for b in table]))
    fit, middle = tally.fit(), sum(true) / BOTS
    if len(fit.groups) > 1:
        return
    for one in range(BOTS):
        yield from (("strength", held) for held in holds(fit.estimate(one), true[one] - middle))
        for other in range(one):
            apart = true[one] - true[other]
            yield from (("difference", held) for held in holds(fit.difference(one, other), apart))
    for (one, other), margin in tally.pairs().items():
        yield from (("head to head", h) for h in holds(margin.estimate, true[one] - true[other]))


def ranks(rng: random.Random, matches: int, seats: int) -> Held:
    """Strengths fitted to ranks that were drawn by the model, and their differences."""
    logs = [rng.gauss(0, 0.5) for _ in range(BOTS)]
    middle = sum(logs) / BOTS
    tally = RankTally()
    for number in range(matches):
        order = rng.sample(range(BOTS), BOTS)
        for first in range(0, BOTS, seats):
            table = order[first : first + seats]
            # the first of several waits, each as short as the bot's worth is great
            waits = {bot: rng.expovariate(math.exp(logs[bot])) for bot in table}
            scores = [-sum(waits[bot] > other for other in waits.values()) for bot in table]
            tally.add(played(table, scores, key=f"t/0001/r{number}/{first}"))
    fit = tally.fit()
    for one in range(BOTS):
        yield from (("strength", h) for h in holds(fit.estimate(one), logs[one] - middle))
        for other in range(one):
            apart = logs[one] - logs[other]
            yield from (("difference", held) for held in holds(fit.difference(one, other), apart))


BOARDS: Mapping[str, Callable[[random.Random], int]] = {
    "normal, not skewed": lambda rng: round(rng.gauss(0, POINTS)),
    "won or lost by 2": lambda rng: rng.choice((-2, 2)),
    "even but for a disaster, 1 in 20": lambda rng: -19 if rng.random() < 1 / 20 else 1,
    "even but for a disaster, 1 in 100": lambda rng: -99 if rng.random() < 1 / 100 else 1,
}
"""Margins of boards between bots of which none is better: their mean is 0."""


def looks(rng: random.Random, name: str, boards: int) -> Held:
    """The interval that holds at any time: whether it does, at every board up to so many."""
    margins, held = Margins(), True
    for _ in range(boards):
        margins = margins.add(BOARDS[name](rng))
        between = interval(margins)
        held = held and (between is None or between[0] <= 0 <= between[1])
    yield "at any time", held
