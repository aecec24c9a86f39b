"""v1: the first bidder of [Bazar Blot n.d.]; it plays its highest card."""

from lib.bidding import V1, call
from lib.highest import highest
from lib.table import parse
from lib.talk import serve


def answer(words):
    """Choose an answer to a question of blot."""
    question = parse(words)
    if question.phase == "bid":
        return call(V1, question)
    return highest(question)


if __name__ == "__main__":
    serve(answer)
