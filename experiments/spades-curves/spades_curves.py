"""The success curves of BIS, fitted to what became of nils of all values."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from math import log, sqrt
from typing import NamedTuple

from lib.cards import winning
from lib.curves import BY_BIDS, SINGLE, features, logistic
from lib.nil_value import nil_value
from lib.table import Table

from card_arena.experiments.measures import Bars, Measures, Stage
from card_arena.ratings.intervals import Cluster, Estimate, Z, mean, rate
from card_arena.tables.record import Record
from card_arena.tables.referee import replay
from card_arena.tables.registry import game
from card_arena.tables.spades.messages import RoundOver

SPADES = game("spades")
WEIGHTS = (
    *("constant", "nil value", "its square", "the partner has bid"),
    *("the partner's bid", "the right's bid", "the left's bid", "nil value by partner's bid"),
)
"""What `lib.curves.features` lists; bids as their distance from 3, in threes."""

CURVES = {"by bids": len(BY_BIDS), "single": len(SINGLE)}
"""How many of the features each curve weighs, the first ones."""

STEPS = 8
RIDGE = 1e-3
"""What keeps weights of which the records say nothing from growing without end."""


class Nil(NamedTuple):
    """A nil that was bid: its value, what decides its chance, and whether it was made."""

    value: float
    features: Sequence[float]
    made: bool


def measure(stages: Mapping[str, Stage]) -> Measures:
    """The weights of both curves, and how often nils are made by their value."""
    matches = [
        [nil for _, record in match.games for nil in nils(record)]
        for match in stages["spades-curves"].matches()
    ]
    everything = [nil for match in matches for nil in match]
    rows = {"nils made": rate(_made(match) for match in matches)}
    for name, size in CURVES.items():
        weights = fit(everything, size)
        rows |= {f"{name}: {what}": weight for what, weight in zip(WEIGHTS, weights, strict=False)}
        chances = [
            logistic([weight.value for weight in weights], nil.features) for nil in everything
        ]
        rows[f"{name}: mean logarithmic loss"] = mean(
            (-log(chance if nil.made else 1 - chance), 1)
            for chance, nil in zip(chances, everything, strict=True)
        )
    tenths = {f".{tenth}": [_within(match, tenth) for match in matches] for tenth in range(10)}
    seen = {name: groups for name, groups in tenths.items() if any(map(len, groups))}
    made = {name: rate(map(_made, groups)) for name, groups in seen.items()}
    curve = {name: mean([_expected(match) for match in groups]) for name, groups in seen.items()}
    plot = Bars("Nils made, by nil value from", "share", {"made": made, "the curve": curve})
    return Measures(rows, {"nils": plot})


def nils(record: Record) -> Iterator[Nil]:
    """Every nil of a game that was bid on cards seen."""
    bid: dict[int, tuple[float, Sequence[float]]] = {}
    for step in replay(SPADES, record):
        turn = step.turn
        if turn.question and turn.action == "0" and turn.fault is None:
            table = Table(turn.question.split())
            if table.phase == "bid":
                value = nil_value(table.hand)
                bid[turn.seat] = value, features(value, table.before)
        for notices in step.notices:
            if isinstance(notices, RoundOver):
                took = takers(notices.history)
                for seat, (value, inputs) in bid.items():
                    yield Nil(value, inputs, seat not in took)
                bid = {}


def takers(history: str) -> set[int]:
    """The seats that took a trick of a round."""
    words = ["spades", "play", "-", "0", "0", "-", "-,-,-,-", history, "-", "0,0,0,0"]
    table = Table([*words, "0,0", "0,0", "500", "-"])
    return {(leader + cards.index(winning(cards))) % 4 for leader, cards in table.history}


def fit(seen: Sequence[Nil], size: int) -> list[Estimate]:
    """The weights of the most likely logistic curve, by Newton's method, with normal intervals.

    An interval is of the inverse of the likelihood's curvature (Hastie, Tibshirani and Friedman,
    *The Elements of Statistical Learning*, 4.4).
    """
    weights = [0.0] * size
    inverse: list[list[float]] = []
    for _ in range(STEPS):
        slope = [-RIDGE * weight for weight in weights]
        curvature = [[RIDGE * (i == j) for j in range(size)] for i in range(size)]
        for nil in seen:
            chance = logistic(weights, nil.features)
            spread = chance * (1 - chance)
            for i in range(size):
                slope[i] += (nil.made - chance) * nil.features[i]
                for j in range(size):
                    curvature[i][j] += spread * nil.features[i] * nil.features[j]
        inverse = inverted(curvature)
        weights = [
            weight + sum(factor * slope[j] for j, factor in enumerate(inverse[i]))
            for i, weight in enumerate(weights)
        ]
    reach = [Z * sqrt(inverse[i][i]) for i in range(size)]
    return [
        Estimate(weight, weight - far, weight + far, len(seen))
        for weight, far in zip(weights, reach, strict=True)
    ]


def inverted(matrix: Sequence[Sequence[float]]) -> list[list[float]]:
    """The inverse of a matrix, by elimination with the largest pivot."""
    size = len(matrix)
    rows = [[*row, *(float(i == j) for j in range(size))] for i, row in enumerate(matrix)]
    for i in range(size):
        pivot = max(range(i, size), key=lambda k: abs(rows[k][i]))
        rows[i], rows[pivot] = rows[pivot], rows[i]
        rows[i] = [value / rows[i][i] for value in rows[i]]
        for k, row in enumerate(rows):
            if k != i:
                rows[k] = [value - row[i] * top for value, top in zip(row, rows[i], strict=True)]
    return [row[size:] for row in rows]


def _made(seen: Iterable[Nil]) -> Cluster:
    made = [nil.made for nil in seen]
    return sum(made), len(made)


def _within(match: Iterable[Nil], tenth: int) -> list[Nil]:
    return [nil for nil in match if min(int(nil.value * 10), 9) == tenth]


def _expected(seen: Sequence[Nil]) -> Cluster:
    return sum(logistic(BY_BIDS, nil.features) for nil in seen), len(seen)
