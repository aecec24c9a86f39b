"""The ending of [Bazar Blot n.d.]: every deal of the unseen cards, each as likely as any.

For each card that may be played, and each deal, the opponents play what leaves the least and the
partner what brings the most: points won less points lost. A card's value is the mean over the
deals. With two cards in each hand there are at most 90 of them.
"""

from fractions import Fraction

from lib.minimax import Search, cheapest_best, standing_at
from lib.tricks import order_of
from lib.unseen import look

MOST_CARDS = 2
"""How many cards a hand has at most where this is quick."""

LATER, TRICK, DEAL = "later", "trick", "deal"


def expected(order, position, unseen, counted=DEAL):
    """The mean value of each card that may be played, by its number, as a `Fraction`.

    `counted` are all points to the end of the `DEAL`; those of this `TRICK` alone; or, of this
    trick, the own card and the `LATER` ones [Bazar Blot n.d., example of expectimax].
    """
    plies = position.left
    if counted == LATER:
        position = position._replace(pot=0)
    elif counted == DEAL:
        plies += 4 * unseen.own.bit_count() - 4
    search, total, count = Search(order), {}, 0
    for hands in unseen.deals():
        count += 1
        for card, value in search.values(position, hands, plies).items():
            total[card] = total.get(card, 0) + value
    return {card: Fraction(value, count) for card, value in total.items()}


def ending_card(question):
    """The card with the best mean to the end of the deal, of equal ones that counts least."""
    order = order_of(question.contract.strain)
    values = expected(order, standing_at(order, question), look(question))
    return question.say(order.name[cheapest_best(order, values)])
