"""Minimax without looking [Ginsberg 2001]: the hidden cards are dealt often, as they could lie.

Each deal agrees with all that was played and shown. In each every card that may be played is valued
by minimax, as on open hands, and the card with the best mean is played. So everybody is taken to
see all cards, which is not how the game is; but what was seen counts, and it is quick.
"""

from random import Random
from time import monotonic

from lib.minimax import Search, cheapest_best, standing_at
from lib.tricks import order_of
from lib.unseen import look

PLIES = {8: 8, 7: 8, 6: 12}
"""How many cards ahead it looks, by the cards in its hand; with fewer to the end of the deal."""


def sampled_card(question, deals, seconds):
    """The card with the best mean over that many deals; of equal ones the one that counts least.

    Where there are no more deals than that, each is looked at once. After `seconds` it ends with
    the deals it has, at least one. The same question is answered alike where time doesn't end it.
    """
    if len(question.cards) == 1:
        return question.say(question.cards[0])
    until = monotonic() + seconds
    order, unseen = order_of(question.contract.strain), look(question)
    position = standing_at(order, question)
    plies = PLIES.get(len(question.hand), 32)
    search, total = Search(order), {}
    seed = repr(question._replace(hands=None))  # the hands of an open table are not looked at
    for hands in _dealt(unseen, deals, Random(seed)):
        for card, value in search.values(position, hands, plies).items():
            total[card] = total.get(card, 0) + value
        if monotonic() > until:
            break
    return question.say(order.name[cheapest_best(order, total)])


def _dealt(unseen, deals, rng):
    if unseen.count <= deals:
        return unseen.deals()
    return (unseen.sample(rng) for _ in range(deals))
