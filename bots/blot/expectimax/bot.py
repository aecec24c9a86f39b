"""The expectimax ending of [Bazar Blot n.d.]; see its README."""

from lib.bidding import V1, call
from lib.expectimax import MOST_CARDS, ending_card
from lib.highest import highest
from lib.table import parse
from lib.talk import serve


def answer(words):
    """Choose an answer to a question of blot."""
    question = parse(words)
    if question.phase == "bid":
        return call(V1, question)
    if len(question.hand) > MOST_CARDS:
        return highest(question)
    return ending_card(question)


if __name__ == "__main__":
    serve(answer)
