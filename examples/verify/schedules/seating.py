"""Who sits together where lots alone don't say: tables that mix, and authors who stay apart."""

from collections import Counter
from itertools import combinations

from schedules.field import author, most_tables, pair

NEVER = 10**9


def swapped(tables, cost):
    """Swap two of different tables as long as that makes both cheaper together.

    `cost(one, other)` is what it costs if two sit together. Tables are gone through in pairs, and
    their places in order; after a swap the next place follows, and after a last pair in which
    something was swapped all begins again.
    """

    def at(table, one, but):
        return sum(cost(one, other) for other in table if other not in (one, but))

    again = True
    while again:
        again = False
        for here, there in combinations(tables, 2):
            for place in range(len(here)):
                for spot in range(len(there)):
                    one, other = here[place], there[spot]
                    now = at(here, one, other) + at(there, other, one)
                    if at(there, one, other) + at(here, other, one) < now:
                        here[place], there[spot], again = other, one, True
                        break


def greedy(waiting, size, cost):
    """Table after table: whoever is first, then whoever is cheapest beside those who sit."""
    waiting, tables = list(waiting), []
    while len(waiting) >= size:
        table = [waiting.pop(0)]
        while len(table) < size:
            best = min(waiting, key=lambda one: sum(cost(one, other) for other in table))
            waiting.remove(best)
            table.append(best)
        tables.append(table)
    return tables


def mixed(order, size, met, authors):
    """Tables at which those meet who have met least, but never two by one of the `authors`.

    `met` counts how often each pair has met. If that leaves fewer tables than can be filled, the
    first who can fill as many are dealt to them, and swapped from there.
    """

    def cost(one, other):
        if author(one, authors) == author(other, authors):
            return NEVER
        return 2 * met[pair(one, other)] + 1

    tables = greedy(order, size, cost)
    swapped(tables, cost)
    together = any(cost(*two) == NEVER for table in tables for two in combinations(table, 2))
    if together or len(tables) > most_tables(order, size, authors):
        tables = dealt(first_to_fill(order, size, authors), size, authors)
        swapped(tables, cost)
    return tables


def first_to_fill(order, size, authors):
    """The first who fill as many tables as can be, of an author no more than there are tables."""
    tables, playing, chosen = most_tables(order, size, authors), Counter(), []
    for version in order:
        if len(chosen) < tables * size and playing[author(version, authors)] < tables:
            playing[author(version, authors)] += 1
            chosen.append(version)
    return chosen


def dealt(order, size, authors):
    """Deal table by table in turn, author by author: the one with the most bots first."""
    bots = {}
    for version in order:
        bots.setdefault(author(version, authors), []).append(version)
    in_turn = [version for own in sorted(bots.values(), key=len, reverse=True) for version in own]
    return [in_turn[table :: len(order) // size] for table in range(len(order) // size)]


class Room:
    """The fullest table that a field can fill, of two sides at least, and who may sit at it."""

    def __init__(self, field):
        """Find it; `size` is 0 if there is none."""
        self.sides = field.fullest() or ()
        self.size, self.authors = len(self.sides), field.authors_at(self.sides)

    def may_meet(self, one, other):
        """Whether two versions may sit at one table."""
        return author(one, self.authors) != author(other, self.authors)

    def fill(self, versions):
        """The first of these versions that can fill a table; nothing if they can't."""
        table = []
        for version in versions:
            if len(table) < self.size and all(self.may_meet(version, each) for each in table):
                table.append(version)
        return table if len(table) == self.size else []

    def rounds(self, matches, lots):
        """Seat everybody until there are so many matches: yields a round's number and its tables.

        `lots(number)` is an order by lot. Who has sat least goes first.
        """
        met, seated, number = Counter(), Counter(), 0
        while matches > 0:
            number += 1
            order = sorted(lots(number), key=seated.__getitem__)
            tables = mixed(order, self.size, met, self.authors)
            if not tables:
                return
            tables = tables[:matches]
            matches -= len(tables)
            for table in tables:
                seated.update(table)
                met.update(pair(*two) for two in combinations(table, 2))
            yield number, tables


def in_turn(order, plans):
    """Fill one table after another; `plans` are the sides of each."""
    order = iter(order)
    return [[next(order) for _ in sides] for sides in plans]


def apart(order, authors, ways):
    """Seat versions in the order of their lots so that all authors at a table differ.

    `ways(count)` are the ways to set up tables for so many, the usual one first; each is a list of
    tables' sides. Where no way will do, one version less is seated.
    """
    order = list(order)
    while order:
        first, *others = ways(len(order))
        tables = in_turn(order, first)
        differ = (len({authors[v] for v in table}) == len(table) for table in tables)
        if all(len({*sides}) < 3 or fine for sides, fine in zip(first, differ)):
            return tables
        for plans in (first, *others):
            if tables := spread(order, authors, plans):
                return tables
        count = Counter(authors[version] for version in order)
        most = max(count.values())
        order.remove([version for version in order if count[authors[version]] == most][-1])
    return []


def spread(order, authors, plans):
    """Let the authors take turns, those with the most bots first; None if no table is left for one.

    Each bot sits down at the first of the tables with the most free seats at which its author has
    none; at a table of two sides that doesn't matter.
    """
    free, free_for_all = [len(sides) for sides in plans], any(len({*p}) < 3 for p in plans)
    if sum(free) < len(order):
        count, chosen = Counter(), []
        for version in order:
            most = sum(free) if free_for_all else len(plans)
            if len(chosen) < sum(free) and count[authors[version]] < most:
                count[authors[version]] += 1
                chosen.append(version)
    else:
        chosen = order
    if len(chosen) < sum(free):
        return None
    of_author, tables = {}, [[] for _ in plans]
    for version in chosen:
        of_author.setdefault(authors[version], []).append(version)
    for bots in sorted(of_author.values(), key=len, reverse=True):
        taken = set()
        for version in bots:
            fit = [p for p, n in enumerate(free) if n and (p not in taken or len({*plans[p]}) < 3)]
            if not fit:
                return None
            best = max(fit, key=free.__getitem__)
            taken.add(best)
            free[best] -= 1
            tables[best].append(version)
    return [sorted(table, key=order.index) for table in tables]
