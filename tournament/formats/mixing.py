"""Tables of three or more: seated so that bots who have met least often meet next."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import combinations
from operator import add, sub

Pair = tuple[int, int]
"""Two versions, the smaller id first."""

Tables = tuple[tuple[int, ...], ...]
"""Who sits at each table of a round."""

MayMeet = Callable[[int, int], bool]
"""Whether two versions may sit at one table."""

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
    may_meet: MayMeet = lambda _one, _other: True,
) -> Tables:
    """Seat versions, given in the order of their lots, at tables of `size`.

    `met` counts how often each pair has met, as of any `Counter`. The tables are those of a greedy
    choice, improved by swaps of two as long as any swap makes the sum of (times met)^2 smaller. The
    same input gives the same tables. A table at which two bots would sit that must not meet is left
    out, if no swap can mend it, and so are versions that fill no table.
    """
    return Mixer(versions, met, may_meet).tables(versions, size)


class Mixer:
    """Seats the same versions round after round; `met` and `may_meet` are as in `mixed_tables`.

    It keeps what each meeting costs from one round to the next, since working that out for all
    pairs takes longer than seating them.
    """

    def __init__(
        self,
        versions: Sequence[int],
        met: Mapping[Pair, int],
        may_meet: MayMeet = lambda _one, _other: True,
    ) -> None:
        self._rows = {version: row for row, version in enumerate(versions)}
        self._costs: Costs = [[0] * len(versions) for _ in versions]
        for (row, one), (column, other) in combinations(enumerate(versions), 2):
            cost = 2 * met.get(pair(one, other), 0) + 1 if may_meet(one, other) else NEVER
            self._costs[row][column] = self._costs[column][row] = cost

    def tables(self, order: Sequence[int], size: int) -> Tables:
        """The tables of a round, of versions in the order of their lots."""
        rows = [self._rows[version] for version in order]
        costs = [[line[row] for row in rows] for line in (self._costs[row] for row in rows)]
        tables = greedy(size, costs)
        swap(tables, costs)
        return tuple(
            tuple(order[lot] for lot in table)
            for table in tables
            if all(costs[one][other] < NEVER for one, other in combinations(table, 2))
        )

    def seated(self, tables: Iterable[Sequence[int]]) -> None:
        """Count that these tables have been seated."""
        for table in tables:
            for one, other in combinations([self._rows[version] for version in table], 2):
                self._costs[one][other] += 2
                self._costs[other][one] += 2


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
