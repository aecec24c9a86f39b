"""Seating of bots at tables, for one match and for rounds of all: shared by several formats."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import combinations
from operator import add, sub

from card_arena.formats.field import Authors, Field, author, dealt, first_to_fill, most_tables
from card_arena.formats.pairing import most_pairs
from card_arena.tables.seating import SeatingPlan

Author = str
SetUps = Callable[[int], Sequence[Sequence[SeatingPlan]]]
"""The ways to set up tables for so many bots, the preferred one first."""
Seated = list[tuple[SeatingPlan, tuple[int, ...]]]
"""The tables of a round: each one's plan, and who sits at it."""


def seated_in_turn(order: Sequence[int], plans: Sequence[SeatingPlan]) -> Seated:
    """Fill one table after another in this order; bots without a place are left out."""
    following = iter(order)
    return [(plan, tuple(next(following) for _ in plan.sides)) for plan in plans]


def seated_apart(order: Sequence[int], author_of: Mapping[int, Author], set_ups: SetUps) -> Seated:
    """Seat bots, given in the order of their lots, so that all authors at a table differ.

    Where filling the tables in turn does so, that is the seating. Else the authors take turns,
    those with the most bots first, and each of their bots sits down where the most seats are free.
    As long as that is impossible, the last bot in the order of those whose author has the most is
    left out. At tables of fewer than three sides anybody may meet.
    """
    left = list(order)
    while left:
        ways = set_ups(len(left))
        in_turn = seated_in_turn(left, ways[0])
        if all(_may_sit(plan, table, author_of) for plan, table in in_turn):
            return in_turn
        for plans in ways:
            if seated := _spread(left, author_of, plans):
                return seated
        bots = Counter(author_of[version] for version in left)
        most = max(bots.values())
        left.remove(next(v for v in reversed(left) if bots[author_of[v]] == most))
    return []


def _may_sit(plan: SeatingPlan, table: Sequence[int], author_of: Mapping[int, Author]) -> bool:
    return _mixes(plan) or len({author_of[version] for version in table}) == len(table)


def _mixes(plan: SeatingPlan) -> bool:
    """Whether one author's bots may meet at this table."""
    return len({*plan.sides}) < 3


def _spread(
    order: Sequence[int], author_of: Mapping[int, Author], plans: Sequence[SeatingPlan]
) -> Seated | None:
    """Deal the authors' bots to these tables; None if that does not fill them."""
    free = [len(plan.sides) for plan in plans]
    sitting: list[list[int]] = [[] for _ in plans]
    chosen = order if sum(free) == len(order) else _chosen(order, author_of, plans)
    if len(chosen) < sum(free):
        return None
    of_author: dict[Author, list[int]] = {}
    for version in chosen:
        of_author.setdefault(author_of[version], []).append(version)
    for bots in sorted(of_author.values(), key=len, reverse=True):
        taken: set[int] = set()
        for version in bots:
            open_to = [
                place
                for place, plan in enumerate(plans)
                if free[place] and (place not in taken or _mixes(plan))
            ]
            if not open_to:
                return None
            best = max(open_to, key=free.__getitem__)  # the first of equals
            taken.add(best)
            free[best] -= 1
            sitting[best].append(version)
    lot = {version: place for place, version in enumerate(order)}
    return [
        (plan, tuple(sorted(table, key=lot.__getitem__)))
        for plan, table in zip(plans, sitting, strict=True)
    ]


def _chosen(
    order: Sequence[int], author_of: Mapping[int, Author], plans: Sequence[SeatingPlan]
) -> list[int]:
    """The first bots in order that fill these tables, of each author one for every table."""
    chosen: list[int] = []
    seats, count = sum(len(plan.sides) for plan in plans), Counter[Author]()
    most = seats if any(map(_mixes, plans)) else len(plans)
    for version in order:
        if len(chosen) < seats and count[author_of[version]] < most:
            count[author_of[version]] += 1
            chosen.append(version)
    return chosen


Pair = tuple[int, int]
"""Two versions, the smaller id first."""

Tables = tuple[tuple[int, ...], ...]
"""The versions at each table of a round."""

Costs = list[list[int]]
"""The cost of a meeting of each two lots."""

NEVER = 10**9
"""Counted as the meetings of two bots that must not meet: more than any season has."""


def pair(one: int, other: int) -> Pair:
    """The key under which two versions' meetings are counted."""
    return (one, other) if one < other else (other, one)


def _times_met(versions: Sequence[int], met: Mapping[Pair, int], authors: Authors) -> Costs:
    """How often each two have met, by their places; `NEVER` if they must not meet."""
    times = [[0] * len(versions) for _ in versions]
    for (row, one), (column, other) in combinations(enumerate(versions), 2):
        same = author(one, authors) == author(other, authors)
        times[row][column] = times[column][row] = NEVER if same else met.get(pair(one, other), 0)
    return times


class Mixer:
    """Seats the same versions round after round.

    `met` counts how often each pair has met. The costs of meetings are stored from one round to the
    next, since computing them for all pairs takes longer than seating.
    """

    def __init__(self, versions: Sequence[int], met: Mapping[Pair, int], authors: Authors) -> None:
        self._authors = authors
        self._rows = {version: row for row, version in enumerate(versions)}
        self._costs: Costs = [
            [2 * times + (row != column) for column, times in enumerate(line)]
            for row, line in enumerate(_times_met(versions, met, authors))
        ]
        """What one more meeting adds to the square of their number: (n + 1)^2 - n^2."""

    def tables(self, order: Sequence[int], size: int) -> Tables:
        """Seat versions, given in the order of their lots, at tables of `size`.

        The tables are those of a greedy choice, improved by swaps of two as long as any swap makes
        the sum of (times met)^2 smaller. The same input gives the same tables. Two bots of one
        author never share a table. If that leaves fewer tables than can be filled, the first
        versions that can fill as many are `dealt` to them, and swapped from there. Versions that
        fill no table are left over.
        """
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
    """Fill table after table: the first lot that waits, and then the cheapest ones beside it.

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
    """The cost of each lot at each table, including the lot that it replaces."""
    swaps = [0] * len(tables)
    looked_at: dict[Pair, Pair] = {}
    """The number of swaps that two tables had seen when they were last compared."""
    improved = True
    while improved:
        improved = False
        for two in combinations(range(len(tables)), 2):
            first, second = two
            now = swaps[first], swaps[second]
            if looked_at.get(two) == now:
                continue
            looked_at[two] = now
            for place, one in enumerate(tables[first]):
                beside, mine, its = costs[one], at[first], at[second]
                saved = mine[one] - its[one]
                for spot, other in enumerate(tables[second]):
                    if mine[other] - its[other] - 2 * beside[other] < saved:
                        tables[first][place], tables[second][spot] = other, one
                        moved = [*map(sub, costs[other], beside)]
                        at[first] = [*map(add, mine, moved)]
                        at[second] = [*map(sub, its, moved)]
                        swaps[first] += 1
                        swaps[second] += 1
                        improved = True
                        break  # `one` sits elsewhere now


class TableSetup:
    """The tables of a season in which all are alike: who sits where at one, and who may meet.

    `size` counts the entrants of a table, of whom no two may be by one of the `authors`.
    """

    def __init__(self, field: Field, plan: SeatingPlan) -> None:
        self.plan = plan
        self.size = len(plan.sides)
        self.authors: Authors = field.authors_at(plan)

    def may_meet(self, one: int, other: int) -> bool:
        """Whether two different versions may sit at one table."""
        return self.size > 1 and author(one, self.authors) != author(other, self.authors)

    def fill(self, versions: Sequence[int]) -> tuple[int, ...]:
        """The first versions, in this order, that can fill a table; nothing if none can."""
        table: list[int] = []
        for version in versions:
            if len(table) < self.size and all(self.may_meet(version, other) for other in table):
                table.append(version)
        return tuple(table) if len(table) == self.size else ()

    def rounds(
        self, matches: int, lots: Callable[[int], Sequence[int]]
    ) -> Iterator[tuple[int, tuple[tuple[int, ...], ...]]]:
        """Seat all versions until there are so many matches; yields each round's number and tables.

        `lots` returns the versions of a round, from 1, in random order. Versions that have played
        least come first, and pairs that have met least meet. The last round may be incomplete.
        """
        mixer: Mixer | None = None
        seated: Counter[int] = Counter()
        left, number = matches, 0
        while left > 0:
            number += 1
            order = sorted(lots(number), key=seated.__getitem__)
            mixer = mixer or Mixer(order, {}, self.authors)
            tables = mixer.tables(order, self.size)
            if not tables:
                return  # these versions fill no table
            tables = tables[:left]
            left -= len(tables)
            mixer.seated(tables)
            for table in tables:
                seated.update(table)
            yield number, tables


def like_tables(
    ranked: Sequence[int],
    size: int,
    met: Mapping[Pair, int],
    authors: Authors | None = None,
) -> Tables:
    """Seat versions, given the best first, at tables of `size` with others of like strength.

    `met` counts how often each pair has met. Rematches cost most: the sum of (times met)^2. Then
    comes like strength: the sum, over all meetings, of the squared difference of places. The tables
    are those of a greedy choice from the top, improved by swaps of two as long as any swap helps.
    At tables of two there is no rematch if that is possible at all.

    Versions that fill no table are left over, the last of the order first. The others can all play
    at once, though two bots of one of the `authors` must not meet. Where greedy choice and swaps
    bring two of them together, tables are dealt and swapped from there.
    """
    authors = authors or {}
    seated = ranked[: len(ranked) - len(ranked) % size]
    repeat = size * max(1, len(seated)) ** 3
    """The cost of a repeated meeting: more than all differences of places together."""
    costs = [
        [times * repeat + (row - column) ** 2 for column, times in enumerate(line)]
        for row, line in enumerate(_times_met(seated, met, authors))
    ]
    tables = greedy(size, costs)
    swap(tables, costs)
    if not may_sit(tables, costs, NEVER * repeat):
        tables = dealt(seated, size, authors)
        swap(tables, costs)
    if size == 2 and any(costs[one][other] >= repeat for one, other in tables):
        tables = _without_repeats(tables, costs, repeat)
        swap(tables, costs)
    return tuple(
        tuple(ranked[place] for place in sorted(table)) for table in sorted(tables, key=min)
    )


def _without_repeats(tables: list[list[int]], costs: Costs, repeat: int) -> list[list[int]]:
    """Pair again, with as few rematches as possible; other pairs stay together if they can.

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
    paired = most_pairs(neighbours, partners)
    alone = iter([place for place, partner in enumerate(paired) if partner is None])
    again = [list(two) for two in zip(alone, alone, strict=True)]
    return again + [
        [place, partner]
        for place, partner in enumerate(paired)
        if partner is not None and place < partner
    ]
