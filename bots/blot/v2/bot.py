"""v2: the second bidder of [Bazar Blot n.d.]; it plays its highest card."""

from lib.bidding import V2, call
from lib.highest import highest
from lib.table import parse
from lib.talk import serve


def answer(words):
    """Choose an answer to a question of blot."""
    question = parse(words)
    if question.phase == "bid":
        return call(V2, question)
    return highest(question)


if __name__ == "__main__":
    serve(answer)
