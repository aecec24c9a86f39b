"""The compiled rules play like the Python rules."""

from __future__ import annotations

import pytest

from card_arena.library.registry import games, named
from card_arena.tests.library.playing import compare

DECISIONS, PARTS = 100_000, 10
NAMES = [game.name for game in games()]


@pytest.mark.parametrize("part", range(PARTS))
@pytest.mark.parametrize("name", NAMES)
def test_the_core_and_the_python_rules_play_the_same_games(name: str, part: int) -> None:
    game, played, seed = named(name), 0, 10_000 * part
    assert game.is_native, "scripts/test compiles the core"
    while played < DECISIONS // PARTS:
        played += compare(game, seed, 500)
        seed += 1
