"""The rules of a trick, for programs that try out millions of them.

A card is a number from 0 to 31 and a set of cards a number of 32 bits. Which number a card has
follows from the contract: eight to a suit, the stronger card the higher, trumps above all others.
So of two cards that can win, the higher wins, and the cards that beat another are a shift away.

    order = order_of("S")
    order.number["9S"], order.name[30], order.points[30]      30, "9S", 14
    order.mask(["9S", "7S"])                                  1 << 30 | 1 << 24

The rules are those that a table has where its options say nothing: a trump that was led must be
beaten; a hand without the suit must trump, and over the trumps that lie there, else under them;
but not while the partner's card wins.
"""

from functools import cache
from typing import NamedTuple

LAST_TRICK = 10
ALL = (1 << 32) - 1

TRUMP_POINTS = {"7": 0, "8": 0, "Q": 3, "K": 4, "T": 10, "A": 11, "9": 14, "J": 20}
PLAIN_POINTS = {"7": 0, "8": 0, "9": 0, "J": 2, "Q": 3, "K": 4, "T": 10, "A": 11}
NO_TRUMP_POINTS = {**PLAIN_POINTS, "A": 19}
"""What a card counts, from the weakest on, by its rank."""


class Order(NamedTuple):
    """The 32 cards under one contract, by number: their names, and the points they count.

    `trumps` is the set of trumps, empty at no-trump.
    """

    name: tuple
    number: dict
    points: tuple
    trumps: int

    def mask(self, cards):
        """The set of these cards, given by name."""
        number = self.number
        return sum([1 << number[card] for card in cards])

    def names(self, mask):
        """The names of a set of cards, the weakest first."""
        return [self.name[card] for card in members(mask)]


@cache
def order_of(strain):
    """The order of the cards with these trumps, one of C, D, H, S, or N without."""
    suits = [suit for suit in "CDHS" if suit != strain] + [strain] * (strain != "N")
    name, points = [], []
    for suit in suits:
        plain = NO_TRUMP_POINTS if strain == "N" else PLAIN_POINTS
        for rank, worth in (TRUMP_POINTS if suit == strain else plain).items():
            name.append(rank + suit)
            points.append(worth)
    number = {card: place for place, card in enumerate(name)}
    return Order(tuple(name), number, tuple(points), 0 if strain == "N" else 0xFF000000)


def members(mask):
    """The cards of a set, the lowest number first."""
    while mask:
        card = mask & -mask
        yield card.bit_length() - 1
        mask ^= card


SUIT = tuple(0xFF << (card & 24) for card in range(32))
"""The suit of each card, as a set."""

ABOVE = tuple(ALL >> (card + 1) << (card + 1) for card in range(32))
"""The cards of a higher number than each card."""


def beats(card, best, trumps):
    """Say whether a card takes a trick from the best one so far."""
    return card > best and (card & 24 == best & 24 or trumps >> card & 1 == 1)


def playable(hand, led, best, partner_wins, trumps):
    """The set of cards of a hand that may be played to a trick.

    `led` is the first card on the table, None for the leader; `best` is the one that wins so far.
    """
    if led is None:
        return hand
    suit = hand & SUIT[led]
    if suit:
        if trumps >> led & 1:
            return suit & ABOVE[best] or suit
        return suit
    held = hand & trumps
    if not held or partner_wins:
        return hand
    return held & ABOVE[best] or held


class Turn(NamedTuple):
    """A card as it was played: by whom, what was led, which card won then and whose it was.

    For the leader `led`, `best` and `winner` are None. All cards are numbers.
    """

    seat: int
    card: int
    led: int | None
    best: int | None
    winner: int | None


def turns(order, trick):
    """The cards of a trick of the question's, one after the other, as turns."""
    led = best = winner = None
    for place, name in enumerate(trick.cards):
        seat, card = (trick.leader + place) % 4, order.number[name]
        yield Turn(seat, card, led, best, winner)
        led, best, winner = after(led, best, winner, seat, card, order.trumps)


def after(led, best, winner, seat, card, trumps):
    """What is led, which card wins and whose it is, when one more card was played."""
    if led is None:
        return card, card, seat
    return (led, card, seat) if beats(card, best, trumps) else (led, best, winner)


def standing(order, trick):
    """What a trick of the question's has come to: led, best, winner (None of an empty one)."""
    state = None, None, None
    for turn in turns(order, trick):
        state = after(*turn[2:], turn.seat, turn.card, order.trumps)
    return state
