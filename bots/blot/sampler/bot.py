"""Minimax over deals of the hidden cards; see its README."""

from lib.bidding import V1, call
from lib.sampler import sampled_card
from lib.table import parse
from lib.talk import serve

DEALS = 20
SECONDS = 0.3  # of the second that there is: the machine may be busy


def answer(words):
    """Choose an answer to a question of blot."""
    question = parse(words)
    if question.phase == "bid":
        return call(V1, question)
    return sampled_card(question, DEALS, SECONDS)


if __name__ == "__main__":
    serve(answer)
