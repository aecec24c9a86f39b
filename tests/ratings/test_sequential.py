"""A sequential test that is rarely wrong whatever the margins look like, and its interval."""

from __future__ import annotations

import math
import random
from fractions import Fraction

import pytest

from card_arena.ratings.sequential import (
    BEGIN,
    CAP,
    GAIN,
    NO_WORSE,
    Margins,
    SequentialTest,
    interval,
)
from card_arena.tests.bench.comparing import Spread, ended, left, spreads

SOME = [Fraction(7, 2), Fraction(-1), Fraction(0), Fraction(5, 3), Fraction(-9, 2)]


def boards(count: int, mean: float, seed: int = 1) -> Margins:
    """Boards of normal margins with a standard deviation of 1,000."""
    rng = random.Random(seed)
    return Margins.of(round(rng.gauss(1000 * mean, 1000)) for _ in range(count))


def test_the_moments_are_those_of_the_margins_in_any_order():
    margins = Margins.of(SOME)
    mean = sum(map(float, SOME)) / 5
    central = [sum((float(margin) - mean) ** power for margin in SOME) / 5 for power in (2, 3)]
    assert margins == Margins.of(reversed(SOME))
    assert margins.mean == pytest.approx(mean)
    assert margins.deviation == pytest.approx(math.sqrt(central[0]))
    assert margins.effect == pytest.approx(mean / math.sqrt(central[0]))
    assert margins.skewness == pytest.approx(central[1] / central[0] ** 1.5)


def test_without_boards_or_differences_there_is_no_effect():
    assert (Margins().mean, Margins().deviation, Margins().effect, Margins().skewness) == (
        0,
        0,
        0,
        0,
    )
    assert Margins.of([0] * 40).effect == 0
    assert Margins.of([3] * 40).effect == math.inf
    assert Margins.of([-3] * 40).effect == -math.inf


def test_for_margins_without_skewness_the_evidence_is_the_closed_form():
    margins = Margins.of([-4, 6] * 60)
    t = margins.effect
    assert margins.skewness == 0
    assert GAIN.evidence(margins) == pytest.approx(60 * math.log((1 + t**2) / (1 + (t - 0.1) ** 2)))


@pytest.mark.parametrize("test", [GAIN, NO_WORSE])
@pytest.mark.parametrize("mean", [-0.15, -0.05, 0, 0.02, 0.15])
def test_the_decision_without_logarithms_is_that_of_the_evidence(test, mean):
    for count in (30, 200, 700, 2000):
        margins = boards(count, mean)
        evidence, bound = test.evidence(margins), test.bound()
        expected = "above" if evidence >= bound else "below" if evidence <= -bound else None
        assert test.verdict(margins) == expected


def test_nothing_is_decided_before_the_first_boards_and_at_the_cap_it_is_undecided():
    assert GAIN.verdict(Margins.of([5, 6] * ((BEGIN - 2) // 2))) is None
    near = Margins.of([-95, 105] * 50)
    assert GAIN.verdict(near) is None
    assert SequentialTest(0, 0.1, cap=100).verdict(near) == "undecided"
    assert SequentialTest(0, 0.1, cap=101).verdict(near) is None


def test_a_larger_margin_never_says_less_so_a_bot_that_always_wins_by_as_much_is_better():
    evidence = [GAIN.evidence(Margins.of([margin, margin + 2] * 30)) for margin in range(-1, 40)]
    assert evidence == sorted(evidence)
    assert GAIN.verdict(Margins.of([7] * 60)) == "above"
    assert GAIN.verdict(Margins.of([-7] * 60)) == "below"
    assert GAIN.verdict(Margins.of([7] * 30)) is None


def test_bots_that_never_differ_are_not_better_and_no_worse():
    assert GAIN.verdict(Margins.of([0] * 500)) is None
    assert GAIN.verdict(Margins.of([0] * 600)) == "below"
    assert NO_WORSE.verdict(Margins.of([0] * 600)) == "above"


def test_margins_turned_round_get_the_verdict_turned_round():
    turned = {"above": "below", "below": "above", None: None}
    for seed in range(20):
        margins = boards(400, 0.05, seed)
        other = Margins(margins.boards, -margins.total, margins.squares, -margins.cubes)
        assert NO_WORSE.verdict(other) == turned[GAIN.verdict(margins)]


@pytest.mark.parametrize("effects", [(0.1, 0), (0, 0), (0, math.inf), (math.nan, 1)])
def test_bounds_that_do_not_rise_are_refused(effects):
    with pytest.raises(ValueError, match="must be less than"):
        SequentialTest(*effects)


def test_boards_to_come_shrink_to_none_and_are_never_more_than_the_cap_allows():
    assert GAIN.to_come(Margins()) == CAP
    assert GAIN.to_come(boards(100, 0.5)) == 0
    assert GAIN.to_come(Margins.of([7] * 10)) == 49
    assert BEGIN - 20 <= GAIN.to_come(boards(20, 0.5)) < 80
    assert SequentialTest(0, 0.1, cap=120).to_come(Margins.of([-95, 105] * 50)) == 20
    assert GAIN.to_come(Margins.of([-95, 105] * 50)) == pytest.approx(867, abs=60)


def test_boards_to_come_are_about_those_that_come():
    expected = GAIN.to_come(Margins.of([-1] * 40 + [1] * 60)) + 100  # an effect of .204
    assert expected == pytest.approx(205, rel=0.25)


def test_the_interval_begins_when_the_test_does_and_is_the_published_one():
    assert interval(Margins.of([1, 2] * 14)) is None
    margins = Margins.of([-10, 10] * 50)
    low, high = interval(margins) or (0, 0)
    assert low == -high
    rho = (-2 * math.log(0.05) + math.log(1 - 2 * math.log(0.05))) / 300
    reach = math.sqrt(
        2 * (100 * rho + 1) / (100**2 * rho) * math.log(math.sqrt(100 * rho + 1) / 0.05)
    )
    assert high == pytest.approx(10 * reach)
    assert reach == pytest.approx(0.317, abs=0.001)


def bare(n: int) -> float:
    return 1.96 / math.sqrt(n)


def test_the_interval_holds_at_all_boards_where_a_fixed_one_does_not():
    """A fixed interval that is looked at after every board is wrong far more often than 5 %."""
    spread = Spread.of("coin", {"-1": 1, "1": 1})
    assert left(spread, 200, cap=400) < 0.08
    rng = random.Random(3)
    wrong = 0
    for _ in range(200):
        for margins in spread.draw(rng):
            if margins.boards >= BEGIN and abs(margins.effect) > bare(margins.boards):
                wrong += 1
                break
            if margins.boards >= 400:
                break
    assert wrong / 200 > 0.2


def test_the_test_is_rarely_wrong_over_real_margins_and_finds_what_is_there():
    """The bench measures this in thousands of runs; here it would see an error twice as large."""
    for spread in random.Random(5).sample(spreads(), 2):
        same, _ = ended(spread, GAIN, 150)
        assert same["above"] <= 0.10, spread.title
        better, taken = ended(spread.moved(0.2), GAIN, 60)
        assert better["above"] >= 0.95, spread.title
        assert taken < 400


def test_rare_losses_do_not_make_a_bot_look_better():
    """Without regard to skewness, an equal bot with such margins passed in 7.7 % of comparisons."""
    losses = {str(-round(100 * math.log((k + 0.5) / 200))): 1 for k in range(200)}
    turned = {str(-int(margin)): times for margin, times in losses.items()}
    found, _ = ended(Spread.of("rare losses", turned), GAIN, 400)
    assert found["above"] <= 0.065
