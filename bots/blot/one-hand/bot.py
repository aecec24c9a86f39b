"""Minimax on open hands, 4 cards ahead; see its README."""

from lib.bidding import V1, call
from lib.highest import highest
from lib.minimax import open_card
from lib.table import parse
from lib.talk import serve

PLIES = 4


def answer(words):
    """Choose an answer to a question of blot; where hands are hidden it plays its highest card."""
    question = parse(words)
    if question.phase == "bid":
        return call(V1, question)
    if question.hands is None:
        return highest(question)
    return open_card(question, PLIES)


if __name__ == "__main__":
    serve(answer)
