"""What may be answered, written down: it allows what the rules allow, and nothing else."""

from __future__ import annotations

import random

import pytest

from card_arena.tables.choices import choices, is_among
from card_arena.tables.game import CHANCE
from card_arena.tables.legal_actions import Between, Either, OneOf, Pick
from card_arena.tables.registry import GAMES
from card_arena.tests.tables.scripted import random_steps


@pytest.mark.parametrize("name", GAMES)
@pytest.mark.parametrize("seed", range(3))
def test_the_forms_allow_what_the_rules_do_in_every_position(name: str, seed: int) -> None:
    """Held against actions of other positions of the same kind, most of which are not allowed."""
    game = GAMES[name]
    rng = random.Random(seed)
    steps = [
        step for step in random_steps(game, game.seats[-1], seed) if step.before.to_act != CHANCE
    ]
    allowed, refused = 0, 0
    for step in rng.sample(steps, min(len(steps), 60)):
        phase = step.before
        legal = phase.legal_actions(phase.to_act)
        written_down = list(map(str, choices(legal, phase.write)))
        alike = [other.before for other in steps if type(other.before) is type(phase)]
        for other in [phase, *rng.choices(alike, k=20)]:
            action = other.legal_actions(other.to_act).sample(rng)
            assert is_among(phase.write(action), written_down) == (action in legal)
            allowed += action in legal
            refused += action not in legal
    assert allowed
    assert refused or name == "blackjack"


def bet(amount: int) -> str:
    return f"B {amount}"


@pytest.mark.parametrize(
    ("written", "is_allowed"),
    [
        *(("S", True), ("H", False), ("B 1", True), ("B 190", True), ("B 42", True)),
        *(("B 0", False), ("B 191", False), ("B 4.5", False), ("B", False), ("B -3", False)),
        *(("4", False), ("B 1 ", False), ("B ٣", False), ("B " + "9" * 5000, False)),
    ],
)
def test_a_range_allows_the_numbers_in_it(written: str, is_allowed: bool) -> None:
    choice = Either((OneOf(("S",)), Between(bet, 1, 190)))
    found = list(map(str, choices(choice, str)))
    assert found == ["S", "B {1..190}"]
    assert is_among(written, found) == is_allowed


def test_an_empty_range_allows_nothing() -> None:
    assert list(map(str, choices(Between(bet, 2, 1), str))) == []


@pytest.mark.parametrize(
    ("written", "is_allowed"),
    [
        *(("7H,KH", True), ("KH,8H", True), ("7H,8H", False), ("KH", False)),
        *(("7H,8H,KH", False), ("KH,KH", False), ("KH,9D", False), ("", False)),
    ],
)
def test_a_pick_allows_so_many_cards_with_the_forced_ones(written: str, is_allowed: bool) -> None:
    found = list(map(str, choices(Pick(2, ("7H", "8H"), ("KH",)), str)))
    assert found == ["{2 of 7H,8H with KH}"]
    assert is_among(written, found) == is_allowed
