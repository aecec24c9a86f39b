"""Intervals of strengths that hold where pairs were made by results."""

from __future__ import annotations

import math
import random

import pytest

from card_arena.ratings.certainty import Certainty
from card_arena.ratings.intervals import student
from card_arena.ratings.shrinkage import shrunk


def fitted(values: list[float], variance: float) -> Certainty:
    """Strengths above their mean, fitted from equally much: each has this variance before that."""
    mean, size = math.fsum(values) / len(values), len(values)
    return Certainty(
        {version: value - mean for version, value in enumerate(values)},
        dict.fromkeys(range(size), 100),
        {
            (one, other): variance * ((one == other) - 1 / size)
            for one in range(size)
            for other in range(one, size)
        },
        groups=(tuple(range(size)),),
    )


def moments(fit: Certainty, version: int, variance: float) -> tuple[float, float]:
    """The posterior mean and variance of one strength, by an integral over the squared spread."""
    size = len(fit.values)
    squares = math.fsum(value**2 for value in fit.values.values())
    steps = [(n + 0.5) / 4000 * 16 * squares / (size - 1) for n in range(4000)]
    weights = [
        math.exp(-squares / 2 / (variance + step)) / (variance + step) ** ((size - 1) / 2)
        for step in steps
    ]
    kept = [step / (variance + step) for step in steps]
    own, whole = fit.values[version], math.fsum(weights)
    mean = math.fsum(w * k for w, k in zip(weights, kept, strict=True)) / whole * own
    inner = math.fsum(
        w * (variance * k * (1 - 1 / size) + (k * own - mean) ** 2)
        for w, k in zip(weights, kept, strict=True)
    )
    return mean, inner / whole


@pytest.mark.parametrize("variance", [0.3, 1.0, 3.0])
def test_an_interval_is_that_of_the_posterior_distribution(variance):
    fit = fitted([random.Random(n).gauss(0, 1) for n in range(12)], variance)
    found = shrunk(fit)
    for version, value in fit.values.items():
        mean, doubt = moments(fit, version, variance)
        reach = student(99) * math.sqrt(doubt)
        known = found.estimate(version)
        assert known.low == pytest.approx(min(value, mean - reach), abs=0.03)
        assert known.high == pytest.approx(max(value, mean + reach), abs=0.03)


def test_values_order_and_chances_stay_those_of_the_fit():
    fit = fitted([3, 1, 4, 1, 5, 9, 2, 6], 4.0)
    found = shrunk(fit)
    assert (found.values, found.order, found.best) == (fit.values, fit.order, fit.best)


def test_an_interval_holds_its_own_figure_even_where_luck_explains_it_better():
    fit = fitted([0, 0, 0, 0, 0, 0, 0, 3], 2.0)
    first = shrunk(fit).estimate(7)
    assert first.low < 0 < first.value <= first.high
    assert first.high - first.value < first.value - first.low


def test_far_apart_from_each_other_strengths_have_the_intervals_of_the_fit():
    fit = fitted([0, 100, 200, 300, 400, 500], 1.0)
    for one, other in ((0, 1), (2, 5)):
        own, found = fit.difference(one, other), shrunk(fit).difference(one, other)
        assert (found.low, found.high) == pytest.approx((own.low, own.high), abs=0.02)


def test_bots_that_are_equal_on_all_boards_have_the_intervals_of_the_fit():
    fit = fitted([2, 2, 2], 1.0)
    assert shrunk(fit).estimate(0) == fit.estimate(0)


def test_groups_that_never_met_are_believed_apart():
    one, other = fitted([0, 1, 3], 1.0), fitted([0, 5, 90], 1.0)
    both = Certainty(
        {**one.values, **{version + 3: value for version, value in other.values.items()}},
        dict.fromkeys(range(6), 100),
        {
            **one.covariances,
            **{(a + 3, b + 3): value for (a, b), value in other.covariances.items()},
        },
        groups=((0, 1, 2), (3, 4, 5)),
    )
    found = shrunk(both)
    assert found.difference(0, 3) is None
    assert found.estimate(2) == shrunk(one).estimate(2)
    assert found.estimate(4).low == pytest.approx(shrunk(other).estimate(1).low)
