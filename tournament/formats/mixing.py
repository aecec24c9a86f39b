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

    def cost(one: int, other: int) -> int:
        """What a meeting of these two adds to the sum: (n + 1)^2 - n^2."""
        return 2 * met.get(pair(one, other), 0) + 1 if may_meet(one, other) else NEVER

    waiting = list(versions)
    tables: list[list[int]] = []
    while len(waiting) >= size:
        table = [waiting.pop(0)]
        while len(table) < size:
            # ties go to whoever drew the better lot: `min` takes the first of equals
            best = min(waiting, key=lambda each: sum(cost(each, sitting) for sitting in table))
            waiting.remove(best)
            table.append(best)
        tables.append(table)
    _swap(tables, cost)
    return tuple(
        tuple(table)
        for table in tables
        if all(cost(one, other) < NEVER for one, other in combinations(table, 2))
    )


def _swap(tables: list[list[int]], cost: Callable[[int, int], int]) -> None:
    """Swap two versions of different tables as long as that makes both tables cheaper together."""

    def worth(version: int, table: Sequence[int], without: int) -> int:
        return sum(cost(version, other) for other in table if other != without)

    improved = True
    while improved:
        improved = False
        for here, there in combinations(tables, 2):
            for place, one in enumerate(here):
                for spot, other in enumerate(there):
                    now = worth(one, here, one) + worth(other, there, other)
                    then = worth(other, here, one) + worth(one, there, other)
                    if then < now:
                        here[place], there[spot] = other, one
                        improved = True
                        break  # `one` sits elsewhere now
