"""The house: what its bots say of themselves, and how tests load them one after the other."""

from __future__ import annotations

import re
import sys
from pathlib import Path

import pytest

from card_arena.tables.registry import GAMES
from card_arena.tests.bots.house import BOTS, program

FOLDERS = sorted(path.parent for game in GAMES for path in (BOTS / game).glob("*/bot.yaml"))


@pytest.mark.parametrize("folder", FOLDERS, ids=lambda path: f"{path.parent.name}-{path.name}")
def test_a_house_bot_has_a_page_that_says_how_strong_it_is(folder: Path) -> None:
    _, _, strength = (folder / "README.md").read_text().partition("**Strength.**")
    assert re.search(r"\d|That of `", strength)


def test_a_bot_never_gets_the_library_of_the_bot_loaded_before_it():
    before = set(sys.modules)
    spades, tarot = program("spades", "bis-srp"), program("tarot", "points")
    assert not {name for name in set(sys.modules) - before if name.split(".")[0] == "lib"}
    assert spades is not tarot
    hand = "1C,2C,3C,4C,5C,6C,7C,1D,2D,3D,4D,5D,6D,7D,1H,2H,3H,4H"
    words = f"tarot bid pass,petite,garde 0 2 {hand} - - - - - - - - 0,0,0 1/12".split()
    assert tarot.answer(words) == "pass"
