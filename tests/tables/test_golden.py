"""One whole game of each kind, as people read it.

`python -m card_arena.tests.tables.playthrough` writes them anew.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from card_arena.tables.registry import GAMES
from card_arena.tests.tables.playthrough import playthrough

GOLDEN = Path(__file__).parent.parent / "golden"


@pytest.mark.parametrize("name", GAMES)
def test_the_game_goes_as_it_always_has(name):
    assert "\n".join(playthrough(GAMES[name])) + "\n" == (GOLDEN / f"{name}.txt").read_text()
