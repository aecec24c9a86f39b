"""Leads less luck, from records to the fit: beside the plain ones, and with the same mean."""

from __future__ import annotations

import random
from dataclasses import replace
from fractions import Fraction

import pytest

from leaderboard.differences import differences
from leaderboard.results import Result, boards_less_luck, scorecard
from leaderboard.statistics.lead_fit import LeadTally
from leaderboard.statistics.luck import leads_less_luck, leads_on_boards
from leaderboard.storage.entries import Entrant
from leaderboard.storage.store import Store
from leaderboard.views import standings
from tables.luck import UNIT, luck_of
from tables.record import Record
from tables.referee import play
from tables.registry import GAMES
from tests.leaderboard.made import DUE, SEED, made_bots, made_duplicate, ranked
from tests.tables.scripted import Always, Packs

SEATINGS = ((0, 1), (1, 0), (0, 1), (1, 0))


def record(number: int) -> Record:
    """A round of blackjack in which one seat always stands and the other always draws."""
    game = GAMES["blackjack"]
    return play(game, game.options(), [Always("S"), Always("H")], Packs(bytes(32), f"m/{number}"))


def result(*, key: str = "m", seed: int = 0) -> Result:
    records = [record(4 * seed + number) for number in range(4)]
    return scorecard(records, SEATINGS, (0, 1)).result(key, 1, 1, (7, 8))


def test_a_board_keeps_the_luck_of_its_entrants_over_all_turns():
    records = [record(number) for number in range(4)]
    card = scorecard(records, SEATINGS, (0, 1))
    lucks = [luck_of(each) for each in records]
    assert None not in lucks
    first, second, third, fourth = (each or () for each in lucks)
    assert card.luck == (
        (first[0] + second[1], first[1] + second[0]),
        (third[0] + fourth[1], third[1] + fourth[0]),
    )
    assert any(luck for board in card.luck for luck in board)


def test_a_lead_less_luck_is_the_difference_of_scores_less_that_of_luck():
    found = result()
    for lead, scores, luck in zip(leads_on_boards(found), found.boards, found.luck, strict=True):
        assert lead[0] == scores[0] - scores[1] - Fraction(luck[0] - luck[1], UNIT)
        assert lead[1] == -lead[0]


def test_a_match_without_luck_has_no_leads_less_luck():
    found = replace(result(), luck=())
    assert boards_less_luck(found) == leads_on_boards(found) == ()
    assert leads_less_luck([found]) == {}


def test_one_game_of_a_board_whose_luck_is_unknown_leaves_the_match_without():
    records = [record(number) for number in range(4)]
    records[2] = replace(records[2], version=99)
    assert scorecard(records, SEATINGS, (0, 1)).luck == ()


def test_a_mean_lead_less_luck_is_a_mean_over_games():
    one, other = result(seed=1), result(seed=2)
    leads = [float(board[0]) for each in (one, other) for board in leads_on_boards(each)]
    found = leads_less_luck([one, other])
    assert found[7].value == pytest.approx(sum(leads) / 8)
    assert found[8].value == pytest.approx(-found[7].value)


def test_the_fit_can_be_told_to_leave_luck_out():
    results = [result(key=f"m{seed}", seed=seed) for seed in range(5)]
    less_luck = LeadTally(results, less_luck=True)
    games = sum(each.games for each in results)
    leads = sum(float(board[0]) for each in results for board in leads_on_boards(each))
    assert less_luck.pair(7, 8).lead == pytest.approx(leads / games)
    strengths = less_luck.strengths()
    assert strengths[7] - strengths[8] == pytest.approx(leads / games)
    plain = LeadTally(results)
    assert plain.pair(7, 8).error > less_luck.pair(7, 8).error  # type: ignore[operator]


def test_a_fit_less_luck_takes_the_plain_scores_where_no_luck_is_known():
    results = [replace(result(key=f"m{seed}", seed=seed), luck=()) for seed in range(3)]
    plain, less_luck = LeadTally(results), LeadTally(results, less_luck=True)
    assert less_luck.strengths() == plain.strengths()
    assert less_luck.pair(7, 8).error == pytest.approx(plain.pair(7, 8).error)


def test_a_fit_less_luck_does_not_depend_on_the_order_of_the_matches():
    results = [result(key=f"m{seed}", seed=seed) for seed in range(6)]
    other = results[:]
    random.Random(1).shuffle(other)
    once, again = LeadTally(results, less_luck=True), LeadTally(other, less_luck=True)
    assert once.strengths() == again.strengths()


def test_luck_that_was_changed_in_the_store_is_found_and_older_matches_may_have_none():
    card = scorecard([record(number) for number in range(4)], SEATINGS, (0, 1))
    changed = replace(card, luck=((1, 2), *card.luck[1:]))
    assert [each.what for each in differences("m", changed, card)] == ["the luck on its boards"]
    assert not [*differences("m", replace(card, luck=()), card)]


@pytest.mark.parametrize(("duplicate", "shown"), [(True, True), (False, False)])
def test_standings_show_the_lead_less_luck_where_no_chips_are_carried(
    store: Store, duplicate: bool, shown: bool
) -> None:
    versions = made_bots(store, "stands", "draws")
    settings = {"game": "blackjack", "duplicate": duplicate}
    entrants = [Entrant(version.id) for version in versions]
    season = store.begin_season("luck", settings, "mean lead", SEED, entrants, DUE)
    ids = tuple(version.id for version in versions)
    results = []
    for number in (1, 2, 3):
        records = [record(10 * number + game) for game in range(4)]
        played = made_duplicate(f"luck/0001/t01/r{number}/a", ids, (0, 1), SEATINGS, *records)
        results.append(store.save_match(season.id, played))
    assert all(each.luck for each in results)
    store.save_standings(season.id, ranked(dict.fromkeys(ids, 0.0)))
    store.refresh_ratings("luck")
    lines = standings(store, "luck").standings
    expected = leads_less_luck(results)
    assert {line.version_id: line.less_luck for line in lines} == (
        expected if shown else dict.fromkeys(ids)
    )
