"""Seating of bots at tables, for one match and for rounds of all: shared by several formats."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from operator import add, sub

from formats.field import (
    Authors,
    Field,
    Pairing,
    Placing,
    Planner,
    author,
    dealt,
    first_to_fill,
    most_tables,
)
from formats.pairing import most_pairs
from ratings.match_results import Result
from tables.seating import SeatingPlan

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
            if found := _spread(left, author_of, plans):
                return found
        left.remove(_least_missed(left, author_of))
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


def _least_missed(order: Sequence[int], author_of: Mapping[int, Author]) -> int:
    """The last bot in the order of those whose author has the most."""
    count = Counter(author_of[version] for version in order)
    most = max(count.values())
    return next(version for version in reversed(order) if count[author_of[version]] == most)


Pair = tuple[int, int]
"""Two versions, the smaller id first."""

Tables = tuple[tuple[int, ...], ...]
"""The versions at each table of a round."""

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
    """The cost of each lot at each table, including the lot that it replaces."""
    swaps = [0] * len(tables)
    looked_at: dict[Pair, Pair] = {}
    """The number of swaps that two tables had seen when they were last compared."""
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


@dataclass(frozen=True)
class Room:
    """The tables of a season in which all are alike: who sits where at one, and who may meet.

    `size` counts the entrants of a table, of whom no two may be by one of the `authors`.
    """

    plan: SeatingPlan
    size: int
    authors: Authors

    def may_meet(self, one: int, other: int) -> bool:
        """Whether two versions may sit at one table."""
        return author(one, self.authors) != author(other, self.authors)

    def fill(self, versions: Sequence[int]) -> tuple[int, ...]:
        """The first versions, in this order, that can fill a table; nothing if none can."""
        table: list[int] = []
        for version in versions:
            if len(table) < self.size and all(self.may_meet(version, each) for each in table):
                table.append(version)
        return tuple(table) if len(table) == self.size else ()

    def rounds(
        self, matches: int, lots: Callable[[int], Sequence[int]]
    ) -> Iterator[tuple[int, tuple[tuple[int, ...], ...]]]:
        """Seat everybody until there are so many matches; yields each round's number and tables.

        `lots` gives the versions of a round, from 1, in an order drawn by lot. Who has sat least
        goes first, and those meet who have met least. The last round may be only a part of one.
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


def room(field: Field) -> Room | None:
    """The fullest tables that the field can fill, of two sides at least; None if there are none."""
    plan = field.fullest_table()
    return Room(plan, len(plan.sides), field.authors_at(plan)) if plan else None


class NothingToPlay(Planner):
    """A season of bots that fill no table: it is over as soon as it begins."""

    unopened = 0

    def open(self) -> Iterable[Pairing]:
        """No match."""
        return ()

    def settle(self, pairing: Pairing, result: Result) -> Iterable[Pairing]:  # noqa: ARG002
        """No match."""
        return ()

    def retract(self, pairing: Pairing, result: Result) -> None:
        """No match."""

    def standings(self) -> tuple[Placing, ...]:
        """No placing."""
        return ()


MET_AGAIN = 10**9
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
    """The cost of a repeated meeting: more than all differences of places together."""
    costs = _costs(ranked[:seated], met, authors, repeat)
    tables = greedy(size, costs)
    swap(tables, costs)
    if not may_sit(tables, costs, MET_AGAIN * repeat):
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
    """Return the cost of a meeting, for each two places of the order."""
    costs = [[0] * len(ranked) for _ in ranked]
    for (row, one), (column, other) in combinations(enumerate(ranked), 2):
        apart = author(one, authors) == author(other, authors)
        again = MET_AGAIN if apart else met.get(pair(one, other), 0)
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
