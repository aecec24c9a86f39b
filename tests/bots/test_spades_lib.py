"""What the spades bots share: what a question tells, who can't hold what, deals, and chances."""

from __future__ import annotations

import random
from itertools import product
from math import comb

import pytest

from card_arena.tables.encoding import words
from card_arena.tables.game import CHANCE
from card_arena.tables.registry import game
from card_arena.tests.bots.spades_lib import LIB, cards, table
from card_arena.tests.tables.scripted import random_steps

SPADES = game("spades")
NAMES, OF_SUIT = LIB.cards.NAMES, LIB.cards.OF_SUIT


def positions(seeds, **options):
    """What is asked of a seat in games at random, and the hands that lie on the table then."""
    for seed in seeds:
        for step in random_steps(SPADES, 4, seed, max_rounds=2, goal=10_000, **options):
            if step.turn.seat != CHANCE:
                yield LIB.table.Table(list(words(step.before.question(step.turn.seat)))), step


def test_a_question_tells_who_needs_what_and_what_is_out():
    at = table(
        "play",
        "AH 2H",
        seat=1,
        bids="3,4,B,2",
        history="1:KS,2C,3C,4C/1:5H,6H,7H,8H",
        trick="3:TH,JH",
        took="1,1,0,1",
        scores="10,20",
        bags="1,2",
    )
    assert (at.scores, at.bags) == ([20, 10], [2, 1])
    assert (at.bids, at.blind) == ([3, 4, 0, 2], [2])
    assert at.missing(1) == 6 - 2
    assert at.missing(0) == 3 - 1
    assert (at.tries_nil(2), at.tries_nil(0)) == (True, False)
    assert [NAMES[card] for card in at.split()[0]] == ["AH"]
    assert at.winner() == (cards("JH")[0], 0)
    assert at.unseen.bit_count() == 52 - 8 - 2 - 2
    assert at.is_boss(cards("AH")[0])
    assert not at.is_boss(cards("2H")[0])


def test_the_bids_before_are_told_from_the_right_hand_opponent_on():
    assert table("bid", "AS", seat=2, dealer=3, bids="5,4,-,-").before == [4, 5]
    assert table("bid", "AS", seat=0, dealer=3).before == []
    assert table("bid", "AS", seat=3, dealer=3, bids="5,4,3,-").before == [3, 4, 5]


def test_who_does_not_follow_has_none_and_who_must_lead_a_spade_has_nothing_else():
    at = table("play", "AS", history="1:KH,2C,3H,4H/1:2S,3S,4S,5S")
    spades, hearts = OF_SUIT[LIB.cards.SPADES], OF_SUIT[LIB.cards.HEARTS]
    assert at.voids() == [0, LIB.cards.PACK ^ spades, hearts, 0]
    broken = table("play", "AS", history="1:KH,2S,3H,4H/2:3S,4S,5S,6S")
    assert broken.voids() == [0, 0, hearts, 0]


def test_nobody_is_said_to_lack_what_it_holds():
    seen = 0
    for at, step in positions(range(30)):
        if at.phase == "play":
            lacks = at.voids()
            for seat, hand in enumerate(step.before.hands):
                assert not lacks[seat] & LIB.cards.as_set(LIB.cards.NUMBER[card] for card in hand)
            seen += any(lacks)
    assert seen > 1000


def test_a_deal_gives_out_what_is_unseen_as_play_has_shown_it():
    random.seed(3)
    for at, _ in positions(range(5)):
        if at.phase == "play":
            lacks, counts = at.voids(), LIB.deals.held(at)
            hands = LIB.deals.deal(at.unseen, lacks, counts, at.seat)
            assert sum(hands) == at.unseen == hands[0] | hands[1] | hands[2] | hands[3]
            for seat in set(range(4)) - {at.seat}:
                assert hands[seat].bit_count() == counts[seat]
                assert not hands[seat] & lacks[seat]


def test_without_anything_known_every_card_is_anywhere_equally_often():
    random.seed(4)
    unseen = LIB.cards.as_set(cards("AS KS 2H 3H 4D 5D"))
    got = [LIB.deals.deal(unseen, [0] * 4, [2] * 4, 0) for _ in range(3000)]
    for card, seat in product(cards("AS 5D"), (1, 2, 3)):
        assert abs(sum(hands[seat] >> card & 1 for hands in got) - 1000) < 5 * 26


def divisions(own):
    """Every way to divide the rest of a suit among three hands, with its number of deals."""
    out = 13 - own
    for lengths in product(range(out + 1), repeat=3):
        if sum(lengths) == out:
            left = [comb(out, lengths[0]), comb(out - lengths[0], lengths[1])]
            rest = comb(39 - out, 13 - lengths[0]) * comb(26 - out + lengths[0], 13 - lengths[1])
            yield lengths, left[0] * left[1] * rest


@pytest.mark.parametrize("opponents", [1, 2, 3])
@pytest.mark.parametrize("own", range(13))
def test_chances_are_what_counting_the_deals_of_three_hands_gives(own, opponents):
    deals = list(divisions(own))
    total = sum(ways for _, ways in deals)
    for more in range(5):
        good = sum(ways for lengths, ways in deals if min(lengths[:opponents]) > more)
        assert LIB.chances.chance(own, more, opponents) == pytest.approx(good / total)


@pytest.mark.parametrize(
    ("own", "more", "printed"),
    [
        (1, 1, 0.942),
        (1, 2, 0.733),
        (2, 0, 0.990),
        (2, 1, 0.907),
        (2, 2, 0.624),
        (5, 1, 0.678),
    ],
)
def test_chances_are_the_papers_within_what_it_simulated(own, more, printed):
    assert LIB.chances.chance(own, more) == pytest.approx(printed, abs=0.0031)


def test_one_figure_of_the_paper_is_off():
    """[Cohensius 2019, table 1]: .489 in print."""
    assert LIB.chances.chance(3, 2) == pytest.approx(0.4947, abs=0.00005)
