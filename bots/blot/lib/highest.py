"""The simplest player: takes what it can."""

from lib.tricks import order_of


def highest(question):
    """Play the highest card: the best trump, else the one of another suit that counts the most."""
    order = order_of(question.contract.strain)

    def height(card):
        number = order.number[card]
        return order.trumps >> number & 1, order.points[number], card[0]

    return question.say(max(question.cards, key=height))
