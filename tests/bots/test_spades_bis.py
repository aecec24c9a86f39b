"""BIS, held against what [Cohensius 2019] prints of it."""

from __future__ import annotations

import random
from itertools import combinations
from math import comb

import pytest

from card_arena.tests.bots.spades_hands import FIGURE_1, hands
from card_arena.tests.bots.spades_lib import LIB, cards, table

RANKS = LIB.cards.RANKS
NIL = "4S 2S 5H 4H 3H 2H 6D 4D 2D 6C 4C 3C 2C"
Bis = LIB.bid_bis.Bis


def suit_value(ranks, trumps=False):
    return LIB.nil_value.suit_value([RANKS.index(rank) for rank in ranks], trumps)


def test_regular_takes_of_the_papers_first_hand():
    """The paper prints 5.89; the terms that it lists come to 5.967, the exact ones to 5.9709."""
    assert LIB.takes.regular_takes(cards(FIGURE_1)) == pytest.approx(5.9709, abs=0.00005)


@pytest.mark.parametrize(
    ("spades", "takes"),
    [
        ("AS KS", 2),
        ("KS", 0),  # nothing guards it
        ("QS 3S", 0),
        ("QS 3S 2S", 1),
        ("6S 5S 4S 3S 2S", 1),  # the fifth
        ("AS KS QS JS", 4),
    ],
)
def test_spades_count_where_they_are_high_or_long(spades, takes):
    rest = ["2H", "3H", "4H", "2D", "3D", "4D", "2C", "3C", "4C", "5C", "5D", "5H", "6H"]
    hand = cards(" ".join([*spades.split(), *rest][:13]))
    assert LIB.takes.regular_takes(hand) == takes


def test_a_nil_beside_us_leaves_one_opponent_to_cut():
    both, one = (LIB.takes.regular_takes(cards(FIGURE_1), count) for count in (2, 1))
    assert one > both


@pytest.mark.parametrize(
    ("ranks", "value", "within"),
    [("Q", 0.5714, 0.00005), ("AQ", 0.0084, 0.00005), ("K9543", 1, 1e-9), ("", 1, 1e-9)],
)
def test_the_nil_value_of_a_suit_is_exact(ranks, value, within):
    assert suit_value(ranks) == pytest.approx(value, abs=within)


@pytest.mark.parametrize(
    ("ranks", "trumps"),
    [("AKJ85", False), ("AKQT9", False), ("KQJ763", False), ("AKQJT97", False), ("974", True)],
)
def test_the_nil_value_of_a_suit_is_what_every_deal_of_it_gives(ranks, trumps):
    """Card by card: who has which, with the deals of the other suits that leaves."""
    own = sorted(RANKS.index(rank) for rank in ranks)
    out = [rank for rank in range(13) if rank not in own]
    rest, failed = 39 - len(out), 0

    def fails(partner, left, right, j):
        held = own[j - 1]
        followed = all(len(o) < j or sum(r < held for r in o) >= j for o in (left, right))
        above = sum(rank > held for rank in partner)
        return followed and (trumps or len(partner) >= j) and above < (2 if j == 2 else 1)

    for size in range(len(out) + 1):
        for partner in combinations(out, size):
            others = [rank for rank in out if rank not in partner]
            for count in range(len(others) + 1):
                for left in combinations(others, count):
                    right = [rank for rank in others if rank not in left]
                    if any(fails(partner, left, right, j + 1) for j in range(min(3, len(own)))):
                        failed += comb(rest, 13 - size) * comb(rest - 13 + size, 13 - count)
    total = comb(39, 13) * comb(26, 13)
    assert suit_value(ranks, trumps) == pytest.approx(1 - failed / total)


def test_a_fourth_spade_and_the_ace_of_spades_are_fatal():
    assert suit_value("5432", trumps=True) == 0
    assert suit_value("A", trumps=True) == pytest.approx(0, abs=1e-9)
    assert LIB.nil_value.nil_value(cards(FIGURE_1)) == 0


def test_three_hands_in_four_are_hopeless_nils():
    """74 % have a nil value below .1; .072 is four standard errors here."""
    low = sum(LIB.nil_value.nil_value(hand) < 0.1 for hand in hands(600, seed=1))
    assert low / 600 == pytest.approx(0.74, abs=0.072)


def test_a_better_nil_value_is_a_better_chance_for_either_kind_of_curve():
    for single in (False, True):
        for before in ([], [3], [3, 4], [3, 4, 2]):
            chances = [LIB.curves.chance_of_nil(value / 10, before, single) for value in range(11)]
            assert chances == sorted(chances)
            assert chances[0] < 0.4 < 0.7 < chances[-1]


def test_a_partner_who_bids_more_covers_a_nil_better():
    low, high = (LIB.curves.chance_of_nil(0.5, [3, partner]) for partner in (1, 6))
    assert low < high


def test_a_safe_nil_is_bid_and_never_beside_a_partners():
    assert Bis().bid(table("bid", NIL)) == 0
    assert Bis(nils=False).bid(table("bid", NIL)) > 0
    assert Bis().bid(table("bid", NIL, dealer=1, bids="-,-,0,3")) > 0


def test_bids_before_that_are_high_lower_the_own_one():
    low, high = (
        Bis().bid(table("bid", FIGURE_1, dealer=0, bids=f"-,{bids}")) for bids in ("1,1,1", "6,4,6")
    )
    assert low > high


def bid_at(hand, *, bids="-,4,3,4", scores="0,0", bags="0,0", **parts):
    """What is bid last at a table to 200 points."""
    asked = table("bid", hand, dealer=0, bids=bids, scores=scores, bags=bags, goal=200)
    return Bis(**parts).bid(asked)


FOUR = "AS KS 3S 2S AH 9H 8H 3D AD 5C 4C 3C 2C"


@pytest.mark.parametrize(
    ("why", "scores", "bids", "changed"),
    [
        ("nobody is near the goal", "0,0", "-,3,3,3", 0),
        ("they win and the bids come to 11: somebody must fail", "100,160", "-,3,3,3", +1),
        ("they win by less than ten points: one more", "125,190", "-,1,3,1", +1),
        ("we win with one less as well", "190,0", "-,3,3,3", -1),
        ("we win by no more than ten", "180,190", "-,3,4,3", 0),
    ],
    ids=lambda value: value if isinstance(value, str) and " " in value else "",
)
def test_bids_change_where_the_game_may_end(why, scores, bids, changed):
    plain = bid_at(FOUR, bids=bids, scores=scores, end_game=False)
    assert plain > 1
    total = sum(int(bid) for bid in bids.split(",")[1:]) + plain
    bid = bid_at(FOUR, bids=bids, scores=scores)
    assert bid == (plain + 14 - total if "11" in why else plain + changed)


@pytest.mark.parametrize(("bags", "changed"), [("7,0", -1), ("8,0", 0), ("9,0", 0)])
def test_no_bid_is_lowered_near_the_bag_limit(bags, changed):
    """Whether we bid last, or only lead by more than ten."""
    for seat_bids in ({"bids": "-,3,3,3"}, {"bids": "-,-,-,-"}):
        plain, bid = (
            Bis(signals=False, end_game=on).bid(
                table(
                    *("bid", FOUR),
                    dealer=0 if "3" in seat_bids["bids"] else 3,
                    scores="190,0",
                    bags=bags,
                    goal=200,
                    **seat_bids,
                )
            )
            for on in (False, True)
        )
        assert bid == plain + changed


def test_no_nil_is_bid_last_where_a_plain_bid_wins():
    near = {"bids": "-,3,4,3", "scores": "180,100"}
    assert bid_at(NIL, **near, end_game=False) == 0
    assert bid_at(NIL, **near) > 0


def test_who_loses_otherwise_bids_a_doubtful_nil():
    """With no end in sight too risky, with one it is the only hope."""
    rng = random.Random(5)
    found = {"end": 0, "none": 0}
    for _ in range(500):
        hand = " ".join(LIB.cards.NAMES[card] for card in rng.sample(range(52), 13))
        for name, scores in (("end", "20,190"), ("none", "0,0")):
            found[name] += bid_at(hand, bids="-,4,3,4", scores=scores) == 0
    assert found["end"] > found["none"] + 12


def sides_all_have(hand, least):
    """Whether every side suit is a void or has a card as high."""
    suits = [LIB.cards.ranks_of(hand, suit) for suit in LIB.cards.SIDE_SUITS]
    return all(not ranks or ranks[0] >= least for ranks in suits)


def first_bids(scores):
    """Of many hands that bid first: the hand, what it bids without signals, and with them."""
    rng = random.Random(7)
    for _ in range(1500):
        hand = rng.sample(range(52), 13)
        named = " ".join(LIB.cards.NAMES[card] for card in hand)
        asked = table("bid", named, dealer=3, scores=scores)
        plain, told = (Bis(signals=on, nils=False).bid(asked) for on in (False, True))
        yield hand, plain, told


def test_five_is_bid_by_hands_that_cover_a_nil_and_are_worth_four_to_six_alone():
    seen = set()
    for hand, plain, told in first_bids("0,100"):
        spades = LIB.cards.ranks_of(hand, LIB.cards.SPADES)
        covers = {LIB.cards.ACE, LIB.cards.KING} & {*spades}
        covers = bool(covers) and sides_all_have(hand, LIB.cards.JACK)
        if covers and plain in (4, 5, 6):
            assert told == 5
        else:
            assert told == (4 if plain == 5 else plain)
        seen.add((covers, plain))
    assert {(True, 4), (True, 5), (True, 6), (False, 5), (True, 3), (True, 7)} <= seen


def test_more_than_a_hundred_behind_six_is_reserved_and_five_is_a_bid_like_any():
    seen = set()
    for hand, plain, told in first_bids("0,101"):
        ace = LIB.cards.ACE in LIB.cards.ranks_of(hand, LIB.cards.SPADES)
        covers = ace and sides_all_have(hand, LIB.cards.TEN)
        if covers and plain >= 4:
            assert told == 6
        else:
            assert told == (5 if plain == 6 else plain)
        seen.add((covers, plain))
    assert {(True, 4), (True, 5), (True, 6), (True, 7), (False, 5), (False, 6)} <= seen


def test_a_bid_that_the_end_of_the_game_raises_does_not_become_a_promise():
    """They win by less than ten points, so that a four would be raised to five."""
    near = {"dealer": 3, "goal": 200, "scores": "131,144"}
    assert Bis(signals=False).bid(table("bid", FOUR, **near)) == 5
    assert Bis().bid(table("bid", FOUR, **near)) == 4


@pytest.mark.parametrize(
    ("scores", "bid", "heard"),
    [("0,100", 5, True), ("0,100", 6, False), ("0,101", 6, True), ("0,101", 5, False)],
)
def test_only_the_reserved_bid_is_heard_as_a_promise(scores, bid, heard):
    asked = table("bid", NIL, dealer=1, bids=f"-,-,{bid},3", scores=scores)
    assert LIB.bid_bis.is_encouraged(asked) is heard


def test_a_partner_who_has_promised_makes_a_nil_likelier():
    rng = random.Random(6)
    found = {True: 0, False: 0}
    for _ in range(500):
        hand = " ".join(LIB.cards.NAMES[card] for card in rng.sample(range(52), 13))
        for on in found:
            asked = table("bid", hand, dealer=1, bids="-,-,5,3")
            found[on] += Bis(signals=on).bid(asked) == 0
    assert found[True] > found[False] + 10


@pytest.mark.parametrize(
    ("scores", "bids", "blind"),
    [
        ("0,450", "-,-,-,-", True),
        ("0,300", "-,-,-,-", False),  # they don't win yet
        ("400,450", "-,-,-,-", False),  # near enough
        ("0,450", "-,-,B,-", False),  # the partner does it already
    ],
)
def test_nil_is_bid_blind_where_all_is_lost_otherwise(scores, bids, blind):
    asked = table("blind", "", legal="-,BN", bids=bids, scores=scores)
    assert Bis().goes_blind(asked) is blind
    assert Bis(blind=False).goes_blind(asked) is False
