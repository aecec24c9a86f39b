"""The core reads from a question the state that was asked about, as the seat saw it."""

from __future__ import annotations

import ctypes
import random

import pytest

from card_arena.library.native import LIBRARY, core
from card_arena.library.native_state import NativeState
from card_arena.library.registry import named
from card_arena.library.rules_state import RulesState
from card_arena.tests.library.playing import both, random_table

_TABLE = 4 * 46  # bytes of what all states begin with (native/game.h)
READABLE = ["spades", "blot", "tarot", "durak"]


def read(name: str, words: list[str]) -> tuple[bytes, list[int]]:
    """What the acting seat sees in the state that is read, and the actions that it may take."""
    compiled, library = core(), ctypes.CDLL(str(LIBRARY))
    assert compiled is not None
    sizes, number = compiled.sizes[name], compiled.games[name]
    memory = ctypes.create_string_buffer(sizes.state + 2 * sizes.actions)
    given = (ctypes.c_char_p * len(words))(*(word.encode() for word in words))
    assert library.game_read(number, memory, len(words), given)
    table = memoryview(memory).cast("B")[:_TABLE].cast("i")
    seen = ctypes.create_string_buffer(sizes.features)
    library.game_observe(memory, table[41], seen)
    legal = memoryview(memory).cast("B")[sizes.state :].cast("H")[: table[45]].tolist()
    return seen.raw, legal


@pytest.mark.parametrize("name", READABLE)
def test_a_state_is_read_from_the_words_of_its_question(name):
    game, asked = named(name), 0
    for seed in range(60):
        options, seats = random_table(game, random.Random(f"{name} {seed}"))
        options = game.options() if seed % 3 == 0 else options
        for state, rules, _ in both(game, options, seats, seed):
            assert isinstance(state, NativeState)
            assert isinstance(rules, RulesState)
            if rules.begun:
                continue
            question = state.question()
            seen, legal = read(name, question.split())
            assert list(seen) == [number & 255 for number in state.observation()], question
            if name == "spades" or options == game.options():
                assert legal == state.legal_actions(), question
            asked += 1
            if asked % 500 == 0:
                break
    assert asked > 2000
