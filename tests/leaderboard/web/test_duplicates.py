"""The games of a match side by side."""

from __future__ import annotations

from dataclasses import replace

import pytest

from card_arena.leaderboard.matches import match as read_match
from card_arena.leaderboard.web.replays import boards, margins, seat_names, totals
from card_arena.results.store import Store


def test_a_difference_is_what_a_bot_made_of_the_cards_less_what_the_others_made():
    assert margins((120, 85), (0, 1)) == (35, -35)
    assert margins((30, 60, 90), (0, 1, 2)) == (-45, 0, 45)


def test_partners_are_not_compared_with_each_other():
    assert margins((100, 40, 100, 40), (0, 1, 0, 1)) == (60, -60, 60, -60)


def test_a_bot_alone_at_a_table_differs_from_nobody():
    assert margins((25,), (0,)) == (0,)


def test_every_entrant_is_found_where_it_sat_with_the_score_of_that_seat(store: Store):
    match = read_match(store, "spades/0001/t01/r1/a")
    (board,) = boards(match)
    first, second = board.games
    assert first.seats == ((0, 2), (1, 3))
    assert second.seats == ((1, 3), (0, 2))
    assert [game.number for game in board.games] == [1, 2]
    for game, record in zip(board.games, match.records, strict=True):
        for seats, score in zip(game.seats, game.scores, strict=True):
            assert {record.over.scores[seat] for seat in seats} == {score}


@pytest.mark.parametrize("name", ["spades", "mixed", "tarot", "durak"])
def test_the_totals_are_the_stored_scores(store: Store, name: str):
    match = read_match(store, f"{name}/0001/t01/r1/a")
    found = totals(match)
    assert [score for score, _ in found] == [seat.score for seat in match.entrants]
    differences_of_boards = zip(*(board.margins for board in boards(match)), strict=True)
    assert [margin for _, margin in found] == pytest.approx(
        [sum(less) for less in differences_of_boards]
    )


def test_what_the_fallback_action_wins_for_a_bot_that_was_struck_out_does_not_count(store: Store):
    match = read_match(store, "spades/0001/t01/r1/a")
    (_, first), (_, other) = totals(match)
    assert first == -other
    records = [replace(match.records[0], struck_out=(0,)), *match.records[1:]]
    (_, struck), (_, spared) = totals(match.model_copy(update={"records": tuple(records)}))
    assert struck < first
    assert struck < -spared, "what it loses beside its score is nobody's gain"


def test_a_bot_in_two_seats_is_told_apart_by_them(store: Store):
    match = read_match(store, "spades/0001/t01/r1/a")
    assert seat_names(match, 0)[:2] == ["davey (seat 0)", "lim17 (seat 1)"]
    assert seat_names(match, 1)[:2] == ["lim17 (seat 0)", "davey (seat 1)"]


def test_bots_in_one_seat_each_go_by_their_names(store: Store):
    match = read_match(store, "mixed/0001/t01/r1/a")
    assert seat_names(match, 0) == ["davey", "lim17", "chatty", "silent"]
    assert seat_names(match, 1) == ["lim17", "chatty", "silent", "davey"]


def test_two_versions_of_a_bot_are_told_apart_by_their_numbers(store: Store):
    match = read_match(store, "mixed/0001/t01/r1/a")
    first, second, *others = match.entrants
    twins = (first, second.model_copy(update={"bot": first.bot}), *others)
    same = match.model_copy(update={"entrants": twins})
    assert seat_names(same, 0)[:2] == ["davey v2", "davey v1"]
