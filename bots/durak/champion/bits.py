"""Cards as bits of a whole number, so that a hand is a number and takes no loops to compare.

Plain cards come first, by rank, three suits of each; then the trumps by rank. So the lowest bit of
a hand is its lowest card, and every trump is higher than every plain card.
"""

from functools import cache

from lib.table import RANKS, SUITS

TRUMPS = sum(1 << place for place in range(39, 52))


@cache
def bits(trump):
    """Every card's bit where this suit is trumps."""
    plain = [suit for suit in SUITS if suit != trump]
    places = {
        rank + suit: 3 * i + j for i, rank in enumerate(RANKS) for j, suit in enumerate(plain)
    }
    places |= {rank + trump: 39 + i for i, rank in enumerate(RANKS)}
    return {card: 1 << place for card, place in places.items()}


def of_rank(rank):
    """The bits of all four cards of a rank, counted from 0 for the two."""
    return 0b111 << (3 * rank) | 1 << (39 + rank)


def _rank(place):
    return place // 3 if place < 39 else place - 39


def _beating(place):
    if place >= 39:
        return sum(1 << higher for higher in range(place + 1, 52))
    return TRUMPS | sum(1 << higher for higher in range(place + 3, 39, 3))


SAME = {1 << place: of_rank(_rank(place)) for place in range(52)}  # all cards of the card's rank
BEATING = {1 << place: _beating(place) for place in range(52)}  # the cards that beat a card


def single(hand):
    """The cards of a hand, from the lowest."""
    cards = []
    while hand:
        card = hand & -hand
        cards.append(card)
        hand ^= card
    return cards
