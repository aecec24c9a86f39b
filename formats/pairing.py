"""Helpers of formats: maximum matching, and the keys and labels of matches.

The matching is Edmonds' method of 1965. A path that leads from one vertex without a partner to
another, and along which pairs and other edges take turns, makes one pair more when the two change
places. Where such paths run round a circle of odd length, the circle is taken for one vertex.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Sequence
from typing import Literal

from card_arena.formats.base import Count, Part
from card_arena.formats.field import Field, MatchKey
from card_arena.ratings.match_results import Result, among
from card_arena.tables.seating import SeatingPlan, boards

Neighbours = Sequence[Sequence[int]]
"""The vertices, from 0, that each may be paired with; in both directions."""


def most_pairs(neighbours: Neighbours, partners: Sequence[int | None]) -> list[int | None]:
    """Return every vertex's partner in a largest set of pairs, given an initial set.

    A vertex with an initial partner keeps one, if perhaps another. The same input gives the same
    pairs.
    """
    paired = list(partners)
    for vertex in range(len(paired)):
        if paired[vertex] is None:
            _Search(neighbours, paired, vertex).improve()
    return paired


class _Search:
    """The search for a path from one vertex without a partner to another."""

    def __init__(self, neighbours: Neighbours, partners: list[int | None], root: int) -> None:
        self._neighbours = neighbours
        self._partners = partners
        self._root = root
        self._base = list(range(len(partners)))
        """The vertex that the circle of each vertex is taken for."""
        self._before: list[int | None] = [None] * len(partners)
        """The vertex from which each was reached by an edge between two pairs."""
        self._reached = {root}
        self._queue = deque([root])

    def improve(self) -> None:
        """Pair the root, if that leaves nobody else without a partner."""
        while self._queue:
            vertex = self._queue.popleft()
            for other in self._neighbours[vertex]:
                if self._base[vertex] == self._base[other] or self._partners[vertex] == other:
                    continue
                partner = self._partners[other]
                circle = partner is not None and self._before[partner] is not None
                if other == self._root or circle:
                    self._contract(vertex, other)
                elif self._before[other] is None:
                    self._before[other] = vertex
                    if partner is None:
                        self._change_places(other)
                        return
                    self._reach(partner)

    def _reach(self, vertex: int) -> None:
        if vertex not in self._reached:
            self._reached.add(vertex)
            self._queue.append(vertex)

    def _change_places(self, end: int | None) -> None:
        """Turn the path that ends here round: its edges become pairs, its pairs mere edges."""
        while end is not None:
            before = self._before[end]
            assert before is not None, "a path that does not begin at the root"
            following = self._partners[before]
            self._partners[end], self._partners[before] = before, end
            end = following

    def _contract(self, one: int, other: int) -> None:
        """Take the circle that an edge closes for one vertex."""
        base = self._fork(one, other)
        circle: set[int] = set()
        self._mark(one, base, other, circle)
        self._mark(other, base, one, circle)
        for vertex in range(len(self._base)):
            if self._base[vertex] in circle:
                self._base[vertex] = base
                self._reach(vertex)

    def _fork(self, one: int, other: int) -> int:
        """Return the vertex at which the paths from the root to these two part."""
        passed: set[int] = set()
        vertex: int | None = one
        while vertex is not None:
            passed.add(self._base[vertex])
            partner = self._partners[self._base[vertex]]
            vertex = None if partner is None else self._before[partner]
        fork = self._base[other]
        while fork not in passed:
            partner = self._partners[fork]
            assert partner is not None, "two paths of one search begin at one root"
            before = self._before[partner]
            assert before is not None, "two paths of one search begin at one root"
            fork = self._base[before]
        return fork

    def _mark(self, vertex: int, base: int, child: int, circle: set[int]) -> None:
        """Walk from a vertex of a circle to its base, so that paths may go round both ways."""
        while self._base[vertex] != base:
            partner = self._partners[vertex]
            assert partner is not None, "only the root has no partner"
            circle |= {self._base[vertex], self._base[partner]}
            self._before[vertex] = child
            child = partner
            before = self._before[partner]
            assert before is not None, "a circle leads back to its base"
            vertex = before


MEETINGS = 10
"""The default number of meetings: one board says little about two bots."""


class Meetings(Part):
    """`meetings` is how often bots meet, over the tournament's `boards` each time.

    With `pairs: new` bots that have met so often in earlier seasons, at the same table, don't meet
    again, and those boards count; with `pairs: all` every season begins again.
    """

    meetings: Count = MEETINGS
    pairs: Literal["new", "all"] = "new"


Of = tuple[int, int]
"""A number, and the highest one of its kind in the season."""

Place = tuple[MatchKey, tuple[str, ...]]
"""The key of a match, and its labels."""


def numbered(letter: str, number: Of) -> str:
    """A part of a key, padded with zeros so that text order is number order."""
    return f"{letter}{number[0]:0{len(str(number[1]))}}"


def leg_key(field: Field, leg: Of) -> MatchKey:
    """Return the key of a leg, the prefix of its matches' keys."""
    return field.key(numbered("t", (leg[0], max(leg[1], 10))))


def table_name(table: int, most: int) -> str:
    """Name a table by its number from 0 to this maximum, so that text order is number order."""
    return chr(ord("a") + table) if most <= 26 else numbered("", (table + 1, most))


def placed(field: Field, leg: Of, round: Of, table: Of) -> Place:
    """The place of a match; tables are numbered from 0."""
    name = table_name(*table)
    legs = (f"leg {leg[0]}",) if leg[1] > 1 else ()
    key = leg_key(field, leg).within(numbered("r", round), name)
    return key, (*legs, f"round {round[0]}", f"table {name.upper()}")


def placed_late(field: Field, late: int, leg: Of, round: Of) -> Place:
    """The place of a match of the bot that was admitted late as number `late`."""
    key = late_key(field, late, leg).within(numbered("r", round))
    return key, (f"late entry {late}", f"meeting {leg[0]}", f"round {round[0]}")


def late_key(field: Field, late: int, leg: Of) -> MatchKey:
    """Return the key of a late entrant's leg, the prefix of its matches' keys."""
    return field.key(f"u{late:03}", numbered("m", leg))


def boards_of(plan: SeatingPlan) -> int:
    """Return how many boards a match has now: as many make one meeting, whenever it was played."""
    return boards(plan.seatings)[-1] + 1


def earlier(field: Field, plan: SeatingPlan, options: Meetings) -> Iterator[Result]:
    """Yield the results of earlier seasons between versions that play now, unless `pairs: all`.

    Matches at tables with more or fewer sides are left out: their scores can't be compared.
    """
    if options.pairs == "all":
        return
    playing = {*field.versions}
    for result in field.earlier():
        between = among(result, playing) if sorted(result.sides) == sorted(plan.sides) else None
        if between is not None:
            yield between
