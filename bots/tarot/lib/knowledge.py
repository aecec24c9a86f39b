"""What a seat can be sure of about the cards that it does not see.

Every hidden card may lie in some places: the other seats' hands, and ASIDE, where the discard or
the dog is. A place is struck out only where the rules say that the card can't lie there, so the
true deal is always among those that are left.
"""

from lib.cards import BOUTS, EXCUSE, KINGS, PACK, SUIT, TRUMPS
from lib.play import HAND

ASIDE = 3
"""The place of the discard under petite and garde, and of the dog under sans and contre."""
PUT_AWAY = 6


class Knowledge:
    """Where the hidden cards of a question of the play may lie.

    `places[card]` is the set of places that are possible for each hidden card; `room[place]` how
    many hidden cards lie there. Cards in `aside` are known to have been put away.
    """

    def __init__(self, question):
        """Draw every conclusion that the question allows."""
        self.aside = question.discard
        seen = {*question.hand, *question.played, *question.discard}
        others = {seat for seat in range(3) if seat != question.seat}
        unseen_aside = not (question.alone and question.takes_dog)
        everywhere = others | {ASIDE} if unseen_aside else others
        self.places = {card: set(everywhere) for card in PACK if card not in seen}
        self.room = {seat: HAND - count for seat, count in _played_by(question) if seat in others}
        if unseen_aside:
            self.room[ASIDE] = PUT_AWAY - len(question.discard)
        if question.takes_dog and not question.alone:
            self._learn_from_dog(question)
        for seat, shown in question.shown:
            self._learn_from_poignee(seat, shown)
        for trick in (*question.history, question.trick):
            self._learn_from_trick(trick)

    def _strike(self, place, holds):
        """Strike a place out for all cards of which `holds(card)` is true."""
        for card, places in self.places.items():
            if holds(card):
                places.discard(place)

    def _learn_from_dog(self, question):
        """What a defender knows of the dog that the taker took, and of what it put away.

        Kings and bouts are never put away, and trumps are shown. Where trumps were, there were
        too few other cards: the taker has put away all that it had but kings.
        """
        taker, partner = question.taker, 3 - question.taker - question.seat
        kept = KINGS | BOUTS
        self._strike(ASIDE, lambda card: card in kept or SUIT[card] == TRUMPS)
        self._strike(partner, question.dog.__contains__)
        if question.discard:
            self._strike(taker, lambda card: card not in kept and SUIT[card] != TRUMPS)

    def _learn_from_poignee(self, seat, shown):
        """The cards shown are there; with the Excuse among them there were no other trumps."""
        for card in shown:
            if card in self.places:
                self.places[card] &= {seat}
        if EXCUSE in shown:
            self._strike(seat, lambda card: SUIT[card] == TRUMPS and card not in shown)

    def _learn_from_trick(self, trick):
        """A seat that does not follow is void; one that does not overtrump has no higher trump."""
        led, highest = None, -1
        for place, card in enumerate(trick.cards):
            if card == EXCUSE:
                continue
            seat, suit = (trick.leader + place) % 3, SUIT[card]
            if led is None:
                led = suit
            elif suit != led or suit == TRUMPS:
                self._learn_from_card(seat, card, led, highest)
            if suit == TRUMPS:
                highest = max(highest, card)

    def _learn_from_card(self, seat, card, led, highest):
        if SUIT[card] != led:
            self._strike(seat, lambda other: SUIT[other] == led)
        if SUIT[card] != TRUMPS:
            self._strike(seat, lambda other: SUIT[other] == TRUMPS)
        elif card < highest:
            self._strike(seat, lambda other: SUIT[other] == TRUMPS and other > highest)


def _played_by(question):
    counts = dict.fromkeys(range(3), 0)
    for trick in (*question.history, question.trick):
        for place in range(len(trick.cards)):
            counts[(trick.leader + place) % 3] += 1
    return counts.items()
