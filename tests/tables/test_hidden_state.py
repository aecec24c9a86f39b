"""Whatever a seat can't know leaves its question unchanged, byte for byte, in every game."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator
from dataclasses import fields, replace

import pytest

from card_arena.tables.encoding import words
from card_arena.tables.game import CHANCE, BadTable
from card_arena.tables.legal_actions import describe
from card_arena.tables.registry import GAMES
from card_arena.tests.tables.look_alikes import LOOK_ALIKES
from card_arena.tests.tables.scripted import random_steps

EVERY = pytest.mark.parametrize("rules", GAMES.values(), ids=GAMES)
ENOUGH = 60
"""How many different look-alikes of each phase there must be, unless the phase is a rare one."""
RARE = {("tarot", "Discarding"): 1}


def positions(rules, games=6) -> Iterator[tuple[object, int]]:
    """Every question of random games, with all rules that the presets name and closed hands."""
    for options in (rules.options(), *rules.presets.values()):
        if getattr(options, "open_hands", False):
            continue
        for seats in rules.seats:
            for seed in range(games):
                try:
                    steps = random_steps(rules, seats, seed, **dict(options))
                except BadTable:
                    continue
                for step in steps:
                    if step.turn.seat != CHANCE:
                        yield step.before, step.turn.seat


def compared(rules, games=6) -> Counter[str]:
    """Hold each question against that of a look-alike; how many of each phase differed unseen."""
    rng = random.Random(11)
    found = Counter[str]()
    for phase, seat in positions(rules, games):
        other = LOOK_ALIKES[rules.name](phase, seat, rng)
        assert words(other.question(seat)) == words(phase.question(seat))
        ours, theirs = phase.legal_actions(seat), other.legal_actions(seat)
        assert describe(theirs.outline(other.write)) == describe(ours.outline(phase.write))
        found[type(phase).__name__] += other != phase
    return found


def test_every_game_says_what_a_seat_cannot_know():
    """A new game fails here until it has a look-alike."""
    assert LOOK_ALIKES.keys() == GAMES.keys()


@EVERY
def test_cards_that_a_seat_cannot_know_change_neither_its_question_nor_its_choice(rules):
    for phase, changed in compared(rules).items():
        assert changed >= RARE.get((rules.name, phase), ENOUGH), phase


@EVERY
def test_the_cards_of_a_look_alike_are_those_of_the_position(rules):
    """Nothing is lost or doubled, or the comparison would prove less."""
    rng = random.Random(12)
    for phase, seat in positions(rules, 1):
        other = LOOK_ALIKES[rules.name](phase, seat, rng)
        assert sorted(held(other)) == sorted(held(phase))


def held(value: object) -> Iterator[str]:
    """All cards in a position's hands, talon, dog, discard and pack; not those in declarations."""
    names = getattr(value, "_fields", None)
    if names is None:
        return
    for name in names:
        part = getattr(value, name)
        if name in ("hands", "talon", "dog", "discard", "pack", "dealer"):
            for item in part:
                yield from [item] if isinstance(item, str) else map(str, item)
        elif name in ("bout", "deal", "table"):
            yield from held(part)


@EVERY
def test_a_leak_of_one_hidden_card_is_noticed(rules, monkeypatch):
    """Planted in every phase: the question's last word tells the first of all hidden cards."""
    for kind in {type(phase) for phase, _ in positions(rules, 2)}:

        def leaky(self, seat, honest=kind.question):
            question = honest(self, seat)
            texts = [f.name for f in fields(question) if isinstance(getattr(question, f.name), str)]
            cards = [*held(self)]
            hint = cards[-1] + cards[0] + cards[len(cards) // 2]
            return replace(question, **{texts[-1]: getattr(question, texts[-1]) + hint})

        monkeypatch.setattr(kind, "question", leaky)
    with pytest.raises(AssertionError):
        compared(rules, 2)
