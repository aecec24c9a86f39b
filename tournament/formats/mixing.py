"""Tables of three or more: seated so that bots who have met least often meet next."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import combinations

Pair = tuple[int, int]
"""Two versions, the smaller id first."""

NEVER = 10**9
"""What a table costs with two bots that must not meet: more than any number of meetings."""


def pair(one: int, other: int) -> Pair:
    """The key under which two versions' meetings are counted."""
    return (one, other) if one < other else (other, one)


def mixed_tables(
    versions: Sequence[int],
    size: int,
    met: Mapping[Pair, int],
    may_meet: Callable[[int, int], bool] = lambda _one, _other: True,
) -> tuple[tuple[int, ...], ...]:
    """Seat versions, given in the order of their lots, at tables of `size`.

    `met` counts how often each pair has met, as of any `Counter`. The tables are those of a greedy
    choice, improved by swaps of two as long as any swap makes the sum of (times met)^2 smaller. The
    same input gives the same tables. A table at which two bots would sit that must not meet is left
    out, if no swap can mend it, and so are versions that fill no table.
    """

    costs = _costs(versions, met, may_meet)
    waiting = list(range(len(versions)))
    tables: list[list[int]] = []
    while len(waiting) >= size:
        table = [waiting.pop(0)]
        while len(table) < size:
            # ties go to whoever drew the better lot: `min` takes the first of equals
            best = min(waiting, key=lambda each: sum(costs[each][sitting] for sitting in table))
            waiting.remove(best)
            table.append(best)
        tables.append(table)
    swap(tables, costs)
    return tuple(
        tuple(versions[lot] for lot in table)
        for table in tables
        if all(costs[one][other] < NEVER for one, other in combinations(table, 2))
    )


Costs = list[list[int]]
"""What a meeting of two adds to the sum, (n + 1)^2 - n^2, by their lots."""


def _costs(
    versions: Sequence[int], met: Mapping[Pair, int], may_meet: Callable[[int, int], bool]
) -> Costs:
    costs = [[0] * len(versions) for _ in versions]
    for (row, one), (column, other) in combinations(enumerate(versions), 2):
        cost = 2 * met.get(pair(one, other), 0) + 1 if may_meet(one, other) else NEVER
        costs[row][column] = costs[column][row] = cost
    return costs


def swap(tables: list[list[int]], costs: Costs) -> None:
    """Swap two lots of different tables as long as that makes both tables cheaper together."""
    at = [[sum(row[sitting] for sitting in table) for table in tables] for row in costs]
    """What each lot would cost at each table, whoever it replaces included."""
    improved = True
    while improved:
        improved = False
        for here, there in combinations(range(len(tables)), 2):
            for place, one in enumerate(tables[here]):
                for spot, other in enumerate(tables[there]):
                    now = at[one][here] + at[other][there]
                    then = at[other][here] + at[one][there] - 2 * costs[one][other]
                    if then < now:
                        tables[here][place], tables[there][spot] = other, one
                        for lot, row in enumerate(costs):
                            moved = row[other] - row[one]
                            at[lot][here] += moved
                            at[lot][there] -= moved
                        improved = True
                        break  # `one` sits elsewhere now
