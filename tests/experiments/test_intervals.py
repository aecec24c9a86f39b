import math
import random
from statistics import mean as plain_mean
from statistics import stdev

import pytest

from card_arena.ratings.intervals import FEWEST, exact, mean, rate, student, wilson


def test_wilsons_interval_is_that_of_the_textbook():
    assert wilson(0.8, 10) == pytest.approx((0.4902, 0.9433), abs=1e-4)
    assert wilson(0.0, 20) == pytest.approx((0.0, 0.1611), abs=1e-4)
    assert wilson(1.0, 20) == pytest.approx((0.8389, 1.0), abs=1e-4)


def test_single_trials_give_wilsons_interval():
    found = rate([(1, 1)] * 8 + [(0, 1)] * 2)
    assert (found.low, found.high) == pytest.approx(wilson(0.8, 9, student(9)))
    assert (found.value, found.trials) == (0.8, 10)


def test_games_that_go_the_same_way_in_every_match_are_worth_one():
    found = rate([(2, 2)] * 8 + [(0, 2)] * 2)
    assert (found.low, found.high) == pytest.approx(wilson(0.8, 9, student(9)))
    assert found.trials == 20


def test_boards_that_each_side_wins_once_say_more_than_as_many_games_apart():
    together = rate([(1, 2)] * 90 + [(2, 2)] * 10)
    low, high = wilson(together.value, 200)
    assert together.low > low
    assert together.high < high


def test_matches_that_are_all_alike_count_as_one_trial_each():
    found = rate([(1, 2)] * 16)
    assert (found.low, found.high) == pytest.approx(wilson(0.5, 16, student(15)))


def test_a_mean_of_single_values_has_students_interval():
    values = [3, 5, 9, 1, 4]
    found = mean([(value, 1) for value in values])
    reach = 2.776445 * stdev(values) / math.sqrt(5)
    centre = plain_mean(values)
    assert (found.low, found.high) == pytest.approx((centre - reach, centre + reach))


@pytest.mark.parametrize("figure", [mean, rate])
def test_fewer_than_five_matches_have_a_figure_and_no_interval(figure):
    few = figure([(5, 10)] * (FEWEST - 1))
    assert (few.value, few.low, few.high, few.trials) == (0.5, None, None, 40)
    assert figure([(5, 10), (6, 10)] * 3).low is not None
    assert FEWEST == 5


def test_five_matches_are_given_the_width_that_five_have():
    """The champion of tarot at five tables with tree search: not 21 to 305 points ahead."""
    shape = [-2, -1, 0, 1, 2]
    step = 142.02 / 1.959964 / math.sqrt(10 / 4 / 5)
    found = mean([(163 + step * at, 1) for at in shape])
    assert (found.low, found.high) == pytest.approx((-38, 364), abs=1)


@pytest.mark.parametrize(
    ("freedom", "quantile"),
    [(1, 12.7062), (2, 4.3027), (3, 3.1824), (4, 2.7764), (5, 2.5706), (10, 2.2281), (11, 2.2010)],
)
def test_students_quantiles_are_those_of_the_tables_from_one_degree_on(freedom, quantile):
    assert student(freedom) == pytest.approx(quantile, abs=5e-5)


def test_students_quantile_falls_with_every_part_of_a_degree():
    steps = [student(1 + n / 10) for n in range(200)]
    assert steps == sorted(steps, reverse=True)
    assert student(4.5) == pytest.approx(2.6589, abs=1e-3)
    with pytest.raises(ValueError, match=r"1 degree of freedom or more, not 0\.5"):
        student(0.5)


def test_what_was_computed_has_no_interval_and_no_trials():
    found = exact(0.4947)
    assert (found.value, found.low, found.high, found.trials) == (0.4947, None, None, None)


@pytest.mark.parametrize("figure", [mean, rate])
def test_without_a_trial_there_is_no_figure(figure):
    with pytest.raises(ValueError, match="at least one trial"):
        figure([(0, 0)])


def test_about_95_of_100_intervals_hold_the_truth_where_games_of_a_match_are_alike():
    """400 tries have a standard error of .011."""
    rng = random.Random(5)
    held = {"rate": 0, "mean": 0}
    for _ in range(400):
        matches = []
        for _ in range(80):
            luck = rng.betavariate(2, 3)
            matches.append((sum(rng.random() < luck for _ in range(10)), 10))
        for name, figure in (("rate", rate(matches)), ("mean", mean(matches))):
            held[name] += figure.low <= 0.4 <= figure.high
    for times in held.values():
        assert 0.95 - 0.05 < times / 400 < 0.95 + 0.04
