"""The cards that a seat has not seen: who can't hold which, and deals of them that could be.

A seat that doesn't follow has none of the suit. If it doesn't trump then, it has no trump, and if
it plays a trump under another that it had to beat, it has no higher one; but nobody must trump
while the partner's card wins. Declarations that were shown, and a belote, say who holds their
cards.

    unseen = look(question)
    unseen.count                 how many deals there are
    unseen.sample(rng)           one of them, all equally likely: four hands, as sets
    for hands in unseen.deals()  every one of them

The inference trusts the default rules. If no deal agrees with it, the table plays by others, and
only what holds under all of them is kept: a seat that doesn't follow has none of the suit.
"""

from functools import cached_property

from lib.tricks import ABOVE, ALL, SUIT, members, order_of, turns


class Unseen:
    """The unseen cards of a question in play, and where they can be.

    `own` is the hand of `seat`, `room` how many cards each other seat holds, and `can_hold` the
    set of the unseen cards that it may hold, by seat.
    """

    def __init__(self, seat, own, room, can_hold):
        self.seat = seat
        self.own = own
        self.others = [(seat + step) % 4 for step in (1, 2, 3)]
        self.room = tuple(room[other] for other in self.others)
        self.can_hold = {other: can_hold[other] for other in self.others}
        everywhere = 0
        for held in self.can_hold.values():
            everywhere |= held
        self.cards = [
            (1 << card, [held >> card & 1 for held in self.can_hold.values()])
            for card in members(everywhere)
        ]

    @cached_property
    def _ways(self):
        """How many deals there are of the cards from each place on, by the room that is left."""
        ways = [{} for _ in self.cards]
        ways.append({(0, 0, 0): 1})
        for place in range(len(self.cards) - 1, -1, -1):
            found = ways[place]
            for left, count in ways[place + 1].items():
                for room in self._steps(place, left, 1):
                    found[room] = found.get(room, 0) + count
        return ways

    def _steps(self, place, room, more):
        """The room that is left where each seat that may hold it has a card more, or less."""
        first, second, third = room
        may = self.cards[place][1]
        if may[0]:
            yield first + more, second, third
        if may[1]:
            yield first, second + more, third
        if may[2]:
            yield first, second, third + more

    @property
    def count(self):
        """How many deals of the unseen cards there are."""
        return self._ways[0].get(self.room, 0)

    def sample(self, rng):
        """One deal, all equally likely, as four sets of cards by seat; `rng` is a `Random`.

        Raises `ValueError` where there is none.
        """
        if not self.count:
            raise ValueError("no deal of the unseen cards agrees with all that was played")
        hands, room, ways = [0, 0, 0], list(self.room), self._ways
        left = self.count
        for place, (card, may) in enumerate(self.cards):
            draw = rng.randrange(left)
            for other in range(3):
                if may[other] and room[other]:
                    room[other] -= 1
                    left = ways[place + 1].get(tuple(room), 0)
                    if draw < left:
                        hands[other] |= card
                        break
                    draw -= left
                    room[other] += 1
        return self._seated(hands)

    def deals(self):
        """Every deal, as four sets of cards by seat."""
        return map(self._seated, self._deals(0, self.room, (0, 0, 0)))

    def _deals(self, place, room, hands):
        if room not in self._ways[place]:
            return
        if place == len(self.cards):
            yield hands
            return
        card, may = self.cards[place]
        for other in range(3):
            if may[other] and room[other]:
                less = tuple(left - (other == one) for one, left in enumerate(room))
                more = tuple(held | card * (other == one) for one, held in enumerate(hands))
                yield from self._deals(place + 1, less, more)

    def _seated(self, hands):
        seated = [self.own] * 4
        for other, hand in zip(self.others, hands, strict=True):
            seated[other] = hand
        return tuple(seated)


def look(question):
    """Find out about the unseen cards of a question in play."""
    order = order_of(question.contract.strain)
    tricks = (*question.history, question.trick)
    played = [order.mask(trick.cards) for trick in tricks]
    own = order.mask(question.hand)
    free = ALL & ~own & ~sum(played)
    on_table = [(question.trick.leader + place) % 4 for place in range(len(question.trick.cards))]
    room = [8 - len(question.history) - (seat in on_table) for seat in range(4)]
    for barred in (_barred(order, tricks), _barred(order, tricks, careful=True)):
        holds = [free & ~cards for cards in barred]
        _place(holds, _shown(question, order), free)
        unseen = Unseen(question.seat, own, room, holds)
        if unseen.count:
            break
    return unseen


def _barred(order, tricks, careful=False):
    """The cards that each seat can't hold after what it has played, by seat.

    With `careful` nothing follows from what is only forbidden by some tables.
    """
    barred = [0] * 4
    for trick in tricks:
        for seat, card, led, best, winner in turns(order, trick):
            if led is None:
                continue
            if card & 24 != led & 24:
                barred[seat] |= SUIT[led]
            trumped = order.trumps >> card & 1
            followed = card & 24 == led & 24
            must_trump = not followed and (seat - winner) % 4 != 2
            if careful or not (must_trump or (trumped and followed)):
                continue
            if not trumped:
                barred[seat] |= order.trumps
            elif card < best:
                barred[seat] |= order.trumps & ABOVE[best]
    return barred


def _shown(question, order):
    """The cards that each seat has shown, by seat."""
    shown = [0] * 4
    for declaration in question.declarations:
        shown[declaration.seat] |= order.mask(declaration.cards)
    return shown


def _place(holds, shown, free):
    """Let nobody else hold what a seat has shown and not played."""
    for seat, cards in enumerate(shown):
        for other in range(4):
            if other != seat:
                holds[other] &= ~(cards & free)
