"""A contest: legs of rounds in random seats, for chips that are carried on or for margins."""

from collections import Counter

from basics import Unknown
from games.blackjack import LEAST

from schedules.field import place_of, placed, table_name
from schedules.fit import Fit
from schedules.seating import apart, in_turn

DRAWN_AHEAD = 1000
"""Rounds are drawn until so many matches are open."""


def contest(field, options):
    """Seat all rounds of all legs; the placings by mean chips, or by margins."""
    settings = field.settings
    chips = settings["facts"]["carries"]
    points, legs_played, games, fit = Counter(), Counter(), Counter(), Fit()
    tables = sum(len(field.versions) // len(sides) for sides in field.tables[:1])
    if field.left and options["legs"] * options["rounds"] * tables > DRAWN_AHEAD:
        raise Unknown("rounds that were drawn after a bot had left")
    for number in range(1, options["legs"] + 1):
        leg = Leg(field, options, number, chips)
        for result in leg.play():
            fit.add(result)
            games.update(dict.fromkeys(result.versions, result.games))
            if not chips:
                for version, margin in zip(result.versions, result.margins()):
                    points[version] += margin
        for version in leg.purses if chips else ():
            legs_played[version] += 1
            points[version] += leg.final(version)
    if chips:
        return placed({v: points[v] / n for v in field.versions if (n := legs_played[v])})
    if options["points"] == "fitted":
        strengths = fit.strengths()
        return placed({v: strengths[v] for v in field.versions if v in strengths})
    return placed({v: float(points[v] / n) for v in field.versions if (n := games[v])})


class Leg:
    """One leg: what everybody holds, how often each has sat, and the cards left at each table."""

    def __init__(self, field, options, number, chips):
        """`chips` are carried from table to table if that is set."""
        self.field, self.options, self.number, self.chips = field, options, number, chips
        self.purses, self.shoes, self.seated = {}, {}, Counter()
        table = field.settings["options"]
        self.start, self.least = table.get("start_chips", 0), LEAST.get(table.get("afford"))

    def play(self):
        """Seat round after round by the results of those before; yields every table's result."""
        options, field = self.options, self.field
        most = len(self.tables(len(field.versions)))
        leg = place_of(self.number, options["legs"], "t", 2)
        for number in range(1, options["rounds"] + 1):
            place = f"{leg}/{place_of(number, options['rounds'], 'r')}"
            lots = field.lots([v for v in field.versions if self.can_pay(v)], f"{place}/seats")
            order = sorted(lots, key=self.seated.__getitem__)
            if field.apart:
                tables = apart(order, field.authors, self.ways)
            else:
                tables = in_turn(order, self.tables(len(order)))
            results = []
            for table, versions in enumerate(tables):
                self.seated.update(versions)
                name = f"{place}/{table_name(table, most)}"
                if self.chips:
                    results.append(field.match(name, versions))
                    self.carry(table, results[-1])
                else:
                    results += field.counted(name, versions)
            yield from results

    def can_pay(self, version):
        """Whether a version has enough for a hand."""
        return not self.chips or self.purses.get(version, self.start) >= self.least

    def tables(self, bots):
        """The tables for so many, the fullest first; for chips the rest has one of its own."""
        found = []
        for sides in self.field.tables:
            found += [sides] * (bots // len(sides))
            bots %= len(sides)
            if not bots or (found and not self.chips):
                break
        return found

    def ways(self, bots):
        """These tables; for chips, also as many of them with nearly as many bots each."""
        usual = self.tables(bots)
        if not self.chips or len(usual) < 2:
            return [usual]
        sizes = {len(sides): sides for sides in self.field.tables}
        fewest, more = divmod(bots, len(usual))
        even = [fewest + 1] * more + [fewest] * (len(usual) - more)
        return [usual, [sizes[n] for n in even]] if {*even} <= {*sizes} else [usual]

    def carry(self, table, result):
        """Compare what a table began with with what was left before, and take what it left."""
        held = [self.purses.get(version) for version in result.versions]
        brought = [] if {*held} == {None} else [self.start if n is None else n for n in held]
        if (result.brought, result.shoe) != (brought, self.shoes.get(table, [])):
            text = "chips or shoe are not those of the round before"
            self.field.wrong.append(f"{result.key}: {text}")
        self.purses |= zip(result.versions, result.purses)
        self.shoes[table] = result.left

    def final(self, version):
        """What counts for a version at the end of the leg."""
        purse = self.purses[version]
        return purse if self.can_pay(version) or self.options["broke"] == "chips" else 0
