"""RB: the rule-based bidder that BIS is compared with [Cohensius 2019, section 5.1].

Its nil classifier is published. Its table of card values is not; those of `regular_takes` stand in
for it.
"""

from lib.cards import ACE, JACK, KING, QUEEN, SIDE_SUITS, SPADES, ranks_of
from lib.chances import chance

HIGH_SPADES = {ACE: (1, 1.0), KING: (2, 0.95), QUEEN: (3, 0.8), JACK: (4, 0.5)}
"""What a high spade is worth, and in how long a suit."""

LOW_ENOUGH = (3, 6, 8)
"""The ranks 5, 8 and T: how high the three lowest cards of a suit may be for a nil."""


def bid(table):
    """Bid nil with a hand that the classifier accepts, else the values of the cards, rounded."""
    if bids_nil(table):
        return 0
    return max(1, int(regular_takes(table.hand) + 0.5))


def bids_nil(table):
    """Say whether a hand is low enough and the partner has not bid nil: 1.41 % of hands are."""
    return table.bids[table.partner] != 0 and is_low(table.hand)


def is_low(hand):
    """Say whether there are at most three spades and the lowest cards of every suit are low."""
    if len(ranks_of(hand, SPADES)) > 3:
        return False
    return all(
        rank <= most
        for suit in range(4)
        for rank, most in zip(ranks_of(hand, suit)[::-1], LOW_ENOUGH)
    )


def regular_takes(hand):
    """Add up what the cards are worth, by suit and length."""
    takes = 0.0
    for suit in SIDE_SUITS:
        ranks = ranks_of(hand, suit)
        length = len(ranks)
        if ACE in ranks:
            takes += chance(length, 0)
        if KING in ranks and length >= 2:
            takes += 0.8 * chance(length, 1)
        if QUEEN in ranks and length >= 3:
            takes += 0.4 * chance(length, 2)
    spades = ranks_of(hand, SPADES)
    for place, rank in enumerate(spades, start=1):
        needed, value = HIGH_SPADES.get(rank, (14, 0.0))
        by_rank = value if len(spades) >= needed else 0.15
        takes += max(by_rank, 0.8 if place > 4 else 0.6 if place == 4 else 0.15)
    return takes
