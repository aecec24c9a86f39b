"""One whole game of each kind, as people read it.

`python -m tests.tables.playthrough` writes them anew.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from tables.registry import GAMES
from tests.tables.playthrough import playthrough

GOLDEN = Path(__file__).parent.parent / "golden"


@pytest.mark.parametrize("name", GAMES)
def test_the_game_goes_as_it_always_has(name):
    assert "\n".join(playthrough(GAMES[name])) + "\n" == (GOLDEN / f"{name}.txt").read_text()
