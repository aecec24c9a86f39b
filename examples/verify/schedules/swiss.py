"""A Swiss tournament: in every round those meet who have done equally well so far."""

from collections import Counter
from fractions import Fraction
from itertools import combinations

from matches import against, mean_of

from schedules.field import author, most_tables, pair, place_of, placed, table_name
from schedules.fit import Fit
from schedules.seating import NEVER, dealt, first_to_fill, greedy, swapped


def swiss(field, options):
    """Pair round after round by the results so far; the placings by fitted margin."""
    sides = field.fullest()
    if sides is None:
        return []
    size, count = len(sides), len(field.versions)
    rounds = options["rounds"] or usual_rounds(count, size)
    authors = field.authors_at(sides)
    most = most_tables(field.versions, size, authors)
    lots, fit = field.lots(field.versions, "lots"), Fit()
    met, byes, points = Counter(), Counter(), Counter()
    cells = {version: [] for version in field.versions}
    for number in range(1, rounds + 1):
        place, strengths = place_of(number, rounds, "r"), fit.strengths()
        ranked = sorted(lots, key=lambda version: -strengths.get(version, 0.0))
        tables = seated(ranked, size, met, byes, authors)
        if tables is None:
            field.notes.append(
                f"{field.place}/{place}: who met whom, as swaps alone pair some again"
            )
            tables = as_played(field, ranked, place, most)
        results = []
        for table, together in enumerate(tables):
            name = f"{place}/{table_name(table, most)}"
            met.update(pair(*two) for two in combinations(together, 2))
            results.append(field.match(name, field.lots(together, f"{name}/seats")))
        sitting = {version for result in results for version in result.versions}
        for version in ranked if results else ():
            if version not in sitting:
                byes[version] += 1
                points[version] += 1
                cells[version].append([])
        for result in results:
            fit.add(result)
            for version, side, rank in zip(result.versions, result.sides, result.ranks):
                others = against(result.versions, result.sides, side)
                ranks = against(result.ranks, result.sides, side)
                halves = sum((its > rank) + (its >= rank) for its in ranks)
                points[version] += Fraction(halves, 2 * len(ranks))
                cells[version].append(others)
    strengths = fit.strengths()
    buchholz = {
        v: sum(mean_of([points[other] for other in others] or [points[v]]) for others in cells[v])
        for v in strengths
    }
    return placed(
        strengths,
        {
            "points": {v: float(points[v]) for v in strengths},
            "Buchholz": {v: float(n) for v, n in buchholz.items()},
        },
    )


def usual_rounds(players, seats):
    """The logarithm to base 2, rounded up, and one more; of two sides no more than opponents."""
    rounds = (players - 1).bit_length() + 1
    return min(rounds, players - 1 + players % 2) if seats == 2 else rounds


def seated(ranked, size, met, byes, authors):
    """The tables of a round, the best first; None if swaps alone can't find them."""
    first_in = sorted(ranked, key=lambda version: -byes[version])
    chosen = {*first_to_fill(first_in, size, authors)}
    playing = [version for version in ranked if version in chosen]
    tables, again = alike(playing, size, met, authors)
    return None if again and size == 2 else tables


def alike(ranked, size, met, authors):
    """Tables of like strength, at which those meet who have met least; whether any meet again."""
    repeat = size * max(1, len(ranked)) ** 3

    def cost(one, other):
        apart = author(ranked[one], authors) == author(ranked[other], authors)
        times = NEVER if apart else met[pair(ranked[one], ranked[other])]
        return times * repeat + (one - other) ** 2

    tables = greedy(range(len(ranked)), size, cost)
    swapped(tables, cost)
    if worst(tables, cost) >= NEVER * repeat:
        places = {version: place for place, version in enumerate(ranked)}
        tables = [[places[v] for v in table] for table in dealt(ranked, size, authors)]
        swapped(tables, cost)
    found = [[ranked[place] for place in sorted(table)] for table in sorted(tables, key=min)]
    return found, worst(tables, cost) >= repeat


def worst(tables, cost):
    """What the meeting costs that costs most; 0 without tables."""
    return max((cost(*two) for table in tables for two in combinations(table, 2)), default=0)


def as_played(field, ranked, place, most):
    """The tables of a round as they were played, each in this order."""
    names = [f"{place}/{table_name(table, most)}" for table in range(most)]
    found = [field.match(name) for name in names if f"{field.place}/{name}" in field.results]
    return [[v for v in ranked if v in result.versions] for result in found]
