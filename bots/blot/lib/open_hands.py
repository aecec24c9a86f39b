"""Players for tables with open hands: minimax on them, bids by v1."""

from lib.bidding import V1, call
from lib.highest import highest
from lib.minimax import open_card
from lib.table import parse


def looking_ahead(plies):
    """Make a player that searches this number of cards ahead.

    Its answer to a question is for its words; where hands are hidden it plays its highest card.
    """

    def answer(words):
        question = parse(words)
        if question.phase == "bid":
            return call(V1, question)
        if question.hands is None:
            return highest(question)
        return open_card(question, plies)

    return answer
