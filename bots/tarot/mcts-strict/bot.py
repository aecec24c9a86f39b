"""Mcts-strict: 100 ms a card, and as a defender it takes the other one for an opponent, too."""

from lib.search import STRICT, Searcher, Settings
from lib.talk import serve

player = Searcher(Settings(seconds=0.1, partner=STRICT))


def answer(words):
    """Choose an answer to a question, which is given as its words."""
    return player.answer(words)


if __name__ == "__main__":
    serve(answer, player.hear)
