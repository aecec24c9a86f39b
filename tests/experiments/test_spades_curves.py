"""The success curves of BIS come out of the nils that stand in records."""

from __future__ import annotations

import random
import sys
from math import exp
from types import ModuleType

import pytest

from card_arena.experiments.description import experiment
from card_arena.experiments.run import load_measure
from card_arena.tables.referee import play
from card_arena.tests.experiments.folders import FOLDER
from card_arena.tests.experiments.nil_script import EXAMPLE, SPADES, Script


@pytest.fixture(scope="module")
def curves() -> ModuleType:
    """The module that measures."""
    measure = load_measure(experiment(FOLDER, "spades-curves"))
    return sys.modules[measure.__module__]


def test_every_nil_is_found_with_what_became_of_it(curves):
    script = Script()
    record = play(SPADES, EXAMPLE.options, [script] * 4, script)
    (nil,) = curves.nils(record)
    assert not nil.made
    assert 0 <= nil.value <= 1
    assert len(nil.features) == len(curves.WEIGHTS)


def test_a_curve_is_found_again_in_what_it_made(curves):
    draw = random.Random(5)
    true = (-2.0, 5.0, -1.5)
    seen = []
    for _ in range(4000):
        value = draw.random()
        chance = 1 / (1 + exp(-(true[0] + true[1] * value + true[2] * value**2)))
        seen.append(curves.Nil(value, (1.0, value, value**2), draw.random() < chance))
    for weight, wanted in zip(curves.fit(seen, 3), true, strict=True):
        spread = (weight.high - weight.low) / 3.92
        assert abs(weight.value - wanted) < 4 * spread
        assert spread < 1.2


def test_an_inverse_times_its_matrix_is_one(curves):
    matrix = [[0.0, 2.0, 1.0], [4.0, -1.0, 0.5], [1.0, 1.0, 3.0]]
    inverse = curves.inverted(matrix)
    for i in range(3):
        for j in range(3):
            cell = sum(matrix[i][k] * inverse[k][j] for k in range(3))
            assert cell == pytest.approx(float(i == j), abs=1e-12)


def test_the_seats_that_took_a_trick_are_read_from_its_history(curves):
    assert curves.takers("0:AC,2C,3C,4C/0:2D,AS,3D,4D") == {0, 1}
