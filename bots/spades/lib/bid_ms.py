"""MS: a bidder of [Cohensius 2019], with RB's nils."""

from lib.bid_rb import bids_nil
from lib.cards import ACE, KING, QUEEN, SIDE_SUITS, SPADES, ranks_of


def bid(table):
    """Bid nil where RB would, else count aces, kings, the queen of spades and long spades."""
    return 0 if bids_nil(table) else max(1, count(table.hand))


def count(hand):
    """Count the tricks of a hand; it may come to less than one."""
    sides = [ranks_of(hand, suit) for suit in SIDE_SUITS]
    spades = ranks_of(hand, SPADES)
    tricks = sum(ACE in ranks for ranks in (*sides, spades))
    tricks += sum(KING in ranks and len(ranks) > 1 for ranks in (*sides, spades))
    tricks += QUEEN in spades and (len(spades) > 2 or (len(spades) == 2 and ACE in spades))
    tricks += max(0, len(spades) - 3)
    tricks -= len(spades) <= 1
    tricks += len(spades) == 3 and any(len(ranks) <= 1 for ranks in sides)
    return tricks
