"""Mcts: searches a tree of cards, with the hidden ones dealt anew for every game it tries."""

from lib.search import Searcher, Settings
from lib.talk import serve

player = Searcher(Settings())


def answer(words):
    """Choose an answer to a question, which is given as its words."""
    return player.answer(words)


if __name__ == "__main__":
    serve(answer, player.hear)
