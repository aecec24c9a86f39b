"""A knockout: seeds, byes, ties that end when they are sure, and who goes on where they are not."""

from __future__ import annotations

import random
from collections import Counter
from dataclasses import replace
from itertools import combinations
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from card_arena.formats.field import Field, Pairing
from card_arena.formats.knockout import KnockoutOptions, draws, tree_order
from card_arena.formats.schedule import Schedule
from card_arena.tests.formats.fields import (
    Plan,
    apart,
    by_strength,
    field,
    partners,
    played,
    tables,
    told,
)
from card_arena.tests.formats.strategies import knockouts


def knockout(plan: Field, **options: Any) -> Plan:
    said = {"seeds": "entrants", "until": "boards", "boards": 2, **options}
    return Plan("knockout", plan, KnockoutOptions(**said))


def in_order(players: int, *seats: int, **changes: Any) -> tuple[Field, dict[int, float]]:
    """A field in which the first entrant is the strongest."""
    plan = field(range(1, players + 1), *seats, **changes)
    return plan, {version: -10.0 * version for version in plan.versions}


def ties(found: dict[str, Pairing], leg: int) -> list[set[int]]:
    """Who met in each tie of a round."""
    return [
        set(versions)
        for versions in dict.fromkeys(
            tuple(sorted(p.versions)) for p in found.values() if p.leg == leg
        )
    ]


def bracket(schedule: Schedule) -> Any:
    (panel,) = schedule.panels
    return panel


# Seeds and byes


def test_the_first_seed_meets_the_last_one_and_the_second_the_last_but_one():
    plan, strengths = in_order(8)
    schedule = knockout(plan).schedule()
    found = played(schedule, by_strength(strengths))
    assert ties(found, 1) == [{1, 8}, {2, 7}, {3, 6}, {4, 5}]
    assert ties(found, 2) == [{1, 4}, {2, 3}]
    assert ties(found, 3) == [{1, 2}]
    assert [(p.version, p.rank, p.points) for p in schedule.standings][:4] == [
        (1, 1, 3.0),
        (2, 2, 2.0),
        (3, 3, 1.0),
        (4, 4, 1.0),
    ]


def test_the_best_seeds_have_byes():
    plan, strengths = in_order(6)
    schedule = knockout(plan).schedule()
    found = played(schedule, by_strength(strengths))
    assert ties(found, 1) == [{3, 6}, {4, 5}]
    assert ties(found, 2) == [{1, 4}, {2, 3}]
    first = bracket(schedule).rounds[0]
    assert [tie.seats[0].seed for tie in first.ties if tie.ended == "bye"] == [1, 2]
    assert [{seat.seed for seat in tie.seats} for tie in first.ties] == [{1}, {4, 5}, {2}, {3, 6}]


def test_a_winner_takes_the_place_of_the_better_seed_whom_it_beat():
    plan, strengths = in_order(8)
    strengths[8] = 100.0  # beats the first seed, and then everybody
    found = played(knockout(plan).schedule(), by_strength(strengths))
    assert ties(found, 2) == [{8, 4}, {2, 3}]
    assert ties(found, 3) == [{8, 2}]


def test_the_winners_of_neighbours_in_the_tree_meet():
    assert tree_order(1) == [0]
    assert tree_order(8) == [0, 7, 3, 4, 1, 6, 2, 5]


def test_seeds_are_by_the_stage_before_or_earlier_seasons_or_lot():
    plan, strengths = in_order(6, seed=bytes(32))
    lots = knockout(plan, seeds="lot").schedule()
    by_lot = {seat.version: seat.seed for tie in bracket(lots).rounds[0].ties for seat in tie.seats}
    assert by_lot != {version: version for version in plan.versions}

    past = [told(pairing, by_strength(strengths)) for pairing in lots.ready]
    known = {version for result in past for version in result.versions}
    later = replace(plan, earlier=lambda: past)
    schedule = knockout(later, seeds="standings").schedule()
    seeds = {s.version: s.seed for tie in bracket(schedule).rounds[0].ties for s in tie.seats}
    assert {version for version, seed in seeds.items() if seed <= len(known)} == known

    ranked = replace(later, ranked=True)
    schedule = knockout(ranked, seeds="standings").schedule()
    seeds = {s.version: s.seed for tie in bracket(schedule).rounds[0].ties for s in tie.seats}
    assert seeds == {version: version for version in plan.versions}


@pytest.mark.parametrize("seats", [2, 3, 4, 5, 6])
def test_every_round_leaves_at_least_one_of_every_table_and_the_last_one_leaves_one(seats):
    for players in range(300):
        rounds = draws(players, seats)
        assert bool(rounds) == (players >= seats)
        left = players
        for number, draw in enumerate(rounds):
            assert left == draw.byes + draw.ties * seats
            assert draw.places >= 1
            assert draw.places + bool(draw.best_next) < seats
            assert number == 0 or draw.byes == 0
            left = draw.advancing
        assert left == bool(rounds) or players < seats


# Ties


def season_of_two(effect: float, seed: int, **options: Any) -> tuple[Schedule, int]:
    """A final in which the second seed is better by an effect; also how many boards it took."""
    plan = field([1, 2], seed=bytes([seed % 256, seed // 256, *bytes(30)]))
    schedule = knockout(plan, until="sure", **options).schedule()
    found = played(schedule, by_strength({1: 0.0, 2: 140.0 * effect}, 100))
    return schedule, len(found)


def test_a_tie_ends_when_it_is_sure():
    schedule, boards = season_of_two(0.5, 1, boards=500, batch=30)
    (tie,) = bracket(schedule).rounds[0].ties
    assert (tie.ended, tie.boards, tie.most) == ("sure", boards, 500)
    assert 30 <= boards <= 120
    assert boards % 30 == 0
    one, other = tie.seats
    assert (one.goes_on, other.goes_on) == (False, True)
    assert other.low < other.margin < other.high
    assert (one.low, one.margin, one.high) == (-other.high, -other.margin, -other.low)
    assert schedule.standings[0].version == 2


def test_where_the_boards_run_out_the_higher_seed_goes_on_and_the_page_is_told():
    for seed in range(20):
        schedule, boards = season_of_two(0.05, seed, boards=40, batch=30)
        (tie,) = bracket(schedule).rounds[0].ties
        if tie.ended == "cap":
            assert boards == 40
            assert schedule.standings[0].version == 1
            if tie.seats[0].margin < 0:
                return  # it goes on though it was behind
    pytest.fail("no tie was undecided")


def test_with_a_fixed_number_of_boards_the_better_score_goes_on_and_a_draw_is_the_higher_seeds():
    plan, _ = in_order(2, tables=tables(2, boards=4))
    schedule = knockout(plan, boards=10).schedule()
    assert len(schedule.ready) == 3  # matches of four boards: twelve, the next number that goes up
    played(schedule, by_strength({1: 0.0, 2: 1.0}))
    (tie,) = bracket(schedule).rounds[0].ties
    assert (tie.ended, tie.boards, tie.most) == ("boards", 12, 12)
    assert tie.seats[1].margin == 0.5  # a point a board of two games
    assert schedule.standings[0].version == 2
    draw = knockout(plan).schedule()
    played(draw, by_strength({1: 0.0, 2: 0.0}))
    assert draw.standings[0].version == 1


def test_the_next_batch_of_a_tie_waits_for_the_whole_of_the_last_one():
    schedule = knockout(field([1, 2]), until="sure", boards=100, batch=20).schedule()
    first = schedule.ready
    assert len(first) == 20
    for pairing in first[:-1]:
        assert schedule.tell(told(pairing, by_strength({1: 0.0, 2: 0.0}, 10))) == ()
    opened = schedule.tell(told(first[-1], by_strength({1: 0.0, 2: 0.0}, 10)))
    assert [pairing.labels for pairing in opened[:2]] == [
        ("final", "tie 1", "match 21"),
        ("final", "tie 1", "match 22"),
    ]
    assert len(opened) == 20


def test_the_weaker_one_goes_on_in_few_ties_that_are_called_sure():
    """By .1 of a standard deviation it is to be 5 % at most; measured: 2.8 % of 400."""
    wrong = 0
    for seed in range(150):
        schedule, _ = season_of_two(0.1, seed, boards=1000, batch=30)
        (tie,) = bracket(schedule).rounds[0].ties
        wrong += tie.ended == "sure" and bool(tie.seats[0].goes_on)
    assert wrong <= 14  # of 150: more happens once in a hundred at a true rate of 5 %


# Three seats and more


def test_at_tables_of_four_the_better_two_go_on():
    plan, strengths = in_order(16, 4)
    schedule = knockout(plan).schedule()
    found = played(schedule, by_strength(strengths))
    assert ties(found, 1) == [{1, 8, 9, 16}, {2, 7, 10, 15}, {3, 6, 11, 14}, {4, 5, 12, 13}]
    assert {version for tie in ties(found, 2) for version in tie} == {*range(1, 9)}
    assert ties(found, 3) == [{1, 2, 3, 4}]
    assert [placing.version for placing in schedule.standings][:4] == [1, 2, 3, 4]


def test_at_tables_of_three_the_best_of_the_seconds_go_on_too():
    plan, strengths = in_order(6, 3)
    schedule = knockout(plan, until="sure", boards=30).schedule()
    found = played(schedule, by_strength(strengths, 1))
    assert len(found) == 2 * 30 + len([p for p in found.values() if p.leg == 2])
    (semi, final) = bracket(schedule).rounds
    assert {tie.ended for tie in semi.ties} == {"boards"}
    going_on = sorted(seat.seed for tie in semi.ties for seat in tie.seats if seat.goes_on)
    assert len(going_on) == 3
    assert sorted(seat.seed for seat in final.ties[0].seats) == going_on


def test_at_a_table_of_four_a_tie_ends_when_the_line_is_sure_whatever_is_open_above_it():
    plan, _ = in_order(8, 4)
    strengths = {version: 100.0 * (version <= 4) for version in plan.versions}
    schedule = knockout(plan, until="sure", boards=500, batch=30).schedule()
    played(schedule, by_strength(strengths, 60))
    first = bracket(schedule).rounds[0]
    assert {tie.ended for tie in first.ties} == {"sure"}
    assert max(tie.boards for tie in first.ties) <= 90
    assert {s.version for t in first.ties for s in t.seats if s.goes_on} == {1, 2, 3, 4}


def test_partners_change_from_match_to_match_and_the_best_of_them_wins():
    plan = field(range(1, 5), tables=partners())
    schedule = knockout(plan, boards=60).schedule()
    sat = Counter(
        pair
        for pairing in schedule.ready
        for pair in combinations(sorted(pairing.versions), 2)
        if pairing.versions.index(pair[0]) % 2 == pairing.versions.index(pair[1]) % 2
    )
    assert len(sat) == 6
    played(schedule, by_strength({1: 0.0, 2: 10.0, 3: 20.0, 4: 90.0}, 5))
    assert schedule.standings[0].version == 4


def test_of_an_author_whose_bots_are_kept_apart_only_the_best_seed_enters_at_larger_tables():
    plan, strengths = in_order(8, 4)
    names = enumerate("aabbccdd", start=1)
    schedule = knockout(apart(plan, *names)).schedule()
    found = played(schedule, by_strength(strengths))
    assert ties(found, 1) == [{1, 3, 5, 7}]
    assert {placing.version for placing in schedule.standings} == {1, 3, 5, 7}


@given(knockouts, st.integers(0, 99))
def test_somebody_wins_and_nobody_plays_on_who_is_out(plan, seed):
    rng = random.Random(seed)
    strengths = {version: rng.gauss(0, 10) for version in plan.field.versions}
    schedule = plan.schedule()
    found = played(schedule, by_strength(strengths, 20))
    if not found:
        assert schedule.standings == ()
        return
    panel = bracket(schedule)
    assert panel.ahead == ()
    left: set[int] | None = None
    for number, now in enumerate(panel.rounds, start=1):
        seats = [seat for tie in now.ties for seat in tie.seats]
        playing = {version for p in found.values() if p.leg == number for version in p.versions}
        assert playing == {s.version for t in now.ties for s in t.seats if t.ended != "bye"}
        assert left is None or {seat.version for seat in seats} == left
        left = {seat.version for seat in seats if seat.goes_on}
        assert len(left) == now.going_on
        assert all(seat.goes_on is not None for seat in seats)
    assert [p.version for p in schedule.standings if p.rank == 1] == [*(left or ())]


def test_where_fewer_enter_than_a_table_seats_a_smaller_table_does():
    plan, strengths = in_order(3, 4, 3, 2)
    found = played(knockout(plan).schedule(), by_strength(strengths))
    assert ties(found, 1) == [{1, 2, 3}]
    assert knockout(field([1])).schedule().over
    assert knockout(field([1, 2], 4)).schedule().over
