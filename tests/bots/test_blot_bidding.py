"""The bidders of [Bazar Blot n.d.]: as its authors' program works them, and as printed."""

from __future__ import annotations

import random
from collections import Counter
from functools import cache, partial

import pytest

from card_arena.tables.blot.phases import Bidding, Playing
from card_arena.tables.blot.rules import PACK, Options
from card_arena.tables.encoding import words
from card_arena.tables.registry import game
from card_arena.tests.bots import house

BLOT = game("blot")
LIB = house.library("blot")
program = cache(partial(house.program, "blot"))

PAPERS_HAND = "KS TS 9S JH 9D 8D 7D AC"


def bids(name: str, hand: str, auction="-", legal="P,8+", contract="-", seat=2, dealer=3):
    rest = f"{contract} - - - 0,0 0,0 301"
    question = f"blot bid {legal} {seat} {dealer} {hand.replace(' ', ',')} {auction} {rest}"
    return program(name).answer(question.split())


def papers_example(name: str) -> str:
    """The partner has bid 8 spades, an opponent 9 clubs."""
    return bids(name, PAPERS_HAND, "8S,9C", "P,X,10+", "9C@1")


def test_the_papers_hand_is_worth_what_the_paper_says():
    """But for no-trump, where the paper forgets the ten of spades: 12.5."""
    worths = LIB.bidding.worths(LIB.bidding.V1_PRINTED, PAPERS_HAND.split(), "S", 8)
    assert worths == {"H": 20, "S": 32, "C": 11, "D": 14, "N": 17.5}


def test_the_papers_hand_is_bid_to_ten_spades_as_printed():
    """3.5 times 9 are 31.5, and the hand is worth 32: two levels over the partner's 8."""
    assert papers_example("v1-printed") == "10S"


@pytest.mark.parametrize("name", ["v1", "v2"])
def test_the_papers_hand_is_passed_as_the_authors_program_works_it(name):
    """The partner's bid is a raise by nothing there, and the level that counts is 10."""
    assert papers_example(name) == "P"


def test_v2_passes_the_papers_hand_as_printed_too():
    """28 and 8/1.5 are 33.3; 4.5 times 9 are 40.5."""
    words = f"blot bid P,X,10+ 2 3 {PAPERS_HAND.replace(' ', ',')} 8S,9C 9C@1 - - - 0,0 0,0 301"
    question = LIB.table.parse(words.split())
    assert LIB.bidding.call(LIB.bidding.V2, question, printed=True) == "P"
    assert max(LIB.bidding.worths(LIB.bidding.V2, question.hand, "S", 8).values()) > 33.3


@pytest.mark.parametrize(
    ("hand", "call"),
    [
        ("JS 9S KS 8H 7H 8D 7D 8C", "9S"),  # 38 is more than 36; 38/20 is 1, rounded down
        ("JS 9S 8S 8H 7H 8D 7D 8C", "P"),  # 34 is less
        ("JS 9S AS TS KS QS 7D 8C", "11S"),  # 62/20 is 3
        ("AC AD AH AS 7C 7D 7H 7S", "10N"),  # 76/1.7 is 44.7
        ("JH 9H KH JS 9S KS 8D 7D", "9H"),  # equal ones: hearts before spades
    ],
)
def test_v2_opens_on_four_and_a_half_times_the_level_and_rounds_down(hand, call):
    assert bids("v2", hand) == call


def test_v2_counts_its_partners_last_raise_in_his_strain():
    """51 of its own are enough for level 11 and not for 12, which needs 54."""
    hand = "JS 9S TS KS QS 8D 7D 8C"
    assert bids("v2", hand, "10S,P", "P,11+", "10S@0") == "13S"
    assert bids("v2", hand, "11S,P", "P,12+", "11S@0") == "P"  # a raise by 3: 53
    assert bids("v2", hand, "8S,13S,P", "P,14+", "13S@0", dealer=2) == "P"  # by 4: 53.7 of 63
    assert bids("v2", "AS AH AD TC 7C 7D 7H 7S", "9N,P", "P,10+", "9N@0") == "P"
    assert bids("v2", "AS AH AD AC 7C 7D 7H 7S", "8N,P", "P,9+", "8N@0") == "11N"


@pytest.mark.parametrize(
    ("hand", "auction", "legal", "contract", "call"),
    [
        ("JS 9S KS 7S 8H 8D 7D 8C", "-", "P,8+", "-", "10S"),  # 38: two over an 8 nobody has bid
        ("JS 9S KS 7S 8H 8D 7D 8C", "P,9H", "P,X,10+", "9H@1", "11S"),  # over a standing 9
        ("JS 9S QS 7S AH 8D 7D 8C", "8S,10H", "P,X,11+", "10H@1", "P"),  # 41: 8 and 2 is only 10
        ("JS 9S QS AD 7S 8D 7D 8C", "8H,9S,P,P", "P,10+", "9S@0", "11S"),
    ],
)
def test_as_printed_the_bid_goes_over_the_partners_level(hand, auction, legal, contract, call):
    assert bids("v1-printed", hand, auction, legal, contract) == call


@pytest.mark.parametrize("name", ["v1", "v1-printed", "v2"])
def test_no_bidder_says_more_than_it_may(name):
    hand = "JS 9S AS TS KS QS 7D 8C"
    assert bids(name, hand, "8S,X", "P,XX", "8Sx@2", dealer=1) == "P"
    assert bids(name, hand, "25Hc,P", "P,26c+", "25Hc@0") == "P"
    assert bids(name, hand, "80H,P", "P", "80H@0") == "P"


def made(deals: int, *names: str):
    """Contracts of two bidders' sides, with what was made, when cards are played at random.

    One row a contract: its bidder, its level, and whether its card points were reached.
    """
    rng = random.Random(3)
    bots = [program(name) for name in names]
    for deal in range(deals):
        start = BLOT.start(Options(first_dealer="seat_0", max_deals=1), 4)
        phase, _ = start.apply(tuple(rng.sample(PACK, 32)))
        while isinstance(phase, Bidding):
            bot = bots[(phase.to_act + deal) % 2]
            phase, _ = phase.apply(
                phase.read(bot.answer(list(words(phase.question(phase.to_act)))))
            )
        if isinstance(phase, Playing):
            bid, side, notices = phase.contract.bid, phase.contract.seat % 2, ()
            while isinstance(phase, Playing):
                phase, notices = phase.apply(phase.legal_actions(phase.to_act).sample(rng))
            points = int(notices[0].points.split(",")[side])
            yield names[(side + deal) % 2], bid.level, points >= 10 * bid.level


def test_four_of_v1_bid_and_make_as_often_as_the_paper_says():
    """Its own figures, for cards played at random: level 10 in 65 of 100, 13 in 30; .576 are made.

    1,000 deals have a standard error of .015 or so.
    """
    rows = list(made(1000, "v1", "v1"))
    levels = Counter(level for _, level, _ in rows)
    assert abs(levels[10] / len(rows) - 0.65) < 0.045
    assert abs(levels[13] / len(rows) - 0.30) < 0.045
    assert abs(sum(reached for *_, reached in rows) / len(rows) - 0.576) < 0.045


def test_against_each_other_v2_bids_less_and_makes_more_as_the_paper_says():
    """Published: v2 makes 179 of 224 contracts, v1 210 of 355. Four standard errors each way."""
    bid, kept = Counter(), Counter()
    for name, _, reached in made(700, "v1", "v2"):
        bid[name] += 1
        kept[name] += reached
    assert bid["v2"] < bid["v1"]
    assert abs(kept["v2"] / bid["v2"] - 0.79) < 0.10
    assert abs(kept["v1"] / bid["v1"] - 0.60) < 0.10
