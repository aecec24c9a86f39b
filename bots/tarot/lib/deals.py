"""Deals of the hidden cards that agree with all that is known, each of them as likely as any.

Cards that may lie in the same places are one kind, and of three places there are at most four
kinds that have a choice. How many cards of each kind go where is drawn first, by the number of
deals that it stands for; which ones they are is a shuffle. So no deal is ever begun that can't be
finished, and none is favoured.
"""

from bisect import bisect
from itertools import accumulate
from math import comb
from random import Random


class Dealer:
    """Deals the cards of a `Knowledge` again and again."""

    def __init__(self, knowledge, seed=None):
        """Count the ways to deal; without a `seed` every run deals otherwise."""
        self.random = Random(seed)
        self.seats = sorted(knowledge.room)
        kinds = {}
        for card, places in knowledge.places.items():
            kinds.setdefault(frozenset(places), []).append(card)
        self._sure = [(next(iter(kind)), cards) for kind, cards in kinds.items() if len(kind) == 1]
        self._kinds = [(sorted(kind), cards) for kind, cards in kinds.items() if len(kind) > 1]
        # Kinds with fewer places first: they leave the one with all three what they do not take.
        self._kinds.sort(key=lambda kind: len(kind[0]))
        room = dict(knowledge.room)
        for place, cards in self._sure:
            room[place] -= len(cards)
        self._plans, ways = [], []
        for plan, count in _plans([(at, len(cards)) for at, cards in self._kinds], room):
            self._plans.append(plan)
            ways.append(count)
        self.ways = sum(ways)
        """How many deals there are."""
        self._upto = [total / self.ways for total in accumulate(ways)]

    def deal(self):
        """Deal once: for every place a list of its cards."""
        random = self.random.random
        dealt = {place: [] for place in self.seats}
        for place, cards in self._sure:
            dealt[place] += cards
        plan = self._plans[min(bisect(self._upto, random()), len(self._plans) - 1)]
        for (places, cards), shares in zip(self._kinds, plan, strict=True):
            shuffled = sorted(cards, key=lambda _: random())
            start = 0
            for place, share in zip(places, shares, strict=True):
                dealt[place] += shuffled[start : start + share]
                start += share
        return dealt


def _plans(kinds, room):
    """Every way to share kinds of cards out by number, and how many deals each one stands for.

    `kinds` are (places, number of cards); a plan has for every kind its share in each place.
    """
    if not kinds:
        if not any(room.values()):
            yield (), 1
        return
    (places, number), *rest = kinds
    for shares in _shares(number, [room[place] for place in places]):
        left = dict(room)
        ways, of = 1, number
        for place, share in zip(places, shares, strict=True):
            left[place] -= share
            ways *= comb(of, share)
            of -= share
        for plan, count in _plans(rest, left):
            yield (shares, *plan), ways * count


def _shares(number, room):
    """Every way to share a number of cards out between places with so much room."""
    first, *others = room
    if not others:
        if number <= first:
            yield (number,)
        return
    for share in range(min(number, first) + 1):
        for shares in _shares(number - share, others):
            yield (share, *shares)
