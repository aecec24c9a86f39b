"""What a hand is worth, and what to do to keep the hand that is worth most.

The numbers are those of the article *A game (not) for fools* [Fools n.d.] and of its program
[OpenFool 2017]. Where a number is cut to a whole one, it is cut towards zero, as there, and
floating-point numbers are divided and multiplied in its order: a point more or less hangs on that.
"""

from collections import Counter
from typing import NamedTuple

from lib.table import RANKS, SUITS


class Reading(NamedTuple):
    """How the formula is read where what is written can hardly be what was meant.

    `equals` is what the bonus for equal ranks is multiplied by; `whole` whether a hand's share of
    the cards in play is a whole number, which makes it 0 for all but the very largest hands.
    """

    equals: int
    whole: bool


LITERAL = Reading(equals=1, whole=True)
INTENDED = Reading(equals=100, whole=False)

EMPTY = 30000  # no cards and no talon: the game is won
BONUS = (0, 0, 0.5, 0.75, 1.25)  # for so many cards of one rank
PAIRING = (0, 0, 1, 1.5, 2.5)  # the same, for an attack with one of them


class Worth:
    """Puts a number on hands at one table, by one reading of the formula."""

    def __init__(self, table, reading=LITERAL):
        self.table, self.reading = table, reading
        ranks = table.ranks
        middle = (len(ranks) - 1) / 2
        self.height = {rank: place - middle for place, rank in enumerate(ranks)}
        self.plain = [suit for suit in SUITS if suit != table.trump]

    def of(self, hand):
        """What a hand is worth: high cards, trumps, equal ranks, few cards, and even suits."""
        if not hand and not self.table.talon:
            return EMPTY
        value = sum(100 * self.height[rank] for rank, _ in hand)
        suits = Counter(suit for _, suit in hand)
        value += 1300 * suits[self.table.trump]
        for rank, count in Counter(rank for rank, _ in hand).items():
            value += int(max(self.height[rank], 1) * BONUS[count] * self.reading.equals)
        even = (len(hand) - suits[self.table.trump]) / 3
        if even:
            for suit in self.plain:
                deviation = abs((suits[suit] - even) / even)
                value -= int(200 * deviation)
        return value + int((0.25 - self._share(len(hand))) * 600)

    def _share(self, cards):
        """These cards' part of those that others hold or will draw.

        With cards from the table among them they can be more than all that the question counts:
        then the share is below zero, and is cut towards it.
        """
        others = self.table.talon + sum(self.table.sizes) - cards
        if not others:
            return 10
        return int(cards / others) if self.reading.whole else cards / others

    def without(self, *cards):
        """What the own hand is worth when these cards have left it."""
        return self.of([card for card in self.table.hand if card not in cards])

    def laid(self, card):
        """What it is worth to attack with a card: the rest, and the others of its rank."""
        count = sum(other[0] == card[0] for other in self.table.hand)
        height = 6 if card[0] == "A" else RANKS.index(card[0]) - 6
        return self.without(card) + 100 * PAIRING[count] * height


def decide(table, reading=LITERAL):
    """Choose the legal answer that leaves the hand that is worth most."""
    worth = Worth(table, reading)
    if table.phase == "defend":
        return transfer(table, worth) or defend(table, worth)
    best = max(table.cards, key=worth.laid)
    if table.phase == "attack":
        return best
    loss = worth.of(table.hand) - worth.laid(best)
    return best if loss < 1200 - 50 * table.talon else "done"


def transfer(table, worth):
    """Pass the attack on where the hand without the rank is not worth much less, else None."""
    same = [word[5:] for word in table.legal if word.startswith("pass:")]
    if not same:
        return None
    plain = [card for card in same if card[1] != table.trump] or same
    if max(worth.without(*same), worth.without(*plain)) <= worth.of(table.hand) - 400:
        return None
    return "pass:" + max(plain, key=worth.without)


def defend(table, worth):
    """Beat the card where that costs little, or less than to take; without a talon always.

    A card whose rank lies on the table already is the better one, since it lets nobody throw in
    more than before.
    """
    ranks = {card[0] for card in table.laid}

    def kept(card):
        return worth.without(card) + 300 * (card[0] in ranks)

    if not table.cards:
        return "take"
    best = max(table.cards, key=kept)
    now, taken = worth.of(table.hand), worth.of(table.hand + table.laid)
    cheap = now - kept(best) < 800 or taken - kept(best) < 2000 - 40 * table.talon
    return best if cheap or not table.talon else "take"
