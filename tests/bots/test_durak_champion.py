"""The champion of durak: its endings against plain search by the rules, and its playouts."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

from tables.encoding import words
from tables.game import CHANCE, Terminal
from tables.registry import game
from tests.bots.house import program
from tests.bots.test_durak_lib import positions
from tests.tables.scripted import random_steps

DURAK = game("durak")
CHAMPION = program("durak", "champion")


def test_every_answer_is_legal_on_every_table() -> None:
    for number, (_, phase, question) in enumerate(positions(range(5))):
        if number % 8 == 0:
            said = CHAMPION.choose(CHAMPION.Table(question), random.Random(number), until=0)
            assert phase.read(said) in phase.legal_actions(phase.to_act)


def endings(cards: int) -> Iterator[tuple[Any, list[str]]]:
    """Questions of games for two where all is known and both together hold no more cards."""
    for seed in range(12):
        for step in random_steps(DURAK, 2, seed, deck=24):
            phase = step.before
            open_hands = step.turn.seat != CHANCE and len(phase.bout.talon) <= 1
            if open_hands and len(phase.legal) > 1 and sum(map(len, phase.bout.hands)) <= cards:
                yield phase, list(words(phase.question(phase.seat)))


def worth(phase: Any, seat: int, known: dict[Any, int]) -> int:
    """What a position is worth to a seat by the rules themselves: 1, 0 or -1."""
    if isinstance(phase, Terminal):
        return phase.scores[seat] - 1
    key = (phase.bout._replace(history="", number=2, swept=()), phase.seat, seat)
    if key not in known:
        values = (worth(phase.apply(action)[0], seat, known) for action in phase.legal)
        known[key] = max(values) if phase.to_act == seat else min(values)
    return known[key]


def test_endings_are_worth_what_the_rules_make_of_them() -> None:
    known: dict[Any, int] = {}
    seen = []
    for phase, question in endings(cards=6):
        table = CHAMPION.Table(question)
        assert CHAMPION.is_open(table)
        answers = CHAMPION.readable(table)
        best = CHAMPION.promising(
            table, CHAMPION.Knowledge(table), answers, random.Random(1), lambda: False
        )
        values = {
            str(action): worth(phase.apply(action)[0], phase.seat, known) for action in phase.legal
        }
        most = max(values.values())
        assert {values[word] for word in best} == {most}, question
        seen.append(most)
    assert min(seen.count(1), seen.count(-1)) > 3
