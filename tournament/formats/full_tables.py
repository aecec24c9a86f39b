"""Filling as many tables as authors allow: how many, who plays, and one way to seat them.

Two bots of one author never share a table, so of an author with more bots than there are tables
some have to sit out. Everything here follows from that one limit.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Mapping, Sequence

Authors = Mapping[int, Hashable]
"""The author of each version that may not share a table with others of its author.

A version that is missing may sit with anybody.
"""


def author(version: int, authors: Authors) -> Hashable:
    """Return the author that must not be at a table twice; a version of its own without one."""
    return authors.get(version, (version,))


def most_tables(versions: Sequence[int], size: int, authors: Authors) -> int:
    """Return how many tables of `size` these versions can fill at once.

    Tables can be filled if and only if there are enough bots, of each author no more than tables
    counted: `dealt` seats them.
    """
    bots = Counter(author(version, authors) for version in versions).values()
    tables = len(versions) // size
    while (fewer := sum(min(many, tables) for many in bots) // size) < tables:
        tables = fewer
    return tables


def first_to_fill(order: Sequence[int], size: int, authors: Authors) -> tuple[int, ...]:
    """Return the first versions in this order that fill as many tables as can be filled.

    Of an author with more bots than tables, only the first as many as there are tables play.
    """
    tables = most_tables(order, size, authors)
    chosen: list[int] = []
    playing = Counter[Hashable]()
    for version in order:
        whose = author(version, authors)
        if len(chosen) < tables * size and playing[whose] < tables:
            playing[whose] += 1
            chosen.append(version)
    return tuple(chosen)


def dealt(order: Sequence[int], size: int, authors: Authors) -> list[list[int]]:
    """Deal versions, all of whom can play at once, to tables at which all authors differ.

    Tables hold places of the order. They are dealt to in turn, author by author: the one with the
    most bots first, and of equals the one who comes first in the order.
    """
    places: dict[Hashable, list[int]] = {}
    for place, version in enumerate(order):
        places.setdefault(author(version, authors), []).append(place)
    in_turn = [place for own in sorted(places.values(), key=len, reverse=True) for place in own]
    tables = len(order) // size
    return [in_turn[table::tables] for table in range(tables)]
