"""What bots do in each seat: from records, over matches or legs, on a bot's page."""

from __future__ import annotations

import random

import pytest
from sqlalchemy import update

from card_arena.leaderboard.bots import bot as read_bot
from card_arena.ratings.intervals import mean, mean_of_sums
from card_arena.ratings.match_results import HeldSeats, held_seats
from card_arena.results.entries import Entrant
from card_arena.results.models import HeldSeatsSumRow
from card_arena.results.store import Store
from card_arena.tests.results.made import (
    DUE,
    SEED,
    made_bots,
    made_duplicate,
    made_match,
    made_record,
    made_submission,
    made_terms,
    save_match,
)


def test_a_side_of_partners_holds_its_seats_together_and_margins_add_up():
    """Two boards of two turns; the sides sit at 0 and 2, and at 1 and 3."""
    scores = ([50, 20], [10, 40], [30, 30], [0, 9])
    records = [made_record([*pair, *pair]) for pair in scores]
    seatings = ((0, 1, 0, 1), (1, 0, 1, 0)) * 2
    assert held_seats(records, seatings, (0, 1)) == (
        HeldSeats(0, "0 2", 4, 2, 80, 30.0),
        HeldSeats(0, "1 3", 4, 2, 49, 39.0),
        HeldSeats(1, "0 2", 4, 2, 10, -39.0),
        HeldSeats(1, "1 3", 4, 2, 50, -30.0),
    )


def test_partners_of_different_bots_have_a_seat_each_and_the_margin_of_their_side():
    found = held_seats([made_record([50, 20, 50, 20])], ((0, 1, 2, 3),), (0, 1, 0, 1))
    assert [(each.held, each.margin) for each in found] == [
        ("0", 30.0),
        ("1", -30.0),
        ("2", 30.0),
        ("3", -30.0),
    ]


def test_who_is_struck_out_loses_all_that_can_be_lost_and_nobody_gains_by_it():
    found = held_seats([made_record([90, 40, 10], struck_out=[0])], ((0, 1, 2),), (0, 1, 2))
    assert [(each.score, each.margin) for each in found] == [(90, -225.0), (40, 30.0), (10, -15.0)]


def test_sums_over_clusters_give_the_mean_and_interval_of_the_clusters_themselves():
    rng = random.Random(5)
    for count in (1, 4, 5, 40):
        clusters = [(rng.gauss(3, 20), rng.randint(1, 4)) for _ in range(count)]
        sums = mean_of_sums(
            count,
            sum(x for x, _ in clusters),
            sum(n for _, n in clusters),
            xx=sum(x * x for x, _ in clusters),
            xn=sum(x * n for x, n in clusters),
            nn=sum(n * n for _, n in clusters),
        )
        expected, found = mean(clusters), sums
        assert found.trials == expected.trials
        assert (found.value, found.low or 0, found.high or 0) == pytest.approx(
            (expected.value, expected.low or 0, expected.high or 0)
        )
        assert (found.low is None) == (count < 5)


def test_a_bots_page_has_its_newest_version_in_each_seat_with_matches_as_clusters(store: Store):
    ann, bob = made_bots(store, "ann", "bob")
    newer, _ = store.submit(made_submission("ann", "d2"), "ada")
    entrants = [Entrant(bot.id) for bot in (ann, newer, bob)]
    season = store.begin_season("friday", made_terms({"duplicate": True}), SEED, entrants, DUE)
    rng = random.Random(7)
    seen: dict[int, list[tuple[float, int]]] = {0: [], 1: []}
    for number in range(7):
        own = newer if number < 6 else ann
        pairs = [(rng.randint(0, 90), rng.randint(0, 90)) for _ in range(4)]
        boards = 2 if number % 2 else 1
        records = [made_record(pair) for pair in pairs[: 2 * boards]]
        played = made_duplicate(
            f"friday/0001/t01/r1/{number}",
            (own.id, bob.id),
            (0, 1),
            ((0, 1), (1, 0)) * boards,
            *records,
        )
        save_match(store, season.id, played)
        if own is newer:
            seen[0].append((sum(p[0] - p[1] for p in pairs[: 2 * boards : 2]), boards))
            seen[1].append((sum(p[1] - p[0] for p in pairs[1 : 2 * boards : 2]), boards))
    (table,) = read_bot(store, "ann").held_seats
    assert (table.tournament, table.version, table.by_score) == ("friday", 2, False)
    for seat, line in enumerate(table.lines):
        expected = mean(seen[seat])
        assert (line.held_seats, line.seats) == ((seat,), 2)
        assert line.mean.trials == expected.trials == 9
        assert (line.mean.value, line.mean.low) == pytest.approx((expected.value, expected.low))


def test_where_chips_are_carried_the_score_counts_and_a_leg_is_a_cluster(store: Store):
    ann, bob = made_bots(store, "ann", "bob")
    entrants = [Entrant(bot.id) for bot in (ann, bob)]
    season = store.begin_season("chips", made_terms({"game": "blackjack"}), SEED, entrants, DUE)
    rng = random.Random(9)
    legs = []
    for leg in range(1, 7):
        scores = [rng.randint(-50, 50) for _ in range(3)]
        for number, score in enumerate(scores, start=1):
            key = f"chips/0001/t{leg:02}/r{number}/a"
            played = made_match(key, (ann.id, bob.id), made_record([score, 0], purses=[200, 200]))
            save_match(store, season.id, played)
        legs.append((float(sum(scores)), 3))
    (table,) = read_bot(store, "ann").held_seats
    (line,) = table.lines
    assert table.by_score
    expected = mean(legs)
    assert line.mean.trials == 18
    assert (line.mean.value, line.mean.low) == pytest.approx((expected.value, expected.low))


def test_a_bot_that_has_not_played_has_no_seats_and_one_match_has_no_interval(store: Store):
    ann, bob = made_bots(store, "ann", "bob")
    entrants = [Entrant(bot.id) for bot in (ann, bob)]
    season = store.begin_season("friday", made_terms({}), SEED, entrants, DUE)
    assert read_bot(store, "ann").held_seats == ()
    match = made_match("friday/0001/t01/r1/a", (ann.id, bob.id), made_record([7, 3]))
    save_match(store, season.id, match)
    (table,) = read_bot(store, "bob").held_seats
    (line,) = table.lines
    assert (line.held_seats, line.mean.value, line.mean.low) == ((1,), -4.0, None)


def test_a_sum_over_held_seats_that_is_not_that_of_the_matches_is_found(store: Store):
    ann, bob = made_bots(store, "ann", "bob")
    entrants = [Entrant(bot.id) for bot in (ann, bob)]
    season = store.begin_season("friday", made_terms({}), SEED, entrants, DUE)
    for number in (1, 2):
        key = f"friday/0001/t01/r{number}/a"
        save_match(store, season.id, made_match(key, (ann.id, bob.id), made_record([7, number])))
    assert not store.check_counts(season.id)
    with store.database.writing() as session:
        of_bob = HeldSeatsSumRow.version_id == bob.id
        session.execute(update(HeldSeatsSumRow).where(of_bob).values(x=3.5, held="0"))
    found = [str(each) for each in store.check_counts(season.id)]
    at = f"version {bob.id} in seats {{}} of 2, leg 1"
    assert any(each.startswith(at.format(0)) for each in found), found
    assert any(each.startswith(at.format(1)) for each in found), found
