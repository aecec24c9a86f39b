"""Minimax on open hands: right about small endings, and better than cards at random."""

from __future__ import annotations

import random
from functools import partial

import pytest

from card_arena.tables.blot.phases import Playing
from card_arena.tables.blot.rules import Finished, winner
from card_arena.tables.cards import card
from card_arena.tables.encoding import words
from card_arena.tests.bots import house
from card_arena.tests.bots.blot_positions import dealt, later

LIB = house.library("blot")
program = partial(house.program, "blot")


def worth(phase, side: int, plies: int, theirs: int) -> int:
    """What a side comes to by the arena's rules: everything is tried, and nothing cut.

    Its points of the whole deal less `theirs` times those of the others, where a side that took
    all tricks has 252.
    """
    if isinstance(phase, Finished) or not plies:
        points = list(phase.points)
        for swept in sweeper(phase):
            points[swept] = 252
        return points[side] - theirs * points[1 - side]
    after = [
        worth(phase.put(card), side, plies - 1, theirs)
        for card in phase.legal_actions(phase.to_act).actions
    ]
    return max(after) if phase.to_act % 2 == side else min(after)


def sweeper(phase) -> set[int]:
    """The side that took all tricks of a finished deal, or none."""
    takers = set()
    for trick in phase.history.split("/") if isinstance(phase, Finished) else ():
        leader, _, cards = trick.partition(":")
        played = [card(name) for name in cards.split(",")]
        takers.add((int(leader) + winner(played, phase.contract.bid.strain)) % 2)
    return takers if len(takers) == 1 else set()


@pytest.mark.parametrize("theirs", [0, 1])
def test_values_are_those_of_a_search_that_cuts_nothing(theirs):
    """The last three tricks to the end, and less far, from every place in a trick."""
    rng = random.Random(1)
    for _ in range(60):
        phase = later(rng, rng.randrange(20, 32))
        plies = rng.choice([1, 2, 3, 4, 5, 6, 8, 12])
        question = LIB.table.parse(words(phase.question(phase.to_act)))
        order = LIB.tricks.order_of(question.contract.strain)
        hands = [order.mask(hand) for hand in question.hands]
        search = LIB.minimax.Search(order, theirs)
        found = search.values(LIB.minimax.standing_at(order, question), hands, plies)
        side = phase.to_act % 2
        so_far = phase.points[side] - theirs * phase.points[1 - side]
        expected = {
            str(card): worth(phase.put(card), side, plies - 1, theirs) - so_far
            for card in phase.legal_actions(phase.to_act).actions
        }
        assert max(found.values()) == max(expected.values())
        for number, value in found.items():
            assert value == expected[order.name[number]]


@pytest.mark.parametrize(("sixth", "value"), [("TH,JH,QH,KH", 138), ("KH,JH,QH,TH", 48)])
def test_a_side_that_can_take_all_tricks_counts_all_252(sixth, value):
    """At no-trump the last spades are 38 and the last trick 10; that no trick was lost is 90."""
    tricks = "0:AC,7C,8C,9C/0:TC,JC,QC,KC/0:AD,7D,8D,9D/0:TD,JD,QD,KD/0:AH,7H,8H,9H/0:" + sixth
    hands = "AS,TS/9S,8S/7S,JS/KS,QS"
    text = f"blot play AS,TS 0 3 AS,TS 8N,P,P,P,P 8N@0 - {tricks} - 0,0 0,0 301 {hands}"
    question = LIB.table.parse(text.split())
    order = LIB.tricks.order_of("N")
    position = LIB.minimax.standing_at(order, question)
    sets = [order.mask(hand) for hand in question.hands]
    found = LIB.minimax.Search(order).values(position, sets, 8)
    assert found == {order.number["AS"]: value, order.number["TS"]: value}


def rounds_won(name: str, deals: int, played: int) -> float:
    """The share of deals in which a bot's side takes more points than cards at random.

    The first cards are played at random by both, and only the rest counts.
    """
    rng, bot, won = random.Random(2), program(name), 0
    for deal in range(deals):
        phase, side = later(rng, played), deal % 2
        before = phase.points
        while isinstance(phase, Playing):
            if phase.to_act % 2 == side:
                asked = list(words(phase.question(phase.to_act)))
                card = phase.read(bot.answer(asked))
                assert card in phase.legal_actions(phase.to_act)
                phase = phase.put(card)
            else:
                phase = phase.put(phase.legal_actions(phase.to_act).sample(rng))
        ours, theirs = (now - was for now, was in zip(phase.points, before, strict=True))
        won += (ours > theirs) == (side == 0)
    return won / deals


def test_a_card_ahead_in_each_hand_wins_at_least_60_rounds_of_100_against_random():
    """In truth some 75; the standard error is 4."""
    assert rounds_won("one-hand", 150, 0) >= 0.6


def test_three_cards_ahead_in_each_hand_do_so_with_half_of_the_cards_played():
    assert rounds_won("three-hand", 100, 16) >= 0.6


def test_where_the_hands_are_hidden_it_plays_its_highest_card():
    phase = dealt(random.Random(3))
    hidden = list(words(phase.question(phase.to_act)))[:-1]
    assert program("one-hand").answer(hidden) == program("v1").answer(hidden)


def test_of_equal_cards_it_plays_the_one_that_counts_least():
    """The last but one trick is lost with either card."""
    tricks = "0:AC,7C,8C,9C/0:TC,JC,QC,KC/0:AD,7D,8D,9D/0:TD,JD,9S,TS/0:AH,7H,8H,9H/0:TH,JH,QH,KH"
    text = f"blot play KD,QD 0 3 KD,QD 8N,P,P,P,P 8N@0 - {tricks} 1:AS,7S,KS 0,0 0,0 301"
    assert program("one-hand").answer(f"{text} KD,QD/8S/JS/QS".split()) == "QD"
