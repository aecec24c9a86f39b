"""Tables of like strength, at which nobody meets anybody again while that can be had."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import combinations

from tournament.formats.full_tables import Authors, author, dealt
from tournament.formats.matching import most_pairs
from tournament.formats.mixing import Costs, Pair, Tables, greedy, may_sit, pair, swap

NEVER = 10**9
"""A meeting that must not be, in units of one that has already been: more than any season has."""


def like_tables(
    ranked: Sequence[int],
    size: int,
    met: Mapping[Pair, int],
    authors: Authors | None = None,
) -> Tables:
    """Seat versions, given the best first, at tables of `size` with others of like strength.

    `met` counts how often each pair has met, as of any `Counter`. What counts first is that nobody
    meets anybody again: the sum of (times met)^2. Then like strength: the sum, over all who meet,
    of the squared difference of their places. The tables are those of a greedy choice from the top,
    improved by swaps of two as long as any swap helps. At tables of two nobody meets anybody again
    if that can be had at all.

    Versions that fill no table are left over, the last of the order first. The others can all play
    at once, though two bots of one of the `authors` must not meet, as `full_tables` has it. Where
    greedy choice and swaps bring two of them together, tables are dealt and swapped from there.
    """
    authors = authors or {}
    seated = len(ranked) - len(ranked) % size
    repeat = size * max(1, seated) ** 3
    """What a meeting costs that has already been: more than all differences of places together."""
    costs = _costs(ranked[:seated], met, authors, repeat)
    tables = greedy(size, costs)
    swap(tables, costs)
    if not may_sit(tables, costs, NEVER * repeat):
        tables = dealt(ranked[:seated], size, authors)
        swap(tables, costs)
    if size == 2 and any(costs[one][other] >= repeat for one, other in tables):
        tables = _without_repeats(tables, costs, repeat)
        swap(tables, costs)
    return tuple(
        tuple(ranked[place] for place in sorted(table)) for table in sorted(tables, key=min)
    )


def _costs(
    ranked: Sequence[int],
    met: Mapping[Pair, int],
    authors: Authors,
    repeat: int,
) -> Costs:
    """What it costs if two places of the order meet."""
    costs = [[0] * len(ranked) for _ in ranked]
    for (row, one), (column, other) in combinations(enumerate(ranked), 2):
        apart = author(one, authors) == author(other, authors)
        again = NEVER if apart else met.get(pair(one, other), 0)
        costs[row][column] = costs[column][row] = again * repeat + (row - column) ** 2
    return costs


def _without_repeats(tables: list[list[int]], costs: Costs, repeat: int) -> list[list[int]]:
    """Pair anew, so that as few as possible meet again; the others keep their partners if they can.

    Swaps of two stop where only a longer chain of them would help.
    """
    partners: list[int | None] = [None] * len(costs)
    for one, other in tables:
        if costs[one][other] < repeat:
            partners[one], partners[other] = other, one
    neighbours = [
        sorted(
            (other for other, cost in enumerate(row) if other != place and cost < repeat),
            key=lambda other: abs(other - place),
        )
        for place, row in enumerate(costs)
    ]
    found = most_pairs(neighbours, partners)
    alone = iter([place for place, partner in enumerate(found) if partner is None])
    again = [list(two) for two in zip(alone, alone, strict=True)]
    return again + [
        [place, partner]
        for place, partner in enumerate(found)
        if partner is not None and place < partner
    ]
