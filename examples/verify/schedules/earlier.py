"""What earlier seasons say about the versions that play now."""


def among_players(field, sides):
    """The matches of earlier seasons at such a table, as far as they were between players of now.

    A side with somebody else is left out, and a match of which one side is left counts nothing.
    """
    found = []
    for result in field.earlier():
        if sorted(result.sides) != sorted(sides):
            continue
        gone = {s for v, s in zip(result.versions, result.sides) if v not in field.versions}
        kept = [entrant for entrant, side in enumerate(result.sides) if side not in gone]
        if len({result.sides[entrant] for entrant in kept}) > 1:
            found.append(only(result, kept))
    return found


def only(result, kept):
    """A result with these of its entrants."""

    def of(row):
        return [row[entrant] for entrant in kept]

    rows = {name: of(getattr(result, name)) for name in ("versions", "sides", "ranks", "scores")}
    boards = {name: [*map(of, getattr(result, name))] for name in ("boards", "penalties")}
    return result._replace(**rows, **boards)
