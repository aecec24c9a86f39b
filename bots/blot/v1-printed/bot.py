"""v1 as its paper prints it [Bazar Blot n.d.]; it plays its highest card."""

from lib.bidding import V1_PRINTED, call
from lib.highest import highest
from lib.table import parse
from lib.talk import serve


def answer(words):
    """Choose an answer to a question of blot."""
    question = parse(words)
    if question.phase == "bid":
        return call(V1_PRINTED, question, printed=True)
    return highest(question)


if __name__ == "__main__":
    serve(answer)
