"""A cut: after every stage the weaker half goes, but for those who are too close to the line."""

from fractions import Fraction
from math import ceil

from schedules.errors import error_of
from schedules.field import place_of, placed, table_name
from schedules.fit import Fit
from schedules.seating import Room


def cut(field, options):
    """Play stage after stage with who is left; the placings by stage reached, then by margin."""
    room = Room(field)
    if not room.size:
        return []
    left, reached, fit = field.versions, {}, Fit()
    matches = options["rounds"] * (len(left) // room.size)
    places = lines(len(left), room.size, options["keep"])
    for number, line in enumerate(places, 1):
        reached |= dict.fromkeys(left, number)
        stage = place_of(number, len(places), "t", 2)

        def part(round, stage=stage):
            return f"{stage}/{place_of(round, matches, 'r')}"

        def lots(round, left=left, part=part):
            return field.lots(left, f"{part(round)}/seats")

        for round, tables in room.rounds(matches, lots):
            for table, versions in enumerate(tables):
                name = f"{part(round)}/{table_name(table, len(left) // room.size)}"
                fit.add(field.match(name, versions))
        strengths = fit.strengths()
        order = field.lots(left, f"{stage}/line")
        order.sort(key=lambda version: -strengths.get(version, 0.0))
        if number < len(places):
            left = staying(order, line, fit, options["margin"], room)
    points = {v: float(reached[v]) for v in reached if v in strengths}
    return placed(points, {"margin": {v: strengths[v] for v in points}})


def lines(bots, size, keep):
    """How many places there are above the line of each stage; in the last stage there is one."""
    found, left = [], bots
    if isinstance(keep, list):
        found = dict.fromkeys(max(size, places) for places in keep if places < bots)
        return [*(places for places in found if places < bots), 1]
    share = Fraction(1, 2) if keep == "half" else Fraction(str(keep))
    while left > size:
        left = max(size, min(left - 1, ceil(left * share)))
        found.append(left)
    return [*found, 1]


def staying(order, line, fit, margin, room):
    """Who stays: those above the line, those too close to it, and more until a table is filled."""
    strengths, stay = fit.strengths(), order[:line]
    for version in order[line:]:
        error = error_of(fit, version, stay[line - 1])
        if error is not None:
            behind = round(strengths[stay[line - 1]] - strengths[version], 6)
            stay += [version] if behind <= round(margin * error, 6) else []
    while not room.fill(stay):
        stay.append(next(version for version in order if version not in stay))
    return sorted(stay, key=order.index)
