"""Seating by lot where two bots of one author never share a table of three or more sides."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence

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
