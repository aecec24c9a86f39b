"""The mean over strata, and its interval."""

from __future__ import annotations

import random
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from card_arena.ratings.intervals import Stratum, mean, mean_of, stratified, student

numbers = st.lists(st.integers(-100, 100), min_size=2, max_size=20)


def stratum(values: list[int]) -> Stratum:
    found = Stratum()
    for value in values:
        found.add(Fraction(value))
    return found


@given(numbers.filter(lambda values: len(values) >= 5))
def test_a_single_stratum_is_an_ordinary_mean_with_students_interval(values):
    found = stratified([stratum(values)])
    count = len(values)
    middle = sum(values) / count
    variance = sum((value - middle) ** 2 for value in values) / (count - 1) / count
    assert found.value == pytest.approx(middle)
    assert found.high - found.value == pytest.approx(student(count - 1) * variance**0.5)
    assert found.trials == count
    assert found.value == pytest.approx(mean((value, 1) for value in values).value)


def test_every_stratum_counts_alike_however_many_boards_it_has():
    found = [stratum([10] * 100), stratum([20, 22, 18])]
    assert mean_of(found) == 15
    assert stratified(found).value == 15


def test_the_order_of_boards_and_strata_changes_no_digit():
    rng = random.Random(1)
    rows = [[rng.randint(-99, 99) for _ in range(7)] for _ in range(5)]
    one = stratified([stratum(row) for row in rows])
    other = stratified([stratum(row[::-1]) for row in rows[::-1]])
    assert one == other


def test_too_few_boards_have_no_interval():
    for few in ([stratum([1, 2, 3, 4])], [stratum([1, 2, 3, 4, 5]), stratum([7])]):
        assert (stratified(few).low, stratified(few).high) == (None, None)
    assert stratified([stratum([3] * 5)]).low == 3


def test_ninety_five_of_a_hundred_intervals_hold_the_truth():
    """Three strata of unlike size, mean and spread; 2,000 of them scatter by half a percent."""
    rng = random.Random(14)
    kinds = ((0, 10, 6), (50, 300, 10), (-20, 40, 30))
    truth = sum(centre for centre, _, _ in kinds) / len(kinds)
    held = 0
    for _ in range(2000):
        found = stratified(
            [
                stratum([round(rng.gauss(centre, spread)) for _ in range(boards)])
                for centre, spread, boards in kinds
            ]
        )
        held += found.low <= truth <= found.high
    assert 0.935 <= held / 2000 <= 0.965
