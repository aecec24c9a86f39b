"""Seasons of house bots in this process, some of whom play softly against a friend."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

from card_arena.collusion.pairs import Observation
from card_arena.tables.dealing import Packs
from card_arena.tables.referee import play
from card_arena.tables.registry import GAMES
from card_arena.tables.tarot.observations import left_with, winning_seat
from card_arena.tests.bots.house import Seated, program
from card_arena.tests.tables.scripted import Said

KINDS = {
    "durak": ("value", "value-intended", "lowest", "random"),
    "tarot": ("points", "points", "random"),
}
"""The house bots that are quick enough, by game."""

SHORT = {"durak": {}, "tarot": {"deals": 4}}
SEATS = 3
PLAYERS = 6


@cache
def bot(game: str, kind: str) -> Any:
    """A house bot, loaded once."""
    return Seated(program(game, kind))


@dataclass
class Soft:
    """A house bot that helps the friend at its table, in a part of the decisions where it could."""

    honest: Any
    game: str
    friend: int
    part: float
    rng: random.Random

    def ask(self, asked: Sequence[str]) -> Said:
        """Answer softly, or else as the house bot does."""
        help = {"durak": spared, "tarot": fed}[self.game](asked, self.friend)
        if help and self.rng.random() < self.part:
            return Said(help)
        return self.honest.ask(asked)

    def tell(self, line: str) -> None:
        """Hear the notices."""
        self.honest.tell(line)


def spared(asked: Sequence[str], friend: int) -> str:
    """At durak: throw nothing in against a friend, and lead to it with the lowest card."""
    _, phase, legal = asked[:3]
    if int(asked[10]) != friend:
        return ""
    if phase in ("throw", "give"):
        return "done"
    cards = [card for card in legal.split(",") if len(card) == 2]
    plain = [card for card in cards if card[1] != asked[5][0]] or cards
    return min(plain, key=lambda card: "23456789TJQKA".index(card[0])) if phase == "attack" else ""


def fed(asked: Sequence[str], friend: int) -> str:
    """At tarot: leave a trick that a friend is winning to it, with the most points one has."""
    if asked[1] != "play" or asked[13] == "-" or asked[13].endswith(":EX"):
        return ""
    winner, cards = winning_seat(asked[13])
    gifts = {card: left_with(cards, card) for card in asked[2].split(",")}
    given = {card: value for card, value in gifts.items() if value is not None}
    return max(given, key=given.__getitem__) if winner == friend and given else ""


def season(game: str, seed: int, common: int, *, part: float = 0.0) -> Iterator[Observation]:
    """Play a season by lot, two tables of three a round, duplicates; yields all observations.

    It ends when players 0 and 1 have met at so many `common` tables. They collude in this `part` of
    the decisions in which they could.
    """
    rng = random.Random(seed)
    random.seed(seed)
    rules = GAMES[game]
    options = rules.options(**SHORT[game])
    kinds = [rng.choice(KINDS[game]) for _ in range(PLAYERS)]
    if part:
        kinds[:2] = [KINDS[game][0]] * 2
    round = 0
    while common:
        order = rng.sample(range(PLAYERS), PLAYERS)
        round += 1
        for place in range(0, PLAYERS, SEATS):
            table = order[place : place + SEATS]
            common -= {0, 1} <= {*table}
            for turn in range(SEATS):
                seated = [*table[turn:], *table[:turn]]
                bots = [bot(game, kinds[player]) for player in seated]
                if part and {0, 1} <= {*seated}:
                    for one, other in ((0, 1), (1, 0)):
                        seat = seated.index(one)
                        bots[seat] = Soft(bots[seat], game, seated.index(other), part, rng)
                packs = Packs(seed.to_bytes(32, "big"), f"{round}/{place}")
                record = play(rules, options, bots, packs)
                for each in rules.statistics.observations(record):
                    yield Observation(
                        (round, place),
                        seated[each.actor],
                        seated[each.target],
                        each.stratum,
                        each.value,
                    )
