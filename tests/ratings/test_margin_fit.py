"""Strengths fitted to margins: what the boards alone say, whatever the order."""

from __future__ import annotations

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from card_arena.ratings import margin_errors, margin_fit
from card_arena.ratings.margin_fit import ManyMargins, MarginTally
from card_arena.ratings.match_results import Result
from card_arena.tests.ratings.margin_matches import match


def in_a_row(rng: random.Random) -> list[Result]:
    """Everybody meets only the next one: the most steps that there can be."""
    return [match((n, n + 1), (rng.randint(0, 99), 0)) for n in range(1, 40)]


def at_random(rng: random.Random) -> list[Result]:
    return [
        match(rng.sample(range(40), 3), [rng.randint(-99, 99) for _ in range(3)]) for _ in range(90)
    ]


def with_partners(rng: random.Random) -> list[Result]:
    return [
        match(rng.sample(range(24), 4), (won, won, 0, 0), sides=(0, 0, 1, 1))
        for won in (rng.randint(-99, 99) for _ in range(90))
    ]


@pytest.mark.parametrize("season", [in_a_row, at_random, with_partners])
def test_strengths_of_many_are_those_of_elimination(season, monkeypatch):
    tally = MarginTally(season(random.Random(1)))
    exact = tally.strengths()
    monkeypatch.setattr(margin_fit, "MANY", 0)
    found = tally.strengths()
    assert found == pytest.approx(exact, abs=1e-8)  # where partners are hard to tell apart
    assert len({*exact.values()}) > 20


@pytest.mark.parametrize("season", [in_a_row, at_random])
def test_the_fit_of_very_many_comes_to_the_same_in_any_order(season):
    results = season(random.Random(2))
    many = ManyMargins(results).strengths()
    assert many == pytest.approx(MarginTally(results).strengths(), abs=2e-9)
    random.Random(3).shuffle(results)
    assert ManyMargins(results).strengths() == many


def test_the_fit_of_very_many_counts_a_game_and_knows_groups():
    results = [
        match((1, 2), (8, 0), turns=4),
        match((2, 1), (3, 1)),
        match((7, 5, 9), (90, 60, -30)),
        match((4,), (50,)),
    ]
    assert ManyMargins(results).strengths() == pytest.approx(
        MarginTally(results).strengths(), abs=2e-9
    )
    with pytest.raises(ValueError, match="partners"):
        ManyMargins(with_partners(random.Random(1)))


def test_two_bots_are_as_far_apart_as_their_mean_margin():
    found = MarginTally([match((1, 2), (3, 1), (5, 1), (2, 2))]).strengths()
    assert found == {1: 1.0, 2: -1.0}


def test_a_board_of_several_games_counts_a_game():
    found = MarginTally([match((1, 2), (8, 0), turns=4)]).strengths()
    assert found[1] - found[2] == pytest.approx(2.0)


def test_strength_is_passed_on_by_common_opponents():
    found = MarginTally([match((1, 2), (4, 0)), match((2, 3), (1, 0))]).strengths()
    assert found[1] - found[3] == pytest.approx(5.0, abs=1e-6)


def test_a_table_of_three_gives_the_scores_about_their_mean():
    found = MarginTally([match((7, 5, 9), (90, 60, -30))]).strengths()
    assert found == pytest.approx({7: 50.0, 5: 20.0, 9: -70.0}, abs=1e-5)


def test_partners_share_what_their_side_won_and_part_where_they_sat_with_others():
    tables = [
        match((1, 2, 3, 4), (6, 6, 0, 0), sides=(0, 0, 1, 1)),
        match((1, 3, 2, 4), (4, 4, 0, 0), sides=(0, 0, 1, 1)),
        match((1, 4, 2, 3), (2, 2, 0, 0), sides=(0, 0, 1, 1)),
    ]
    found = MarginTally(tables).strengths()
    assert found == pytest.approx({1: 6.0, 2: 0.0, 3: -2.0, 4: -4.0}, abs=1e-5)
    always = MarginTally(tables[:1]).strengths()
    assert always == pytest.approx({1: 3.0, 2: 3.0, 3: -3.0, 4: -3.0}, abs=1e-5)


def test_bots_that_never_met_are_of_different_groups():
    fit = MarginTally([match((1, 2), (4, 0)), match((5, 3), (9, 0))]).fit()
    assert fit.groups == ((1, 2), (3, 5))
    assert fit.values == pytest.approx({1: 2.0, 2: -2.0, 5: 4.5, 3: -4.5}, abs=1e-5)


def test_a_bot_alone_at_its_table_is_compared_with_nobody():
    assert MarginTally([match((1,), (4,))]).strengths() == {}


seasons = st.lists(
    st.tuples(
        st.lists(st.integers(1, 6), min_size=2, max_size=4, unique=True),
        st.lists(st.lists(st.integers(-90, 90), min_size=4, max_size=4), min_size=1, max_size=3),
    ).map(lambda it: match(it[0], *[tuple(scores[: len(it[0])]) for scores in it[1]])),
    max_size=12,
)


@given(seasons, st.randoms())
def test_the_order_of_the_matches_changes_nothing(results: list[Result], rng: random.Random):
    other = list(results)
    rng.shuffle(other)
    assert MarginTally(results).fit() == MarginTally(other).fit()


@given(seasons)
def test_the_strengths_of_a_group_add_up_to_zero(results: list[Result]):
    fit = MarginTally(results).fit()
    for group in fit.groups:
        assert sum(fit.values[version] for version in group) == pytest.approx(0, abs=1e-3)


def test_the_error_of_two_bots_is_that_of_their_mean_margin():
    margins = [3, -1, 4, 1, -5, 9, 2, 6, 5, 3]
    tally = MarginTally([match((1, 2), *[(margin, 0) for margin in margins])])
    mean = sum(margins) / 10
    scatter = sum((margin - mean) ** 2 for margin in margins)
    assert tally.pair(1, 2).margin == -tally.pair(2, 1).margin == pytest.approx(mean)
    assert tally.pair(1, 2).error == pytest.approx((scatter / 9 / 10) ** 0.5)
    fit = tally.fit()
    assert fit.difference_error(1, 2) == pytest.approx(tally.pair(1, 2).error, rel=1e-6)
    assert fit.difference(1, 2).low == pytest.approx(tally.pair(1, 2).estimate.low, rel=1e-6)


def season(seed: int, bots: int, seats: int, rounds: int) -> list[Result]:
    rng = random.Random(seed)
    found = []
    for _ in range(rounds):
        order = rng.sample(range(bots), bots)
        for first in range(0, bots - seats + 1, seats):
            table = order[first : first + seats]
            found.append(match(table, tuple(rng.randrange(-99, 99) for _ in table)))
    return found


def test_a_strength_and_its_errors_have_as_many_degrees_of_freedom_as_residuals_at_most():
    """Eight bots, fifteen boards each: 60 boards, 7 strengths."""
    fit = MarginTally(season(1, 8, 2, 15)).fit()
    freedoms = [fit.freedoms[pair] for pair in fit.freedoms]
    assert len(freedoms) == 36
    assert 5 < min(freedoms) < max(freedoms) < 53


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_the_boards_of_two_say_nearly_what_all_boards_say(seats: int, monkeypatch):
    tally = MarginTally(season(2, 12, seats, 30))
    whole = dict(tally.fit().freedoms)
    monkeypatch.setattr(margin_errors, "THOROUGH", 0)
    short = dict(tally.fit().freedoms)
    assert whole.keys() == short.keys()
    assert whole != short
    for key, freedom in whole.items():
        assert 0.75 * freedom < short[key] < 1.2 * freedom


def test_along_a_chain_the_boards_in_the_middle_count_too(monkeypatch):
    """The middle has five boards, and nobody can know more of the ends than they say."""
    rng = random.Random(3)
    links = [((1, 2), 50), ((2, 3), 5), ((3, 4), 50)]
    tally = MarginTally(
        match(pair, *[(rng.randrange(99), 0) for _ in range(boards)]) for pair, boards in links
    )
    whole = tally.fit().freedoms[1, 4]
    assert whole < 7
    monkeypatch.setattr(margin_errors, "THOROUGH", 0)
    assert tally.fit().freedoms[1, 4] == pytest.approx(whole)


def test_figures_of_a_fit_are_those_of_pairs_that_can_be_compared_the_smaller_id_first():
    fit = MarginTally([*season(4, 3, 2, 6), match((7, 8), (3, 1), (2, 5))]).fit()
    pairs = [(0, 0), (0, 1), (0, 2), (1, 1), (1, 2), (2, 2), (7, 7), (7, 8), (8, 8)]
    assert [*fit.covariances] == [*fit.freedoms] == pairs
    assert len(fit.covariances) == 9
    for pair in ((1, 0), (0, 7), (0, 9)):
        assert pair not in fit.covariances


def test_partners_that_never_part_have_strengths_and_no_interval_between_them():
    tables = [
        match((1, 2, 3, 4), (n % 7, n % 7, n % 3, n % 3), sides=(0, 0, 1, 1)) for n in range(20)
    ]
    fit = MarginTally(tables).fit()
    assert fit.values[1] == pytest.approx(fit.values[2], abs=1e-5)
    assert fit.difference(1, 2) is None


def test_a_bot_with_one_board_leaves_the_others_errors_as_they_are():
    boards = season(4, 6, 2, 20)
    before = MarginTally(boards).fit()
    after = MarginTally([*boards, match((0, 77), (5, 0))]).fit()
    assert after.difference(0, 77) is None
    assert after.error(77) is None
    assert after.difference_error(1, 2) == pytest.approx(before.difference_error(1, 2), rel=1e-6)
    assert after.places(77) == (1, 7)


def test_the_matrix_has_every_pair_both_ways_round():
    tally = MarginTally(season(5, 6, 3, 10))
    pairs = tally.pairs()
    assert pairs[0, 1] == tally.pair(0, 1)
    assert pairs[1, 0].margin == -pairs[0, 1].margin
    assert pairs[1, 0].error == pairs[0, 1].error


def test_tied_groups_are_runs_of_which_none_is_surely_better():
    rng = random.Random(6)
    levels = {1: 0, 2: 0, 3: 300, 4: 300, 5: 300, 6: 900}
    tally = MarginTally()
    for _ in range(40):
        order = rng.sample(sorted(levels), 6)
        for pair in zip(order[::2], order[1::2], strict=True):
            tally.add(match(pair, tuple(levels[bot] + rng.randrange(-90, 90) for bot in pair)))
    fit = tally.fit()
    assert [{*run} for run in fit.tied] == [{3, 4, 5}, {1, 2}]
    assert [fit.places(bot) for bot in (6, 3, 1)] == [(1, 1), (2, 4), (5, 6)]
    assert fit.places(6)[1] < fit.places(3)[0]
    assert fit.difference(3, 4).low < 0 < fit.difference(3, 4).high
    assert fit.best[6] > 0.99


def test_too_few_boards_give_strengths_without_errors():
    fit = MarginTally([match((1, 2), (4, 0))]).fit()
    assert (fit.error(1), fit.difference(1, 2)) == (None, None)
    assert MarginTally([match((1, 2), (4, 0))]).pair(1, 3).boards == 0


def test_every_pair_is_there_in_both_orders_and_partners_are_not():
    tally = MarginTally(
        [
            match((1, 2, 3, 4), (6, 6, 0, 0), (2, 2, 4, 4), sides=(0, 0, 1, 1)),
            match((1, 3), (1, 0)),
        ]
    )
    pairs = tally.pairs()
    assert {*pairs} == {(1, 3), (3, 1), (1, 4), (4, 1), (2, 3), (3, 2), (2, 4), (4, 2)}
    assert pairs[1, 3].boards == 3
    assert pairs[1, 3].margin == pytest.approx((6 - 2 + 1) / 3)
    for (one, other), found in pairs.items():
        assert pairs[other, one].margin == -found.margin
        assert pairs[other, one].error == found.error
        assert tally.pair(one, other) == found


def test_a_margin_has_an_interval_from_five_boards_on():
    four = MarginTally([match((1, 2), *[(n, 0) for n in range(4)])]).pair(1, 2)
    assert four.estimate is None
    found = MarginTally([match((1, 2), *[(n, 0) for n in range(5)])]).pair(1, 2).estimate
    assert found.value == 2
    assert found.high - 2 == pytest.approx(2.776 * 0.5**0.5, abs=0.02)
