"""Stages: one format after another, each with the best of the one before."""

from schedules.field import place_of


def stages(field, options, formats):
    """Follow stage after stage; the placings by the stage reached, then as that stage has them.

    `formats` are those that can be a stage, by name.
    """
    played, versions = [], field.versions
    for number, stage in enumerate(options, 1):
        (name,) = (word for word in stage if word != "best")
        its = field.stage(place_of(number, len(options), "s"), versions, ranked=number > 1)
        lots = its.lots(its.versions, "lots")
        found = sorted(formats[name](its, stage[name]), key=lambda p: (p[1], lots.index(p[0])))
        played.append((number, titles(name, stage[name]), its.versions, found))
        versions = ([version for version, *_ in found] or its.versions)[: stage.get("best")]
    placings = []
    for number, title, players, found in reversed(played):
        taken = {version for version, *_ in placings}
        left = [each for each in found if each[0] not in taken]
        before = len(placings)
        for version, rank, points, breaks in left:
            own = before + sum(other[1] < rank for other in left) + 1
            placings.append((version, own, float(number), [[title, points], *breaks]))
        if number == len(played) and number > 1:
            placed = {version for version, *_ in placings}
            waiting = [version for version in players if version not in placed]
            last = len(placings) + 1
            placings += [(version, last, float(number), []) for version in waiting]
    return placings


def titles(name, options):
    """What the points of a stage are called."""
    if name == "contest" and options["points"] == "mean":
        return "mean margin"
    return {"cut": "stage reached", "knockout": "rounds survived"}.get(name, "fitted margin")
