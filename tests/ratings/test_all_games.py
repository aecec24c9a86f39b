"""One order over all games."""

from __future__ import annotations

import pytest

from card_arena.ratings.margin_fit import MarginTally
from card_arena.ratings.rank_fit import RankTally
from card_arena.ratings.versus import all_games, of_margins, of_ranks
from card_arena.tests.ratings.margin_matches import match

NOISE = [3, -1, 4, 1, -5, 9, 2, -6, 5, -4]


def duel(one: int, other: int, margin: int, times: int = 1, scale: int = 1) -> MarginTally:
    """Boards on which one version is so far ahead of another, on the whole by `margin` and .8."""
    boards = [(scale * (margin + noise), 0) for noise in NOISE * times]
    return MarginTally([match((one, other), *boards)])


def test_every_game_counts_the_same_however_much_was_played():
    little, much = of_margins(duel(1, 2, 3)), of_margins(duel(2, 1, 3, times=50))
    found = all_games([little, much])
    ahead, behind = 3.8 / little.unit, 3.8 / much.unit
    assert found.values[1] - found.values[2] == pytest.approx((ahead - behind) / 2)


def test_the_points_of_a_game_do_not_matter():
    small = all_games([of_margins(duel(1, 2, 3)), of_margins(duel(2, 3, 1))])
    large = all_games([of_margins(duel(1, 2, 3, scale=100)), of_margins(duel(2, 3, 1))])
    assert large.values == pytest.approx(small.values)
    assert large.difference(1, 3).low == pytest.approx(small.difference(1, 3).low)


def test_one_game_alone_is_its_own_fit_in_other_units():
    game = of_margins(duel(1, 2, 3))
    alone, own = all_games([game]).difference(1, 2), game.fit.difference(1, 2)
    assert (alone.value, alone.low) == pytest.approx((own.value / game.unit, own.low / game.unit))


def test_errors_of_two_games_add_up():
    game = of_margins(duel(1, 2, 3))
    both = all_games([game, game])
    assert both.difference_error(1, 2) == pytest.approx(
        game.fit.difference_error(1, 2) / game.unit / 2**0.5
    )


def test_a_table_of_three_is_three_pairs():
    boards = [(90 + n, 60 - n * n % 7, -30 + 3 * n % 11) for n in range(10)]
    game = of_margins(MarginTally([match((1, 2, 3), *boards)]))
    assert game.met == {(1, 2): 10, (1, 3): 10, (2, 3): 10}
    found = all_games([game])
    assert found.values == pytest.approx(
        {version: value / game.unit for version, value in game.fit.values.items()}, abs=1e-6
    )


def test_games_of_ranks_count_beside_games_of_margins():
    ranks = RankTally([match((1, 2), (n % 3, 1)) for n in range(30)])
    found = all_games([of_margins(duel(2, 3, 2)), of_ranks(ranks)])
    assert set(found.values) == {1, 2, 3}
    assert found.groups == ((1, 2, 3),)


def test_bots_without_a_common_game_are_not_compared_and_silent_games_are_left_out():
    found = all_games([of_margins(duel(1, 2, 3)), of_margins(duel(5, 6, 3))])
    assert found.groups == ((1, 2), (5, 6))
    assert found.difference(1, 5) is None
    silent = of_margins(MarginTally([match((1, 2), *[(4, 4)] * 10)]))
    assert all_games([silent]).values == {}
