"""Mcts-300ms: tarot-mcts with 300 ms a card."""

from lib.search import Searcher, Settings
from lib.talk import serve

player = Searcher(Settings(seconds=0.3))


def answer(words):
    """Choose an answer to a question, which is given as its words."""
    return player.answer(words)


if __name__ == "__main__":
    serve(answer, player.hear)
