"""Tables of three or more: seated so that bots who have met least often meet next."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import combinations
from operator import add, sub

from tournament.formats.full_tables import Authors, author, dealt, first_to_fill, most_tables

Pair = tuple[int, int]
"""Two versions, the smaller id first."""

Tables = tuple[tuple[int, ...], ...]
"""Who sits at each table of a round."""

Costs = list[list[int]]
"""What a meeting of two adds, by their lots: here to the sum, (n + 1)^2 - n^2."""

NEVER = 10**9
"""What a table costs with two bots that must not meet: more than any number of meetings."""


def pair(one: int, other: int) -> Pair:
    """The key under which two versions' meetings are counted."""
    return (one, other) if one < other else (other, one)


def mixed_tables(
    versions: Sequence[int],
    size: int,
    met: Mapping[Pair, int],
    authors: Authors | None = None,
) -> Tables:
    """Seat versions, given in the order of their lots, at tables of `size`.

    `met` counts how often each pair has met, as of any `Counter`. The tables are those of a greedy
    choice, improved by swaps of two as long as any swap makes the sum of (times met)^2 smaller. The
    same input gives the same tables. Two bots of one of the `authors` never share a table. Where
    that leaves fewer tables than can be filled, the first versions that can fill as many are dealt
    to them by `full_tables`, and swapped from there. Versions that fill no table are left over.
    """
    return Mixer(versions, met, authors or {}).tables(versions, size)


class Mixer:
    """Seats the same versions round after round; `met` and `authors` are as in `mixed_tables`.

    It keeps what each meeting costs from one round to the next, since working that out for all
    pairs takes longer than seating them.
    """

    def __init__(self, versions: Sequence[int], met: Mapping[Pair, int], authors: Authors) -> None:
        self._authors = authors
        self._rows = {version: row for row, version in enumerate(versions)}
        self._costs: Costs = [[0] * len(versions) for _ in versions]
        for (row, one), (column, other) in combinations(enumerate(versions), 2):
            apart = author(one, authors) == author(other, authors)
            cost = NEVER if apart else 2 * met.get(pair(one, other), 0) + 1
            self._costs[row][column] = self._costs[column][row] = cost

    def tables(self, order: Sequence[int], size: int) -> Tables:
        """The tables of a round, of versions in the order of their lots."""
        most = most_tables(order, size, self._authors)
        costs = self._costs_of(order)
        tables = greedy(size, costs)
        swap(tables, costs)
        if len(tables) > most or not may_sit(tables, costs, NEVER):
            order = first_to_fill(order, size, self._authors)
            costs = self._costs_of(order)
            tables = dealt(order, size, self._authors)
            swap(tables, costs)
        return tuple(tuple(order[lot] for lot in table) for table in tables)

    def _costs_of(self, order: Sequence[int]) -> Costs:
        rows = [self._rows[version] for version in order]
        return [[line[row] for row in rows] for line in (self._costs[row] for row in rows)]

    def seated(self, tables: Iterable[Sequence[int]]) -> None:
        """Count that these tables have been seated."""
        for table in tables:
            for one, other in combinations([self._rows[version] for version in table], 2):
                self._costs[one][other] += 2
                self._costs[other][one] += 2


def may_sit(tables: Iterable[Sequence[int]], costs: Costs, never: int) -> bool:
    """Whether no two lots share a table whose meeting costs as much as one that must not be."""
    return all(
        costs[one][other] < never for table in tables for one, other in combinations(table, 2)
    )


def greedy(size: int, costs: Costs) -> list[list[int]]:
    """Fill table after table: whoever waits first, and then whoever is cheapest beside them.

    Lots that fill no table are left over.
    """
    waiting = list(range(len(costs)))
    tables: list[list[int]] = []
    while len(waiting) >= size:
        table = [waiting.pop(0)]
        beside = costs[table[0]]
        while len(table) < size:
            best = min(waiting, key=beside.__getitem__)  # of equals the first, as lots have it
            waiting.remove(best)
            table.append(best)
            beside = [*map(add, beside, costs[best])]
        tables.append(table)
    return tables


def swap(tables: list[list[int]], costs: Costs) -> None:
    """Swap two lots of different tables as long as that makes both tables cheaper together."""
    at = [[*map(sum, zip(*(costs[lot] for lot in table), strict=True))] for table in tables]
    """What each lot would cost at each table, whoever it replaces included."""
    swaps = [0] * len(tables)
    looked_at: dict[Pair, Pair] = {}
    """How many swaps two tables had seen when they were last compared."""
    improved = True
    while improved:
        improved = False
        for two in combinations(range(len(tables)), 2):
            here, there = two
            now = swaps[here], swaps[there]
            if looked_at.get(two) == now:
                continue
            looked_at[two] = now
            for place, one in enumerate(tables[here]):
                beside, mine, its = costs[one], at[here], at[there]
                saved = mine[one] - its[one]
                for spot, other in enumerate(tables[there]):
                    if mine[other] - its[other] - 2 * beside[other] < saved:
                        tables[here][place], tables[there][spot] = other, one
                        moved = [*map(sub, costs[other], beside)]
                        at[here] = [*map(add, mine, moved)]
                        at[there] = [*map(sub, its, moved)]
                        swaps[here] += 1
                        swaps[there] += 1
                        improved = True
                        break  # `one` sits elsewhere now
