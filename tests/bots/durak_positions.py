"""Positions of durak, and the questions of them."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

from card_arena.tables.encoding import words
from card_arena.tables.game import CHANCE, Terminal
from card_arena.tables.registry import game
from card_arena.tests.bots.house import library
from card_arena.tests.tables.durak_model import random_table

DURAK = game("durak")


LIB = library("durak")


TABLE, VALUE = LIB.table, LIB.value


def asked(
    phase: str, legal: str, hand: str, table: str = "-", talon: int = 20, pack: int = 52
) -> list[str]:
    """A question to seat 0 of two, trumps diamonds; the missing cards of the pack were beaten."""
    laid = [card for card in table.replace("-", ",").split(",") if card]
    gone = ",".join(["0:2C"] * (pack - talon - 12 - len(laid)))
    history = "/".join(bout for bout in (gone, "1:9S" if laid else "") if bout) or "-"
    line = f"durak {phase} {legal} 0 {hand} D:7D {talon} 6,6 {table} 1 0 5 {history}"
    return line.split()


def positions(seeds: range, **fixed: Any) -> Iterator[tuple[dict[str, Any], Any, list[str]]]:
    """Every question of random games on random tables: the options, the position, the words."""
    for seed in seeds:
        rng = random.Random(seed)
        options, seats = random_table(rng)
        options |= fixed
        phase: Any = DURAK.start(DURAK.options(**options), seats)
        while not isinstance(phase, Terminal):
            if phase.to_act != CHANCE:
                yield options, phase, list(words(phase.question(phase.to_act)))
            phase, _ = phase.apply(phase.legal_actions(phase.to_act).sample(rng))


VALUES = [
    ("2C,2S,QD,QH,QC,QS", 1697),
    ("5S,JS,AS,6D,9D,KD", 4250),
    ("5S,TC,AS,3D,9D,KD", 4250),
    ("2D,6D,9D,JD,KD,AD", 8650),
    # A suit that lacks where there are 4 plain cards: |(0 - 4/3) / (4/3)| is 1 and costs 200. The
    # same numbers multiplied first, 200 * (4/3) / (4/3), come to 199.99... and cost 199.
    ("2C,3C,4H,5H", -1800 - 100 - 200 - 100 + 150),
    ("2C", -600 - 400 - 200 - 200 + 150),  # 1 plain card, and 2 and 8 are like this, too
    # 3 of 5 plain cards: 160 and not 159. The others are 2 and 0 of 5: 39 and 200.
    ("2C,3C,4C,5H,6H", -2000 - 160 - 39 - 200 + 150),
    # 11 of 20 plain cards: 129 and not 130, which it would be if multiplied first. The two tens
    # add 1, and 20 cards where others have 12 are the share 1, which costs 450.
    (
        "2C,3C,4C,5C,6C,7C,8C,9C,TC,JC,QC,2H,3H,4H,5H,6H,7H,8H,9H,TH",
        -2900 + 1 - 129 - 69 - 200 - 450,
    ),
]
"""Hands with diamonds for trumps and their literal values; the first four are of [Fools n.d.]."""
