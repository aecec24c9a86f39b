"""House bots that help each other are found, and honest ones are left alone: a quick run.

`python -m card_arena.tests.collusion` measures how often.
"""

from __future__ import annotations

import pytest

from card_arena.collusion.pairs import soft_play
from card_arena.tests.collusion.fields import KINDS, season


@pytest.mark.parametrize("game", KINDS)
def test_two_colluders_are_found_after_six_common_tables(game: str) -> None:
    first, *_ = soft_play(season(game, 1, 6, part=1.0))
    assert (first.one, first.other, first.tables) == (0, 1, 6)
    assert first.found
    assert first.t > 5


@pytest.mark.parametrize("game", KINDS)
def test_honest_bots_of_different_kinds_are_left_alone(game: str) -> None:
    assert not any(pair.found for pair in soft_play(season(game, 1, 6)))
