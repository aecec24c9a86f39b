"""What people are offered is what the rules allow."""

from __future__ import annotations

import random

import pytest

from card_arena.tables.choices import Cards, Number, Word, choices, only_answer
from card_arena.tables.game import CHANCE
from card_arena.tables.legal_actions import Between, Either, OneOf, Pick
from card_arena.tables.referee import judged
from card_arena.tables.registry import GAMES
from card_arena.tests.tables.scripted import random_steps


@pytest.mark.parametrize("game", GAMES)
def test_every_line_that_is_offered_is_allowed(game: str) -> None:
    rng, offered = random.Random(5), 0
    for step in random_steps(GAMES[game], GAMES[game].seats[-1], 3):
        phase = step.before
        if phase.to_act == CHANCE:
            continue
        legal = phase.legal_actions(phase.to_act)
        for choice in choices(legal, phase.write):
            match choice:
                case Word(answer):
                    lines = [answer]
                case Number(_, low, high, _):
                    lines = [choice.answer(low), choice.answer(high)]
                case Cards(_, count, cards, forced):
                    free = [card for card in cards if card not in forced]
                    lines = [choice.answer({*forced, *rng.sample(free, count - len(forced))})]
            for line in lines:
                assert judged(phase, legal, line)[1] is None, line
                offered += 1
    assert offered > 20


@pytest.mark.parametrize(
    ("legal", "only"),
    [
        (OneOf(("H",)), "H"),
        (OneOf(("H", "S")), None),
        (Between(str, 3, 3), "3"),
        (Between(str, 3, 4), None),
        (Either((OneOf(("S",)), Between(str, 1, 0))), "S"),
        (Pick(2, ("7H", "8H")), "7H,8H"),
        (Pick(2, ("7H", "8H", "9H")), None),
        (Pick(1, ("7H",), forced=("KH",)), "KH"),
    ],
)
def test_an_answer_without_a_choice_is_found(legal: object, only: str | None) -> None:
    assert only_answer(legal, str) == only
