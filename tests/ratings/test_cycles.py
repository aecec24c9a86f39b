"""Three-cycles in margins head to head."""

from __future__ import annotations

import random

import pytest

from card_arena.ratings.intervals import student
from card_arena.ratings.margin_fit import PairMargin
from card_arena.ratings.versus import beyond, three_cycles


def matrix(margins: dict[tuple[int, int], float], error: float = 1.0, boards: int = 50):
    return {
        key: PairMargin(boards, sign * margin, error)
        for (one, other), margin in margins.items()
        for key, sign in (((one, other), 1), ((other, one), -1))
    }


def test_a_cycle_begins_with_the_smallest_id_and_runs_from_winner_to_loser():
    (found,) = three_cycles(matrix({(7, 3): 6.0, (3, 9): 5.0, (9, 7): 4.0}))
    assert found.versions == (3, 9, 7)
    assert [margin.margin for margin in found.margins] == [5.0, 4.0, 6.0]
    assert found.chance == pytest.approx(2 * beyond(4.0, 49))


def test_an_order_has_no_cycle_and_neither_has_a_chain_that_luck_may_close():
    assert three_cycles(matrix({(1, 2): 6.0, (2, 3): 5.0, (1, 3): 4.0})) == ()
    assert three_cycles(matrix({(1, 2): 6.0, (2, 3): 5.0, (3, 1): 1.5})) == ()
    assert three_cycles(matrix({(1, 2): 6.0, (2, 3): 5.0, (3, 1): 4.0}, boards=4)) == ()


def test_of_many_bots_that_are_alike_hardly_ever_any_makes_a_cycle():
    """Without the correction nearly every field of twelve has one."""
    rng = random.Random(4)
    fields = [
        matrix({(a, b): rng.gauss(0, 1) for b in range(12) for a in range(b)}) for _ in range(200)
    ]
    assert sum(bool(three_cycles(field)) for field in fields) <= 10


@pytest.mark.parametrize("freedom", [1, 2, 3, 4, 5, 10, 31, 200])
def test_what_is_beyond_the_quantile_is_a_fortieth(freedom):
    assert beyond(student(freedom), freedom) == pytest.approx(0.025, abs=1e-6)
    assert beyond(0, freedom) == pytest.approx(0.5)
    assert beyond(-3, freedom) == pytest.approx(1 - beyond(3, freedom))
