"""The bidders of [Cohensius 2019], held against what it prints."""

from __future__ import annotations

import pytest

from card_arena.tests.bots.spades_hands import FIGURE_1, LOW, hands
from card_arena.tests.bots.spades_lib import LIB, cards, table


def bid_of(bidder, hand, partner="-"):
    return bidder.bid(table("bid", hand, dealer=1, bids=f"-,-,{partner},-"))


@pytest.mark.parametrize(("bidder", "bid"), [("io", 5), ("ms", 6)])
def test_the_papers_first_hand(bidder, bid):
    assert bid_of(getattr(LIB, f"bid_{bidder}"), FIGURE_1) == bid


@pytest.mark.parametrize(
    ("hand", "tricks"),
    [
        ("3S 2S AH AD AC 9H 8H 7H 6D 5D 4D 3C 2C", 3),  # aces
        ("3S 2S KH KD 9D 9H 8H 7H 6D 5D 4D 3C 2C", 2),  # kings that are not alone
        ("3S 2S KH 9D 8D 7D 6D 5D 4D 5C 4C 3C 2C", 0),  # a king alone
        ("QS 2S 3H 9D 8D 7D 6D 5D 4D 5C 4C 3C 2C", 0),  # an unguarded queen
        ("AS QS 3H 9D 8D 7D 6D 5D 4D 5C 4C 3C 2C", 2),
        ("QS 3S 2S 9D 8D 7D 6D 5D 4H 5C 4C 3C 2C", 2),  # three spades beside a singleton
        ("QS 3S 2S 9D 8D 7D 6D 5H 4H 5C 4C 3C 2C", 1),
        ("6S 5S 4S 3S 2S 7D 6D 5H 4H 5C 4C 3C 2C", 2),  # spades beyond the third
        ("2S KD KH 7D 6D 5H 4H 3D 6C 5C 4C 3C 2C", 1),  # hardly a spade
    ],
)
def test_ms_counts(hand, tricks):
    assert LIB.bid_ms.count(cards(hand)) == tricks


def test_ms_bids_one_at_least():
    assert bid_of(LIB.bid_ms, "3S 2S KH 9D 8D 7D 6D 5D 4D JC TC 9C 8C") == 1


@pytest.mark.parametrize("bidder", ["ms", "rb"])
@pytest.mark.parametrize(
    ("hand", "partner", "is_nil"),
    [
        (LOW, "-", True),
        (LOW, "3", True),
        (LOW, "0", False),
        ("JC 3C 2C JH TH 9H 8H 7H 6H 5H 4H 3H 2H", "-", False),
        ("5S 4S 3S 2S 5H 4H 3H 2H 5D 4D 3D 2D 2C", "-", False),
    ],
)
def test_a_nil_is_bid_with_low_cards_in_every_suit(bidder, hand, partner, is_nil):
    assert (bid_of(getattr(LIB, f"bid_{bidder}"), hand, partner) == 0) is is_nil


def test_rb_would_bid_nil_with_one_hand_in_seventy():
    """The classifier takes 1.41 % of all hands; .0024 is four standard errors here."""
    count = 40_000
    low = sum(map(LIB.bid_rb.is_low, hands(count, seed=1)))
    assert low / count == pytest.approx(0.0141, abs=0.0024)


def test_four_rbs_bid_what_the_papers_players_do():
    """10.55 tricks a table in the paper; the values that stand in for RB's make it 10.7."""
    bids = [
        bid_of(LIB.bid_rb, " ".join(map(LIB.cards.NAMES.__getitem__, h))) for h in hands(3000, 2)
    ]
    assert 4 * sum(bids) / len(bids) == pytest.approx(10.65, abs=0.3)
