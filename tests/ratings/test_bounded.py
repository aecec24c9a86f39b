"""Boards that are only won or lost: few of them don't make anybody certain of the first place."""

from __future__ import annotations

import random
from itertools import combinations

import pytest

from card_arena.ratings.certainty import Certainty, certainty
from card_arena.ratings.intervals import Trials
from card_arena.ratings.margin_errors import UNSEEN, with_unseen
from card_arena.ratings.margin_fit import MarginTally
from card_arena.tables.dealing import Packs
from card_arena.tables.registry import GAMES
from card_arena.tests.coverage.simulated import played
from card_arena.tests.in_process import house_bot
from card_arena.tests.in_process import played as game_of
from card_arena.tests.season_settings import season_settings


def season(rng: random.Random, bots: int, boards: int, *, means: bool) -> Certainty:
    """Equal bots, each two of which meet on so many boards that one of them wins by two points."""
    tally = MarginTally()
    clusters: list[Trials] = []
    for board in range(boards):
        for one, other in combinations(range(bots), 2):
            scores = rng.choice(((2, 0), (0, 2)))
            tally.add(played((one, other), scores, f"t/0001/r{board}/{one}-{other}"))
            margin = scores[0] - scores[1]
            clusters.append({one: (margin, 1), other: (-margin, 1)})
    return certainty(clusters) if means else tally.fit()


@pytest.mark.parametrize(
    ("means", "bots", "boards"), [(False, 3, 3), (False, 2, 5), (True, 3, 4), (True, 2, 5)]
)
def test_no_equal_bots_make_one_of_them_certain_to_be_the_best_after_a_few_boards(
    means, bots, boards
):
    """Without the boards that were not seen one in 15 to 80 such seasons is over 99 % sure of one.

    A margin is counted from the other bot, a strength from the middle.
    """
    rng = random.Random(1)
    plain = [season(rng, bots, boards, means=means) for _ in range(300)]
    durak = season_settings({"game": "durak", "seats": 2})
    widest = durak.widest_margin if means else durak.facts.widest
    claims = [max((with_unseen(fit, widest).best or {0: 0.0}).values()) for fit in plain]
    assert any(max((fit.best or {0: 0.0}).values()) > 0.99 for fit in plain)
    assert max(claims) < 0.99


def test_a_margin_that_every_board_gave_still_has_an_interval_of_some_width():
    fit = Certainty({1: 1.0, 2: -1.0}, {1: 5, 2: 5}, {})
    assert fit.difference(1, 2).low == 2.0  # type: ignore[union-attr]
    found = with_unseen(fit, 2).difference(1, 2)
    assert found is not None
    assert found.value == 2.0
    assert 0.5 < found.low < 0.8
    assert found.high - 2.0 == pytest.approx(2.0 - found.low)


def test_boards_that_have_shown_all_their_scatter_change_nothing_but_in_the_limit():
    """A variance of m^2 a board is that of boards which are always won or lost by m."""
    fit = Certainty({1: 0.0, 2: 0.0}, {1: 40, 2: 40}, {(1, 1): 2 / 40, (2, 2): 2 / 40})
    assert with_unseen(fit, 2).difference_error(1, 2) == pytest.approx(fit.difference_error(1, 2))
    assert with_unseen(fit, None) is fit
    assert UNSEEN == 2


@pytest.mark.parametrize("seats", [2, 3, 4, 6])
def test_no_game_of_durak_has_scores_further_apart_than_its_rules_say(seats):
    rules = GAMES["durak"]
    options = rules.options()
    widest = rules.statistics.widest(options, seats)
    spans = []
    for board in range(6):
        bots = [house_bot("durak", "random") for _ in range(seats)]
        scores = game_of(rules, options, bots, Packs(bytes(32), "widest", board)).over.scores
        spans.append(max(scores) - min(scores))
    assert max(spans) == widest
    assert season_settings({"game": "durak", "seats": seats}).facts.widest == widest


def test_partners_at_durak_are_two_sides_and_other_games_name_no_bound():
    partners = {"game": "durak", "seats": 4, "options": {"partners": True}}
    assert season_settings(partners).facts.widest == 2
    assert season_settings({"game": "durak", "seats": 2}).widest_margin == 4
    assert season_settings({"game": "durak", "seats": 3}).widest_margin == 6
    assert season_settings({"game": "spades"}).widest_margin is None
