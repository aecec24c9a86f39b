"""UCT(X): the last X tricks are searched, over deals that are consistent with play; SRP before.

It is the third player of [Cohensius 2019, table 2]; the bound is that of [Kocsis 2006].
"""

from math import inf, log, sqrt
from random import seed
from time import perf_counter

from lib import srp
from lib.cards import FIRST_SPADE, OF_SUIT, PACK, SPADES, SUIT, as_list, as_set, winning
from lib.deals import deal, held
from lib.table import Table

EXPLORATION = 70
"""How curious the search is, in points: about what rounds differ by."""


class Uct:
    """Plays the last `tricks` tricks by search, for a time or for a number of rounds played out.

    Chance begins anew with each question: within a number of rounds an answer is always the same.

    Every iteration deals the unseen cards anew, picks an own card by its mean so far and how seldom
    it was tried, and finishes the round with SRP in all seats. What counts is the points of the own
    side in this round less the others'.
    """

    def __init__(self, tricks, *, seconds=None, iterations=None):
        self.tricks, self.seconds = tricks, inf if seconds is None else seconds
        self.iterations = inf if iterations is None else iterations

    def play(self, table):
        """Choose a card."""
        if len(table.hand) > self.tricks:
            return srp.play(table)
        seed(repr((table.hand, table.trick, table.history)))
        lacks, counts = table.voids(), held(table)
        tried, total = dict.fromkeys(table.legal, 0), dict.fromkeys(table.legal, 0.0)
        end, done = perf_counter() + self.seconds, 0
        while done < self.iterations and perf_counter() < end:
            done += 1
            card = max(table.legal, key=lambda card: _promise(total[card], tried[card], done))
            hands = deal(table.unseen, lacks, counts, table.seat)
            total[card] += finish(table, hands, card)
            tried[card] += 1
        if not done:
            return srp.play(table)
        return max(table.legal, key=lambda c: total[c] / tried[c] if tried[c] else -inf)


def _promise(total, tried, done):
    """Weigh how good a card was against how seldom it was tried."""
    return total / tried + EXPLORATION * sqrt(log(done) / tried) if tried else inf


def finish(table, hands, card):
    """Play a round to its end with SRP, this card first; give our points less theirs.

    `hands` are the others' cards, a set for each seat.
    """
    hands = [as_list(hand) for hand in hands]
    hands[table.seat] = list(table.hand)
    seen = Table.__new__(Table)
    seen.__dict__.update(table.__dict__)
    seen.took, seen.history = list(table.took), list(table.history)
    seen.trick, seat = list(table.trick), table.seat
    played = PACK ^ (table.unseen | as_set(table.hand))
    while True:
        seen.trick.append(card)
        hands[seat].remove(card)
        played |= 1 << card
        seat = (seat + 1) % 4
        if len(seen.trick) == 4:
            seat = (seen.leader + seen.trick.index(winning(seen.trick))) % 4
            seen.took[seat] += 1
            seen.history.append((seen.leader, seen.trick))
            seen.leader, seen.trick = seat, []
            if not hands[seat]:
                ours, theirs = (
                    points(seen, (table.seat + on) % 4, table.bags[on]) for on in (0, 1)
                )
                return ours - theirs
        seen.seat, seen.hand = seat, hands[seat]
        seen.legal = legal(seen.hand, seen.trick, played)
        if len(seen.legal) == 1:
            card = seen.legal[0]
        else:
            seen.unseen = PACK ^ played ^ as_set(seen.hand)
            card = srp.play(seen)


def legal(hand, trick, played):
    """List what a hand may play: suit is followed, spades are led when one has been played."""
    if trick:
        suit = SUIT[trick[0]]
        return [card for card in hand if SUIT[card] == suit] or hand
    if played & OF_SUIT[SPADES]:
        return hand
    return [card for card in hand if card < FIRST_SPADE] or hand


def points(table, seat, bags_before):
    """Count what the side of a seat makes of a finished round, with the price of ten bags."""
    side = (seat, (seat + 2) % 4)
    made = contract = helping = bags = 0
    for each in side:
        if table.bids[each]:
            contract += table.bids[each]
            helping += table.took[each]
        else:
            stake = 200 if each in table.blind else 100
            made += -stake if table.took[each] else stake
            bags += table.took[each]
    if helping < contract:
        made -= 10 * contract
    else:
        made += 10 * contract
        bags += helping - contract
    return made + bags - 110 * ((bags_before + bags) // 10)
