"""One match: who sat where, its games by the rules, and what they come to."""

import json
from collections import Counter
from fractions import Fraction
from types import SimpleNamespace
from typing import NamedTuple

from basics import Wrong, must
from games import GAMES, sides_of, unknown
from games.losses import forfeit
from table import Table

MATCH = {*("key", "leg", "round", "labels", "entrants", "sides", "seatings", "records")}
RECORD = {*("format", "game", "version", "options", "seats", "purses", "turns", "over")}
RECORD |= {"struck_out"}
FORMAT = 3


def proper(value, name=""):
    """Whether all values are texts and whole numbers, but for options and what is a strike."""
    if isinstance(value, dict):
        return all(name == "options" or proper(each, name) for name, each in value.items())
    if isinstance(value, list):
        return all(proper(each) for each in value)
    return type(value) is bool if name == "struck" else type(value) in (int, str, type(None))


class Result(NamedTuple):
    """What a match comes to; lists have an entry for each entrant.

    `boards` are counted scores, board by board, and `penalties` what strike-outs cost. `brought`
    and `shoe` are what the table began with, `purses` and `left` what it ended with; all four are
    empty where nothing is carried on.
    """

    key: str
    versions: list
    sides: list
    ranks: list
    scores: list
    boards: list
    penalties: list
    games: int
    brought: list
    shoe: list
    purses: list
    left: list

    def margins(self):
        """How far each entrant is above the mean of its opponents, less its penalties."""
        return [sum(column) for column in zip(*self.board_margins())]

    def board_margins(self):
        """The same, board by board."""
        return [
            [margin - penalty for margin, penalty in zip(margins(board, self.sides), penalties)]
            for board, penalties in zip(self.boards, self.penalties)
        ]


def margins(scores, sides):
    """How far each score is above the mean of those of other sides; 0 without any."""
    found = [(score, against(scores, sides, side)) for score, side in zip(scores, sides)]
    return [score - mean_of(theirs) if theirs else 0 for score, theirs in found]


def against(values, sides, side):
    """The values of the entrants that play against a side."""
    return [value for value, its in zip(values, sides) if its != side]


def mean_of(values):
    """The exact mean; 0 of nothing."""
    return Fraction(sum(values), max(1, len(values)))


def ranks_of(scores, sides, out):
    """The number of entrants that did better; sides with an entrant that was struck out are last.

    `out` are the entrants that were.
    """
    fallen = {sides[entrant] for entrant in out}
    order = [(side in fallen, -score) for side, score in zip(sides, scores)]
    return [sum(other < own for other in dict(zip(sides, order)).values()) for own in order]


def counted(record, seating, sides):
    """The counted score of each entrant in a game, and what being struck out costs it."""
    scores = [record["over"]["scores"][seating.index(entrant)] for entrant in range(len(sides))]
    fallen = {sides[seating[seat]] for seat in record["struck_out"]}
    standing = [score for score, side in zip(scores, sides) if side not in fallen]
    capped = [
        min([score, *standing]) if standing and side in fallen else score
        for score, side in zip(scores, sides)
    ]
    penalties = [0] * len(sides)
    for entrant, side in enumerate(sides):
        if side in fallen:
            worst = forfeit(record, seating.index(entrant), against(capped, sides, side))
            penalties[entrant] = max(0, capped[entrant] - worst)
    return capped, penalties


def result_of(match):
    """What the records of a match come to, whether they are sound or not."""
    sides, seatings = match["sides"], match["seatings"]
    boards, lost, scores, out = [], [], [0] * len(sides), set()
    for record, seating in zip(match["records"], seatings, strict=True):
        if seating == seatings[0]:
            boards.append([0] * len(sides))
            lost.append([0] * len(sides))
        for entrant, both in enumerate(zip(*counted(record, seating, sides))):
            boards[-1][entrant] += both[0]
            lost[-1][entrant] += both[1]
            scores[entrant] += record["over"]["scores"][seating.index(entrant)]
        out |= {seating[seat] for seat in record["struck_out"]}
    net = [sum(own) - sum(cost) for own, cost in zip(zip(*boards), zip(*lost))]
    first, alone = match["records"][0], len(match["records"]) == 1
    purses = first["over"].get("purses", []) if alone else []
    return Result(
        match["key"],
        match["entrants"],
        sides,
        ranks_of(net, sides, out),
        scores,
        boards,
        lost,
        len(match["records"]),
        *(first["purses"] * alone, first.get("shoe", []) * alone),
        [chips * (entrant not in out) for chips, entrant in zip(purses, seatings[0])],
        first["over"].get("shoe", []) * alone,
    )


class Match:
    """The check of one match: `found` is what is wrong, `unknown` what isn't followed."""

    def __init__(self, match, manifest, key):
        """`manifest` is the season's; without the `key` of the deals packs aren't compared."""
        self.match, self.settings, self.rules, self.key = (
            *(match, manifest["settings"], manifest["rules"]["version"], key),
        )
        self.found, self.unknown, self.count = [], [], Counter()

    def check(self):
        """Seats, packs, play and scores."""
        match, board = self.match, -1
        if {*match} != MATCH or not proper(match):
            self.found.append(f"{match['key']}: it has parts or values that no match has")
            return
        right = self.seats(len(match["seatings"][0]))
        known = self.settings["game"] in GAMES  # else nobody knows who are partners
        if known and (match["seatings"], match["sides"]) != right:
            self.found.append(
                f"{match['key']}: entrants sat in another order than the settings give"
            )
        games = zip(match["records"], match["seatings"], strict=True)
        for number, (record, seating) in enumerate(games, 1):
            board += seating == match["seatings"][0]
            where = f"{match['key']}, game {number}"
            self.found += [f"{where}: {text}" for text in self.game(record, board)]

    def seats(self, seats):
        """Who sits where in every game, by entrants, and the side of every entrant."""
        settings = self.settings
        sides = sides_of(settings["game"], settings["options"], seats)
        first = [*range(seats)] if settings["partners"] == "different" else sides
        turns = len({*sides}) if settings["duplicate"] else 1
        board = [first[turn:] + first[:turn] for turn in range(turns)]
        return board * settings["boards"], [sides[first.index(e)] for e in sorted({*first})]

    def game(self, record, board):
        """One game: follow it by the rules, and compare how it ended; yields what is wrong."""
        settings = self.settings
        options = [json.dumps(each["options"], sort_keys=True) for each in (record, settings)]
        if record["game"] != settings["game"] or options[0] != options[1]:
            yield "it was played with other options than the season's"
        if record["version"] != self.rules:
            yield "it was played by another version of the rules than the season's"
        if why := unknown(record):
            text = f"this program doesn't know {why}: of such games it checks the packs"
            self.unknown.append(text)
            yield from self.unknown_game(record, f"{self.match['key']}/{board}")
            return
        play, words, *_ = GAMES[record["game"]]
        label = f"{self.match['key']}/{board}"
        table = None
        try:
            must(
                {*record} - {"shoe", "prefixed"} == RECORD,
                "the record has other parts than records have",
            )
            must(record["format"] == FORMAT, "the record is of another format")
            must(
                record["seats"] == len(self.match["seatings"][0]), "it has another number of seats"
            )
            if not settings["facts"]["carries"]:
                brought = record["purses"] or record.get("shoe")
                must(not brought, "the seats brought something where nothing is carried on")
            table = Table(record, words.split(), self.key, label, settings)
            end = play(table, SimpleNamespace(**record["options"]))
            table.ended()
            end = {"purses": [], "shoe": [], **end}
            stored = {"shoe": [], **record["over"]}
            must(
                {*stored} == {*end} and record["over"].get("shoe", end), "it ends with other parts"
            )
            for name, value in end.items():
                text = f"{name} were changed: {stored[name]}, but the play gives {value}"
                must(stored[name] == value, text)
            out = [s for s in range(table.seats) if table.strikes[s] >= table.limit]
            must(out == record["struck_out"], "the seats that were struck out were changed")
        except Wrong as error:
            yield str(error)
        except (LookupError, TypeError, ValueError, AttributeError) as error:
            yield f"the record can't be followed: {error!r}"
        if table:
            yield from self.packs_of(table)

    def unknown_game(self, record, label):
        """The packs of a game whose rules are not known, its strike-outs, and the seats' scores."""
        try:
            table = Table(record, [], self.key, label, self.settings)
            table.only_packs()
            out = [s for s in range(table.seats) if table.strikes[s] >= table.limit]
            must(out == record["struck_out"], "the seats that were struck out were changed")
            for name in ("scores", "hands", "won"):
                must(len(record["over"][name]) == table.seats, f"{name} aren't those of all seats")
        except Wrong as error:
            yield str(error)
        except (LookupError, TypeError, ValueError, AttributeError) as error:
            yield f"the record can't be followed: {error!r}"
        else:
            yield from self.packs_of(table)

    def packs_of(self, table):
        """Count what was followed of a game; yields the first pack that the key doesn't give."""
        self.count.update(games=1, packs=table.packs, turns=table.turn)
        self.count["wrong packs"] += len(table.wrong_packs)
        yield from (f"another deal: {text}" for text in table.wrong_packs[:1])
