"""How sure a margin is after as many games: dealt at random, duplicate, less luck, and both.

Two versions of one bot, and two strangers, play every game. All figures are the standard error of a
mean margin, divided by that of as many games dealt at random.
"""

from __future__ import annotations

import statistics
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from card_arena.ratings.match_results import luck_shares
from card_arena.tables.cards import cards
from card_arena.tables.dealing import Packs
from card_arena.tables.luck import UNIT
from card_arena.tables.registry import GAMES
from card_arena.tables.tarot.luck import value
from card_arena.tests.in_process import Answer, bets_when_ahead, draws_below, house_bot, played

HEADINGS = (
    "game",
    "who",
    "boards",
    "a margin scatters by",
    "random, less luck",
    "duplicate",
    "duplicate, less luck",
    "goal",
)
SEED = bytes(32)
ALIKE, STRANGERS = "versions of one bot", "strangers"


@dataclass(frozen=True, slots=True)
class Meeting:
    """Two bots that meet at a table; `boards` are played for every ten questions of the bench."""

    game: str
    who: str
    names: tuple[str, str]
    boards: int
    goal: str = ""
    options: Mapping[str, Any] = field(default_factory=dict)
    seats: int = 0
    """The seats of the table; 0 for the fewest."""

    @property
    def title(self) -> str:
        """The game and what is unusual about its table."""
        unusual = [f"{name}: {value}" for name, value in self.options.items()]
        return ", ".join([self.game, *unusual, *([f"{self.seats} seats"] * bool(self.seats))])

    def bots(self) -> tuple[Answer, Answer]:
        """Both bots, each with a library of its own."""
        one, other = map(self._bot, self.names)
        return one, other

    def _bot(self, name: str) -> Answer:
        if name in _SIMPLE:
            return _SIMPLE[name]
        known, _, changed = name.partition(", ")
        return bolder(house_bot(self.game, known)) if changed else house_bot(self.game, known)


_SIMPLE: Mapping[str, Answer] = {
    "below 15": draws_below(15),
    "below 16": draws_below(16),
    "below 17": draws_below(17),
    "bettor 16": bets_when_ahead(16),
    "bettor 17": bets_when_ahead(17),
}
_HAND = {"shoe": "hand"}
MEETINGS = (
    Meeting("blackjack", ALIKE, ("below 16", "below 17"), 40, "at most .30"),
    Meeting("blackjack", ALIKE, ("below 16", "below 17"), 40, "at most .30", _HAND),
    Meeting("blackjack", STRANGERS, ("below 15", "bettor 17"), 40, "", _HAND),
    Meeting("blackjack", "versions of a bettor", ("bettor 16", "bettor 17"), 40, "", _HAND),
    Meeting("blackjack", ALIKE, ("below 16", "below 17"), 20, seats=4),
    Meeting("blackjack", STRANGERS, ("below 15", "bettor 17"), 20, "", _HAND, seats=4),
    Meeting("spades", ALIKE, ("bis-srp", "bis-no-end"), 10, "at most .35"),
    Meeting("spades", ALIKE, ("bis-srp", "bis-one-curve"), 10, "at most .35"),
    Meeting("spades", ALIKE, ("bis-srp", "bis-one-curve"), 40, "at most .35", {"max_rounds": 1}),
    Meeting("spades", STRANGERS, ("ms-wrp", "io"), 10),
    Meeting("blot", ALIKE, ("v1", "expectimax"), 5, "at most .35"),
    Meeting("blot", STRANGERS, ("v1", "v2"), 10),
    Meeting("blot", STRANGERS, ("v1", "v2"), 60, "", {"max_deals": 1}),
    Meeting("tarot", ALIKE, ("points", "points, bolder"), 5, "at most .35"),
    Meeting("tarot", STRANGERS, ("points", "random"), 5),
    *(
        Meeting("durak", who, names, boards, seats=seats)
        for seats, boards in ((2, 20), (3, 12), (4, 10), (6, 6))
        for who, names in (
            (ALIKE, ("value", "value-intended")),
            (STRANGERS, ("value", "lowest")),
        )
    ),
)


_NEARLY = {35: "petite", 40: "garde", 50: "sans"}
"""The values of hands that are one short of a bid of `points`."""


def bolder(answer: Answer) -> Answer:
    """A version of `points` at tarot that makes every bid with one point less."""

    def bold(asked: list[str]) -> str:
        if asked[1] == "bid":
            bid = _NEARLY.get(value(cards(asked[5])))
            if bid in asked[2].split(","):
                return str(bid)
        return answer(asked)

    return bold


@dataclass(slots=True)
class Scatter:
    """Margins of the first bot in the games of every board, and the luck in them."""

    margins: list[list[float]] = field(default_factory=list)
    lucks: list[list[float]] = field(default_factory=list)

    def errors(self) -> tuple[float, float, float, float]:
        """A game's standard deviation, and the three standard errors divided by it."""
        usual, less_luck = _scatters(_flat(self.margins), _flat(self.lucks))
        boards = _scatters(*([*map(statistics.fmean, rows)] for rows in (self.margins, self.lucks)))
        turns = len(self.margins[0]) ** 0.5
        return usual, less_luck / usual, boards[0] * turns / usual, boards[1] * turns / usual


def _scatters(margins: Sequence[float], lucks: Sequence[float]) -> tuple[float, float]:
    """The standard deviations of margins, plain and less luck as standings subtract it."""
    pairs = [*zip(margins, lucks, strict=True)]
    shares = luck_shares([pair] for pair in pairs)
    less_luck = [m - luck * share / UNIT for (m, luck), share in zip(pairs, shares, strict=True)]
    return statistics.stdev(margins), statistics.stdev(less_luck)


def _flat(rows: Sequence[Sequence[float]]) -> list[float]:
    return [number for row in rows for number in row]


def scatter(meeting: Meeting, boards: int) -> Scatter:
    """Play boards in every rotation of the seats: the first bot sits on side 0 at first."""
    game = GAMES[meeting.game]
    options = game.options(**meeting.options)
    seats = meeting.seats or max(2, game.seats[0])
    sides = game.sides(options, seats)
    side_of = {seat: number for number, side in enumerate(sides) for seat in side}
    one, other = meeting.bots()
    found = Scatter()
    for board in range(boards):
        margins, lucks = [], []
        for turn in range(len(sides)):
            mine = (-turn) % len(sides)
            seated = [one if side_of[seat] == mine else other for seat in range(seats)]
            ended = played(game, options, seated, Packs(SEED, "luck", board))
            scores, luck = ended.over.scores, ended.luck
            theirs = [side[0] for number, side in enumerate(sides) if number != mine]
            me = sides[mine][0]
            margin = scores[me] - statistics.fmean(scores[seat] for seat in theirs)
            lucky = luck[me] - statistics.fmean(luck[seat] for seat in theirs)
            margins.append(margin)
            lucks.append(lucky / UNIT)
        found.margins.append(margins)
        found.lucks.append(lucks)
    return found


def luck_rows(rounds: int) -> Iterator[Sequence[str]]:
    """Every meeting in turn."""
    for meeting in MEETINGS:
        boards = max(10, meeting.boards * rounds // 10)
        usual, *ratios = scatter(meeting, boards).errors()
        yield (
            meeting.title,
            f"{meeting.who}: {meeting.names[0]}, {meeting.names[1]}",
            f"{boards:,}",
            f"{usual:.3g}",
            *(f"{ratio:.2f}" for ratio in ratios),
            meeting.goal,
        )
