"""A league: everybody meets everybody, and strengths are fitted to all margins."""

from collections import Counter
from itertools import combinations

from schedules.earlier import among_players
from schedules.field import author, pair, place_of, placed, table_name
from schedules.fit import Fit
from schedules.seating import mixed


def league(field, options):
    """Seat all rounds of all legs; the placings by fitted margin, then by opponents beaten."""
    sides = field.fullest() or field.tables[0]
    before = among_players(field, sides) if options["pairs"] == "new" else []
    met = Counter()
    for result in before:
        for two in combinations(result.versions, 2):
            met[pair(*two)] += len(result.boards)
    met = Counter({two: boards // field.boards for two, boards in met.items()})
    legs = []
    for leg in range(1, options["meetings"] + 1):
        draw = pairs if len(sides) == 2 else tables
        legs.append(draw(field, leg, place_of(leg, options["meetings"], "t", 2), met, sides))
    widest = max(map(len, legs))
    most = max((len(tables) for rounds in legs for tables in rounds), default=0)
    results = list(before)
    for leg, rounds in enumerate(legs, 1):
        for number, seated in enumerate(rounds, 1):
            place = f"{place_of(leg, len(legs), 't', 2)}/{place_of(number, widest, 'r')}"
            for table, together in enumerate(seated):
                name = f"{place}/{table_name(table, most)}"
                results += field.counted(name, field.lots(together, f"{name}/seats"))
    strengths, won = Fit(results).strengths(), shares(results)
    points = {v: strengths[v] for v in field.versions if v in strengths}
    return placed(points, {"won": {v: won.get(v, 0.0) for v in points}})


def shares(results):
    """The share of its opponents that each has beaten, match by match; a draw is a half."""
    halves, opponents = Counter(), Counter()
    for result in results:
        everybody = list(zip(result.versions, result.sides, result.ranks))
        for version, side, rank in everybody:
            for _, its_side, its_rank in everybody:
                if its_side != side:
                    opponents[version] += 1
                    halves[version] += (its_rank > rank) + (its_rank >= rank)
    return {version: halves[version] / (2 * n) for version, n in opponents.items()}


def pairs(field, leg, place, met, _sides):
    """The rounds of a leg at tables of two: a round robin by the circle method."""
    ring, found = field.lots(field.versions, f"{place}/lots"), []
    ring += [None] * (len(ring) % 2)
    for _ in range(len(ring) - 1):
        facing = zip(ring[: len(ring) // 2], reversed(ring))
        found.append([two for two in facing if None not in two and met[pair(*two)] < leg])
        ring.insert(1, ring.pop())
    found = [tables for tables in found if tables]
    met.update(pair(*two) for tables in found for two in tables)
    return found


def tables(field, leg, place, met, sides):
    """The rounds of a leg at larger tables: mixed until no pair is missing."""
    size, authors = len(sides), field.authors_at(sides)
    missing = {
        pair(*two)
        for two in combinations(field.versions, 2)
        if met[pair(*two)] < leg and author(two[0], authors) != author(two[1], authors)
    }
    found, number = [], 0
    while missing:
        number += 1
        lots = field.lots(field.versions, f"{place}/r{number}/lots")
        lacking = Counter(version for two in missing for version in two)
        order = sorted(lots, key=lambda version: -lacking[version])
        seated = [
            table
            for table in mixed(order, size, met, authors)
            if any(pair(*two) in missing for two in combinations(table, 2))
        ]
        if not seated:
            two = min(missing)
            missing.remove(two)
            seated = together(two, order, size, authors)
        missing -= {pair(*two) for table in seated for two in combinations(table, 2)}
        met.update(pair(*two) for table in seated for two in combinations(table, 2))
        found += [seated] if seated else []
    return found


def together(two, order, size, authors):
    """A table for these two, with the first others who may sit there; none if it stays short."""
    table = list(two)
    for version in order:
        sitting = {author(at, authors) for at in table}
        fits = version not in table and author(version, authors) not in sitting
        table += [version] if fits and len(table) < size else []
    return [table] if len(table) == size else []
