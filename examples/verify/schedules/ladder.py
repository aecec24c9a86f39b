"""A ladder's epoch: new versions first, then some tables by lot, then those who may be the best."""

from collections import Counter
from datetime import datetime
from fractions import Fraction
from itertools import combinations
from math import ceil, floor

from schedules.field import pair, placed, table_name
from schedules.fit import Fit
from schedules.seating import Room


def ladder(field, options):
    """Seat what follows from the epochs before; the placings by strengths of all epochs."""
    room = Room(field)
    if not room.size:
        return []
    known = Known(field, room)
    for result in field.earlier():
        known.add(result)
    new = list(known.of_new(options))
    left = options["matches"] - len(new)
    share = floor(left * Fraction(str(options["by_lot"])) + Fraction(1, 2))
    rounds = room.rounds(share, lambda n: field.lots(field.versions, f"t01/lot/{n}"))
    by_lot = [table for _, tables in rounds for table in tables]
    best = [None] * (left - len(by_lot))
    for number, tables in enumerate((new, by_lot, best), 1):
        names = [f"t01/r{number}/{table_name(table, len(tables))}" for table in range(len(tables))]
        for name, versions in zip(names, tables):
            known.add(field.match(name, versions))
    if best:
        field.notes.append("which of a ladder's bots may be the best, and so who of them met whom")
    strengths = known.fit.strengths()
    boards = {version: float(known.fit.boards[version]) for version in strengths}
    return placed(strengths, {"boards": boards})


class Known:
    """What is known from the boards at which only players of now sat."""

    def __init__(self, field, room):
        """Nothing, to begin with."""
        self.field, self.room, self.fit, self.met = field, room, Fit(), Counter()

    def add(self, result):
        """Count a match's boards."""
        if {*result.versions} <= {*self.field.versions}:
            self.fit.add(result)
            for two in combinations(result.versions, 2):
                self.met[pair(*two)] += len(result.boards)

    def needs(self, bound):
        """How many boards each version lacks until its variance is below the bound, by age."""
        found, weight = {}, (self.room.size // len({*self.room.sides})) ** 2
        newest = sorted(
            (datetime.fromisoformat(player["submitted"]), player["version"])
            for player in self.field.players
        )
        for _, version in reversed(newest):
            own = self.fit.boards[version]
            variance = Fraction(1, own) if own else 0
            for other in self.field.versions if own else ():
                if other != version and (met := self.met[pair(version, other)]):
                    share = Fraction(met, own * (self.room.size - 1))
                    variance += share**2 / self.fit.boards[other]
            if not own:
                found[version] = ceil(weight / bound)
            elif weight * variance > bound:
                found[version] = ceil(own * (weight * variance / bound - 1))
        return found

    def of_new(self, options):
        """Tables for each version that lacks boards, with those whom it has met least."""
        lots = self.field.lots(self.field.versions, "t01/new")
        met, planned, count = Counter(self.met), Counter(), 0
        for version, needed in self.needs(Fraction(str(options["error"])) ** 2).items():
            while planned[version] < needed and count < options["matches"]:
                others = [each for each in lots if each != version]
                others.sort(key=lambda each: met[pair(version, each)])
                table = self.room.fill([version, *others])
                if not table:
                    break
                count += 1
                yield table
                planned.update(dict.fromkeys(table, self.field.boards))
                for two in combinations(table, 2):
                    met[pair(*two)] += self.field.boards
