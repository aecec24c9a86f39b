"""A gauntlet: every entrant meets the same reference bots."""

from fractions import Fraction
from itertools import product

from schedules.earlier import among_players
from schedules.field import author, place_of, placed, table_name


def gauntlet(field, options):
    """Seat every entrant in all companies; the placings by the mean of the mean margins in each."""
    sides, legs = field.tables[0], options["meetings"]
    fixed = [v for name in options["against"] if (v := named(field, name)) is not None]
    companies = {v: turns(field, v, fixed, sides) for v in field.versions if v not in fixed}
    found = {v: {with_: [] for with_ in opponents} for v, opponents in companies.items()}
    for result in among_players(field, sides) if options["pairs"] == "new" else []:
        count(result, found)
    met = {
        v: {company: len(boards) // field.boards for company, boards in its.items()}
        for v, its in found.items()
    }
    most = max(map(len, companies.values()), default=0)
    for leg, turn in product(range(1, legs + 1), range(most)):
        for table, (version, opponents) in enumerate(companies.items()):
            if turn >= len(opponents) or met[version][[*opponents][turn]] >= leg:
                continue
            place = f"{place_of(leg, legs, 't', 2)}/{place_of(turn + 1, most, 'r')}"
            place += f"/{table_name(table, len(companies))}"
            seats = [version, *[*opponents.values()][turn]]
            first = field.lots(range(len(seats)), f"{place}/seats")[0]
            for result in field.counted(place, seats[first:] + seats[:first]):
                count(result, found)
    means = {
        v: [sum(boards) / len(boards) for boards in its.values() if boards]
        for v, its in found.items()
    }
    return placed({v: float(sum(its) / len(its)) for v, its in means.items() if its})


def named(field, name):
    """The version that a reference's name means: without a number, the newest that plays."""
    bot, _, number = name.partition("@")
    fits = [
        (each["number"], each["version"])
        for each in field.players
        if each["bot"] == bot and number in ("", str(each["number"]))
    ]
    return max(fits)[1] if fits else None


def turns(field, version, fixed, sides):
    """Whom an entrant sits with, table by table, by company: partners first, then by number."""
    size = len(sides) - 1
    authors = field.authors_at(sides)
    free = [v for v in fixed if author(v, authors) != author(version, authors)]
    opponents = [(free[turn:] + free[:turn])[:size] for turn in range(len(free))]
    if len(free) < size:
        return {}
    return {company(sides[1:], its, sides[0]): its for its in opponents}


def company(sides, versions, own):
    """Those who sit with somebody of the side `own`, in a fixed order."""
    return tuple(v for _, v in sorted((s != own, v) for s, v in zip(sides, versions)))


def count(result, found):
    """Add the margins a game of the one entrant of a match, board by board."""
    entrants = [place for place, version in enumerate(result.versions) if version in found]
    if len(entrants) != 1:
        return
    (place,) = entrants
    others = [other for other in range(len(result.versions)) if other != place]
    here = company(
        [result.sides[other] for other in others],
        [result.versions[other] for other in others],
        result.sides[place],
    )
    games = max(1, result.games // len(result.boards))
    for board in result.board_margins():
        if here in found[result.versions[place]]:
            found[result.versions[place]][here].append(Fraction(board[place]) / games)
