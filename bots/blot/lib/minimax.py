"""Minimax with alpha-beta on open hands: what each card comes to if everybody plays well.

The idea is that of [Bazar Blot n.d.], the search that of [Knuth 1975].

    position = standing_at(order, question)
    Search(order).values(position, hands, plies=12)      {card: points to come, ours less theirs}

A value counts card points from here on: the trick on the table, the last trick's ten, and 252 for
a side that takes all eight. What a deal scores never falls when the points rise, so a side
that plays for points to the end of the deal plays for the score, whatever the contract.
"""

from typing import NamedTuple

from lib.tricks import ABOVE, LAST_TRICK, SUIT, members, order_of, standing

EITHER, NOBODY = 2, 3
CAPOT = 252 - 162
FAR = 1000
"""More than any value."""


class Position(NamedTuple):
    """Whose turn it is, and in which trick: cards are numbers, `legal` is a set.

    `led`, `best` and `winner` are the first card of the trick, the one that wins and its seat, or
    None; `pot` the points on the table, `left` the cards that are still to come to the trick.
    `sweeper` is the side, 0 or 1, that has taken all tricks so far, or `EITHER` or `NOBODY`.
    """

    seat: int
    legal: int
    led: int | None
    best: int | None
    winner: int | None
    pot: int
    left: int
    sweeper: int


def standing_at(order, question):
    """The position of a question in play."""
    led, best, winner = standing(order, question.trick)
    pot = sum(order.points[order.number[card]] for card in question.trick.cards)
    takers = {standing(order, trick)[2] % 2 for trick in question.history}
    sweeper = EITHER if not takers else NOBODY if len(takers) == 2 else takers.pop()
    legal, left = order.mask(question.cards), 4 - len(question.trick.cards)
    return Position(question.seat, legal, led, best, winner, pot, left, sweeper)


def open_card(question, plies):
    """The best card on a table with open hands, `plies` cards ahead: the answer to give.

    Where that is not to the end of the deal, only the points that the own side takes count. Of
    equal cards it is the one that counts least.
    """
    order = order_of(question.contract.strain)
    hands = [order.mask(hand) for hand in question.hands]
    to_the_end = plies >= sum(hand.bit_count() for hand in hands)
    search = Search(order, theirs=int(to_the_end))
    values = search.values(standing_at(order, question), hands, plies)
    return question.say(order.name[cheapest_best(order, values)])


def cheapest_best(order, values):
    """Of the cards with the highest value the one that counts least, and the weakest of these."""
    return max(values, key=lambda card: (values[card], -order.points[card], -card))


class Search:
    """A search under one contract, which can be used for one deal after the other.

    `theirs` is what a point of the opponents counts against one's own: with 0 only points taken
    count, not those lost. That differs only where the search doesn't reach the end of the deal.

    A position inside is a row of arguments and one list of hands, which each card is taken from and
    put back into: objects would take longer to make than to search. `sweeper` is as in `Position`.
    """

    def __init__(self, order, theirs=1):
        self._trumps = order.trumps
        self._points = order.points
        self._theirs = theirs
        self._worth = [1, 1]
        self._moves = {}
        self._known = {}
        self._hands = [0] * 4

    def values(self, position, hands, plies):
        """The value of each card that may be played, by its number, `plies` cards ahead.

        `hands` are four sets of cards by seat. Of cards that are as good as each other, such as
        the eight and the seven of a suit, only one is looked at.
        """
        seat, legal, led, best, winner, pot, left, sweeper = position
        self._worth[seat & 1], self._worth[1 - seat & 1] = 1, self._theirs
        self._hands[:] = hands
        self._known.clear()
        return {
            card: self._best([card], seat, led, best, winner, pot, left, sweeper, plies, -FAR, FAR)
            for card in self._choices(legal)[0]
        }

    def _choices(self, mask):
        """The cards of a set that are worth a try, twice: the best first, and the worst first."""
        found = self._moves.get(mask)
        if found is None:
            points = self._points
            cards = [
                card
                for card in members(mask)
                if not (card & 7 and mask >> card - 1 & 1 and points[card] == points[card - 1] == 0)
            ]
            cards.sort(key=lambda card: (points[card], card))
            found = self._moves[mask] = cards[::-1], cards
        return found

    def _lead(self, seat, sweeper, plies, alpha, beta):
        """The best value for the side of `seat`, which leads."""
        key = (*self._hands, seat, sweeper)
        low, high = self._known.get(key, (-FAR, FAR))
        if low >= beta or low == high:
            return low
        if high <= alpha:
            return high
        alpha, beta = max(alpha, low), min(beta, high)
        cards = self._choices(self._hands[seat])[0]
        most = self._best(cards, seat, None, None, None, 0, 4, sweeper, plies, alpha, beta)
        self._known[key] = most if most > alpha else low, most if most < beta else high
        return most

    def _follow(self, seat, led, best, winner, pot, left, sweeper, plies, alpha, beta):
        """The best value for the side of `seat`, which plays to a trick.

        The rules are those of `tricks.playable`, with what the order of the cards needs: a
        seat that can take the trick, or whose partner has it, tries the best card first.
        """
        hand = self._hands[seat]
        suit = hand & SUIT[led]
        higher = hand & ABOVE[best] & (SUIT[best] | self._trumps)
        partner_wins = (seat - winner) & 3 == 2
        if suit:
            legal = suit & higher or suit if self._trumps >> led & 1 else suit
        elif partner_wins:
            legal = hand
        else:
            held = hand & self._trumps
            legal = held & higher or held or hand
        cards = self._choices(legal)[not (partner_wins or legal & higher)]
        return self._best(cards, seat, led, best, winner, pot, left, sweeper, plies, alpha, beta)

    def _best(self, cards, seat, led, best, winner, pot, left, sweeper, plies, alpha, beta):
        """The best value for the side of `seat` with one of these cards, or one beyond the window.

        `plies` cards are looked ahead, this one among them.
        """
        hands, points, trumps = self._hands, self._points, self._trumps
        hand = hands[seat]
        most = -FAR
        for card in cards:
            hands[seat] = hand ^ 1 << card
            if led is None:
                first, top, owner = card, card, seat
            elif card > best and (card & 24 == best & 24 or trumps >> card & 1):
                first, top, owner = led, card, seat
            else:
                first, top, owner = led, best, winner
            total = pot + points[card]
            if left == 1:
                value = self._taken(seat, owner, total, sweeper, plies - 1, alpha, beta)
            elif plies > 1:
                place = seat + 1 & 3, first, top, owner
                value = -self._follow(*place, total, left - 1, sweeper, plies - 1, -beta, -alpha)
            else:
                value = 0
            if value > most:
                most = value
                if most > alpha:
                    alpha = most
                    if alpha >= beta:
                        break
        hands[seat] = hand
        return most

    def _taken(self, seat, winner, pot, sweeper, plies, alpha, beta):
        """The value for the side of `seat` of a trick that is full, and of what follows."""
        over = not self._hands[winner]
        side = winner & 1
        sweeper = side if sweeper in (side, EITHER) else NOBODY
        if over:
            pot += LAST_TRICK + CAPOT * (sweeper == side)
        pot *= self._worth[side]
        if seat & 1 != side:
            alpha, beta = -beta, -alpha
        value = pot
        if plies and not over:
            value += self._lead(winner, sweeper, plies, alpha - pot, beta - pot)
        return value if seat & 1 == side else -value
