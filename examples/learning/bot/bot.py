"""Answer each question with the legal action that the learned weights like best."""

import json
import sys
from pathlib import Path

import spades  # a copy of the arena's library/encodings/spades.py

WEIGHTS = json.loads((Path(__file__).parent / "weights.json").read_text())


def legal(text):
    """The legal actions of a question: cards, or the bids from one number to another."""
    low, dots, high = text.partition("..")
    return [str(bid) for bid in range(int(low), int(high) + 1)] if dots else text.split(",")


def answer(question):
    """The best of the legal actions."""
    words = question.split()
    seen = [(at, value) for at, value in enumerate(spades.observation(words)) if value]

    def score(action):
        column = WEIGHTS[spades.ACTIONS.index(action)]
        return sum(value * column[at] for at, value in seen)

    return max(legal(words[2]), key=score)


for line in sys.stdin:
    if not line.startswith("#"):
        print(answer(line), flush=True)
