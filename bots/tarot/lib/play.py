"""The play of the cards as a search needs it: legal cards, tricks, points, and random roll-outs.

A hand is six lists of cards, one a suit (`lib.cards.by_suit`). A `Position` is changed by every
card that is played on it, so a search copies it, or makes a new one, for each of its games. Rules
that a table may vary are taken as the official ones.
"""

import random

from lib.cards import BOUTS, EXCUSE, EXCUSES, PETIT, SUIT, TRUMPS, WORTH

HAND = TRICKS = 24
MULTIPLIERS = {"petite": 1, "garde": 2, "sans": 4, "contre": 6}
NEEDED = (112, 102, 82, 72)
"""The half points that a taker needs with no, one, two and three bouts."""
POIGNEES = {10: 20, 13: 20, 15: 30, 18: 40}
"""What a poignée is worth, by its number of cards; ten make one at some tables."""


def led_suit(trick):
    """The suit to be followed, None before there is one: the Excuse leaves it to the next card."""
    for card in trick:
        if card != EXCUSE:
            return SUIT[card]
    return None


def legal(hand, trick):
    """The cards of a hand that may follow these cards of a trick; no list of the hand itself."""
    led = led_suit(trick)
    if led is None:
        return [card for suit in hand for card in suit]
    if led != TRUMPS and hand[led]:
        return hand[led] + hand[EXCUSES]
    trumps = hand[TRUMPS]
    if trumps:
        highest = max([card for card in trick if card != EXCUSE])
        return ([card for card in trumps if card > highest] or trumps) + hand[EXCUSES]
    return [card for suit in hand for card in suit]


def winning_place(trick):
    """The place of the card that takes a trick so far; one of the Excuse alone is the first."""
    led, best, place = led_suit(trick), -1, 0
    for at, card in enumerate(trick):
        if best < card < EXCUSE and (SUIT[card] == led or SUIT[card] == TRUMPS):
            best, place = card, at
    return place


class Position:
    """A deal being played: three hands, the trick on the table, and the taker's gains so far.

    `half_points` and `bouts` are what the taker has, `swept` how many tricks, of `finished`.
    `petit` is +1 or -1 once the taker or the defence has the petit home in the last trick.
    """

    __slots__ = (
        *("hands", "leader", "trick", "taker", "half_points", "bouts", "swept", "finished"),
        *("petit", "petit_before"),
    )

    def __init__(self, hands, leader, taker):
        """Begin a deal's play; `hands` are changed as cards are played."""
        self.hands, self.leader, self.taker = hands, leader, taker
        self.trick = []
        self.half_points = self.bouts = self.swept = self.finished = 0
        self.petit = self.petit_before = 0

    def copy_with(self, hands):
        """The same tricks and gains over other hands."""
        other = Position(hands, self.leader, self.taker)
        other.trick = self.trick[:]
        other.half_points, other.bouts = self.half_points, self.bouts
        other.swept, other.finished = self.swept, self.finished
        other.petit, other.petit_before = self.petit, self.petit_before
        return other

    @property
    def to_act(self):
        """The seat that plays the next card."""
        return (self.leader + len(self.trick)) % 3

    def count(self, cards):
        """Count cards for the taker that were put aside: its discard, or the dog."""
        for card in cards:
            self.half_points += WORTH[card]
            self.bouts += card in BOUTS

    def play(self, card):
        """Play a card out of the hand of the seat to act."""
        self.hands[(self.leader + len(self.trick)) % 3][SUIT[card]].remove(card)
        self.put(card)

    def put(self, card):
        """Put a card on the table that is in nobody's hand, such as one played long ago."""
        trick = self.trick
        trick.append(card)
        if len(trick) == 3:
            self._take(trick)
            self.trick = []

    def _take(self, trick):
        leader, taker = self.leader, self.taker
        self.finished += 1
        last = self.finished == TRICKS
        winner = (leader + winning_place(trick)) % 3
        if last and trick[0] == EXCUSE and leader == taker and self.swept == TRICKS - 1:
            winner = taker
        won = winner == taker
        if last:
            self._bring_home(trick, winner)
        elif self.finished == TRICKS - 1 and PETIT in trick:
            self.petit_before = 1 if won else -1
        self.swept += won
        for place, card in enumerate(trick):
            if card == EXCUSE:
                share = excuse_share((leader + place) % 3, winner, taker, last)
                self.half_points += share
                self.bouts += share >= 8
            elif won:
                self.half_points += WORTH[card]
                self.bouts += card in BOUTS
        self.leader = winner

    def _bring_home(self, trick, winner):
        """The petit in the last trick; where the Excuse ends a chelem, in the one before."""
        if trick[0] == EXCUSE and winner == self.leader == self.taker:
            self.petit = self.petit_before
        elif PETIT in trick:
            self.petit = 1 if winner == self.taker else -1

    def roll_out(self, random=random.random):
        """Play all remaining cards at random, each legal one alike."""
        while self.finished < TRICKS:
            hand = self.hands[(self.leader + len(self.trick)) % 3]
            self.put(_random_card(hand, self.trick, random))

    def price(self, contract, *, poignees=0, chelem=False, defence_chelem=False):
        """What each defender pays the taker when all cards are played; negative: what it gets.

        `poignees` is the sum of all shown; the other two say who announced all tricks.
        """
        multiplier, over = MULTIPLIERS[contract], self.half_points - NEEDED[self.bouts]
        sign = 1 if over >= 0 else -1
        if self.swept == TRICKS:
            extra = 400 if chelem else 200
        elif not self.swept:
            extra = -400 if defence_chelem else -200
        else:
            extra = 200 * defence_chelem - 200 * chelem
        extra += 10 * multiplier * self.petit + sign * poignees
        return sign * (25 + (abs(over) + 1) // 2) * multiplier + extra


def excuse_share(player, winner, taker, last):
    """The half points of the Excuse that the taker gets; with 8 or 9 the bout is the taker's.

    It stays with the side that played it, which gives half a point for it where the other side
    took the trick. In the last trick it changes sides, unless it won the trick itself.
    """
    own, won = player == taker, winner == taker
    if last and player != winner:
        return 0 if own else 9
    if own == won:
        return 9 * own
    return 8 if own else 1


def _random_card(hand, trick, random):
    """Take a random legal card out of a hand."""
    led = None
    for card in trick:
        if card != EXCUSE:
            led = SUIT[card]
            break
    if led is not None:
        excuse = hand[EXCUSES]
        if led != TRUMPS and hand[led]:
            held = hand[led]
            if excuse and random() * (len(held) + 1) < 1:
                return excuse.pop()
            return _taken(held, int(random() * len(held)))
        trumps = hand[TRUMPS]
        if trumps:
            highest = max(trick)
            if highest == EXCUSE:
                highest = min(trick)
            over = [card for card in trumps if card > highest] or trumps
            at = int(random() * (len(over) + len(excuse)))
            if at == len(over):
                return excuse.pop()
            card = over[at]
            trumps.remove(card)
            return card
    clubs, diamonds, hearts, spades, trumps, excuse = hand
    at = int(
        random()
        * (len(clubs) + len(diamonds) + len(hearts) + len(spades) + len(trumps) + len(excuse))
    )
    for held in hand:
        if at < len(held):
            return _taken(held, at)
        at -= len(held)
    raise AssertionError("a seat that is to play has cards")


def _taken(held, at):
    """Take the card at a place out of a list whose order says nothing."""
    card = held[at]
    held[at] = held[-1]
    held.pop()
    return card
