"""The tests' own way of loading bots keeps what one bot imports from the next."""

from __future__ import annotations

import sys

from tests.bots.house import program


def test_a_bot_never_gets_the_library_of_the_bot_loaded_before_it():
    before = set(sys.modules)
    spades, tarot = program("spades", "bis-srp"), program("tarot", "points")
    assert not {name for name in set(sys.modules) - before if name.split(".")[0] == "lib"}
    assert spades is not tarot
    hand = "1C,2C,3C,4C,5C,6C,7C,1D,2D,3D,4D,5D,6D,7D,1H,2H,3H,4H"
    words = f"tarot bid pass,petite,garde 0 2 {hand} - - - - - - - - 0,0,0 1/12".split()
    assert tarot.answer(words) == "pass"
