"""How the cards are played: what is wanted, how nils are kept, and what a search finds."""

from __future__ import annotations

import random

import pytest

from card_arena.tables.encoding import words
from card_arena.tables.game import CHANCE
from card_arena.tables.registry import game
from card_arena.tests.bots.spades_lib import LIB, cards, table
from card_arena.tests.tables.scripted import random_steps

SPADES = game("spades")


def sure(mine, theirs):
    return LIB.rounds.sure_takes(LIB.cards.as_set(cards(mine)), LIB.cards.as_set(cards(theirs)))


@pytest.mark.parametrize(
    ("mine", "theirs", "count"),
    [
        ("AS", "KS QS JS TS", 1),
        ("KS QS", "AS JS TS 9S 2S", 1),
        ("5S 4S 3S 2S", "AS KS", 2),
        ("KS", "AS 2S", 0),
        ("AS AH KH", "KS", 1),  # side suits can be cut
        ("2S", "AH", 1),
    ],
)
def test_sure_takes_are_the_papers(mine, theirs, count):
    """[Cohensius 2019, D.1]: the first three."""
    assert sure(mine, theirs) == count


@pytest.mark.parametrize(
    ("bids", "kind"),
    [
        ("2,2,2,2", "STRONG_UNDER"),
        ("3,3,3,2", "UNDER"),
        ("3,3,3,3", "EVEN"),
        ("4,4,3,3", "FOURTEEN"),
        ("4,4,4,3", "OVER"),
        ("4,4,4,4", "STRONG_OVER"),
        ("0,4,4,4", "OWN_NIL"),
        ("4,4,0,4", "PARTNERS_NIL"),
        ("4,0,4,4", "THEIR_NIL"),
        ("0,0,4,4", "NILS"),
    ],
)
def test_a_round_is_one_of_ten_types(bids, kind):
    assert LIB.rounds.round_type(table("play", "AS", bids=bids)) == getattr(LIB.rounds, kind)


def wants(hand, bids, took):
    return LIB.rounds.wants_tricks(table("play", hand, bids=bids, took=took))


def test_tricks_are_wanted_for_the_contract_until_it_is_sure():
    assert wants("KH 2H 3H 4H", "4,2,1,2", "2,3,1,3")
    assert not wants("AS 2H 3H 4H", "3,1,1,1", "2,3,1,3")  # the ace is enough


def test_tricks_are_wanted_where_more_set_the_opponents():
    assert wants("KH 2H", "3,4,3,3", "3,3,3,2")
    assert not wants("KH 2H", "1,1,1,1", "3,3,3,2")  # theirs is made
    assert wants("AS 3H 4H 5H 6H 7H", "3,3,3,3", "3,2,3,0")  # three more than its own six


def test_with_low_bids_it_ducks_until_a_set_is_within_reach():
    eight = "AS 3H 4H 5H 6H 7H 8H 9H"
    assert not wants(eight, "2,2,2,2", "2,0,3,0")  # theirs want 4 of 8: five more would set them
    assert wants("AS 3H 4H 5H", "2,2,2,2", "3,1,4,1")  # 2 of 4: three more


def srp(hand, **rest):
    return LIB.cards.NAMES[LIB.srp.play(table("play", hand, **rest))]


@pytest.mark.parametrize(
    ("why", "hand", "rest", "card"),
    [
        ("a nil ducks high", "AH JH 2H", {"bids": "0,3,5,3", "trick": "1:5H,3H,QH"}, "JH"),
        (
            "a nil leads what most cards beat",
            "9H 3D TC",
            {"bids": "0,3,5,3"},
            "3D",
        ),
        (
            "its partner takes over, with no more than it needs",
            "AH JH 2H",
            {"bids": "5,3,0,3", "trick": "1:5H,TH,6H"},
            "JH",
        ),
        (
            "its partner shields it before it has played",
            "AH JH 2H",
            {"bids": "5,3,0,3", "trick": "3:5H"},
            "AH",
        ),
        (
            "its partner leads what it is known to lack",
            "AH 2D",
            {"bids": "5,3,0,3", "history": "0:3D,4D,2C,5D", "took": "1,0,0,0"},
            "2D",
        ),
        (
            "an opponent's nil is left to win",
            "AH JH 2H",
            {"bids": "3,0,3,5", "trick": "1:KH,3H,4H"},
            "JH",
        ),
        (
            "below a nil that is still to play it stays, though its partner wins",
            "AH JH 2H",
            {"bids": "3,0,3,5", "trick": "2:TH,8H", "took": "2,0,3,5"},
            "2H",
        ),
        (
            "over a king that nil need not go, so the trick is taken",
            "AH JH 2H",
            {"bids": "3,0,3,5", "trick": "3:KH", "took": "2,0,3,5"},
            "AH",
        ),
        (
            "its partner's high card is not cut",
            "3S 2D",
            {"bids": "3,3,3,3", "trick": "2:QH,4H", "took": "2,3,3,3"},
            "2D",
        ),
        (
            "its partner's low card is",
            "3S 2D",
            {"bids": "3,3,3,3", "trick": "2:5H,TH", "took": "2,3,3,3"},
            "3S",
        ),
        (
            "what is thrown away shortens the shortest suit",
            "3S 2C 4C QD 7D 6D",
            {"bids": "3,3,3,3", "trick": "2:AH,4H", "took": "2,2,2,1"},
            "2C",
        ),
        (
            "a doubleton is played high and then low",
            "8H 3H 2S",
            {"bids": "1,3,3,5", "legal": "8H,3H", "trick": "2:AH,4H"},
            "8H",
        ),
        (
            "the partner who has signalled so is given its cut",
            "7H 5D 4D",
            {
                "bids": "2,3,1,3",
                "history": "0:AH,2H,9H,4H/0:KH,6H,3H,TH",
                "took": "2,0,0,0",
            },
            "7H",
        ),
    ],
    ids=lambda value: value if isinstance(value, str) and value.count(" ") > 2 else "",
)
def test_srp_plays_nils_and_signals(why, hand, rest, card):
    assert srp(hand, **rest) == card


def test_the_search_scores_a_round_as_the_rules_do():
    rounds = 0
    for seed in range(12):
        steps = random_steps(SPADES, 4, seed, max_rounds=3, goal=10_000, lose=0)
        before = ((0, 0), (0, 0))
        last = None
        for step in steps:
            if step.turn.seat != CHANCE:
                last = step
            for notices in step.notices:
                _, _, _, _, made, _, bags = str(notices).split()
                at = LIB.table.Table(list(words(last.before.question(last.turn.seat))))
                card = at.legal[0]
                ours, theirs = map(int, made.split(",")[:: 1 if at.seat % 2 == 0 else -1])
                assert LIB.uct.finish(at, [0] * 4, card) == ours - theirs
                before, rounds = (before[1], bags), rounds + 1
    assert rounds == 36


def test_the_search_finds_the_duck_that_saves_a_nil_partner():
    """Three cards each and all seen but theirs: the ace must be kept to take over the king."""
    random.seed(1)
    uct = LIB.uct.Uct(3, iterations=200)
    asked = table(
        "play",
        "AH 2H 3C",
        legal="AH,2H",
        bids="4,3,0,3",
        trick="2:KH,QH",
        took="4,3,0,3",
    )
    assert LIB.cards.NAMES[uct.play(asked)] == "AH"


def test_without_time_the_search_plays_as_srp():
    asked = table("play", "AH JH 2H", bids="0,3,5,3", trick="1:5H,3H,QH")
    assert LIB.uct.Uct(3, iterations=0).play(asked) == LIB.srp.play(asked)


@pytest.mark.parametrize(
    "options", [{}, {"blind_nil": "any", "blind_exchange": 2, "first_lead": "two_of_clubs"}]
)
def test_the_search_is_legal_at_every_table(options):
    random.seed(2)
    answer = LIB.pair.pair(LIB.bid_io, LIB.uct.Uct(5, iterations=3))
    asked = 0
    for seed in range(2):
        for step in random_steps(SPADES, 4, seed, max_rounds=3, lose=0, goal=10_000, **options):
            if step.turn.seat != CHANCE:
                line = answer(list(words(step.before.question(step.turn.seat))))
                action = step.before.read(line)
                assert action in step.before.legal_actions(step.turn.seat)
                asked += 1
    assert asked > 300
