"""The expectimax ending: the example of [Bazar Blot n.d.], and what a mean over all deals finds."""

from __future__ import annotations

from fractions import Fraction

import pytest

from card_arena.tables.blot.rules import Options
from card_arena.tests.bots import house
from card_arena.tests.tables.blot_model import card_points, legal_cards, taker

LIB = house.library("blot")
ORDER = LIB.tricks.order_of("S")


def papers_example(counted: str) -> dict[str, Fraction]:
    """The partner has led TC, QC was played on it; the own hand is TS KD, and nothing is known."""
    number, points = ORDER.number, ORDER.points
    unseen_cards = ORDER.mask(["AS", "AH", "TD", "8S"])
    own = ORDER.mask(["TS", "KD"])
    unseen = LIB.unseen.Unseen(2, own, [1, 1, 2, 2], [unseen_cards] * 4)
    ten = number["TC"]
    pot = points[ten] + points[number["QC"]]
    position = LIB.minimax.Position(2, own, ten, ten, 0, pot, 2, LIB.minimax.NOBODY)
    found = LIB.expectimax.expected(ORDER, position, unseen, counted)
    return {ORDER.name[card]: value for card, value in found.items()}


@pytest.mark.parametrize(
    ("counted", "ten", "king"),
    [
        ("later", Fraction(-23, 6), Fraction(-39, 6)),  # as the paper prints it
        ("trick", Fraction(-23, 6), Fraction(-91, 6)),  # with the 13 on the table
    ],
)
def test_the_papers_example_comes_to_what_the_paper_says(counted, ten, king):
    assert papers_example(counted) == {"TS": ten, "KD": king}


def by_the_rules(card: str) -> Fraction:
    """The mean of the example to the end of the deal, from the rules in plain words."""
    unseen, total = ["AS", "AH", "TD", "8S"], 0
    deals = [(a, b) for a in unseen for b in unseen if a != b]
    for partner, opponent in deals:
        last = [one for one in unseen if one not in (partner, opponent)]
        hands = {0: [partner], 1: [opponent], 2: ["TS", "KD"], 3: last}
        total += after(hands, 2, card, 0, ["TC", "QC"])
    return Fraction(total, len(deals))


def after(hands, seat, card, leader, trick) -> int:
    hands = {**hands, seat: [one for one in hands[seat] if one != card]}
    trick, won = [*trick, card], 0
    if len(trick) == 4:
        leader = (leader + taker(trick, "S")) % 4
        won = sum(card_points(one, "S") for one in trick) + 10 * (not hands[leader])
        won, trick = won if leader in (0, 2) else -won, []
        if not hands[leader]:
            return won
    seat = (leader + len(trick)) % 4
    best = max if seat in (0, 2) else min
    legal = legal_cards(hands[seat], trick, "S", Options())
    return won + best(after(hands, seat, one, leader, trick) for one in legal)


def test_to_the_end_of_the_deal_the_king_is_the_better_card():
    """The paper looks no further than its trick: the ten of trumps may take the last one."""
    found = papers_example("deal")
    assert found == {"TS": Fraction(-29, 3), "KD": Fraction(-25, 3)}
    assert found == {card: by_the_rules(card) for card in found}


def test_a_winner_is_kept_where_the_trick_is_lost():
    """The ace of hearts can still take the last trick; the highest card would be the ace."""
    tricks = "0:AC,7C,8C,9C/0:TC,JC,QC,KC/0:AD,8D,9D,KD/0:TD,JD,QD,TS/0:8H,9H,7H,TH/3:AS,JS,7S,8S"
    asked = f"blot play AH,7D 0 3 AH,7D 8N,P,P,P,P 8N@0 - {tricks} 1:KS,QS,9S 0,0 0,0 301".split()
    assert house.program("blot", "v1").answer(asked) == "AH"
    assert house.program("blot", "expectimax").answer(asked) == "7D"
