"""Lowest: always the lowest card that will do, and trumps are higher than all others."""

from lib.table import RANKS, Table
from lib.talk import serve


def answer(words):
    """Choose one of the legal answers."""
    table = Table(words)

    def height(card):
        return card[1] == table.trump, RANKS.index(card[0])

    lowest = min(table.cards, key=height, default=None)
    if table.phase == "defend":
        passing = [word for word in table.legal if word.startswith("pass:")]
        return lowest or min(passing, key=lambda word: height(word[5:]), default="take")
    if table.phase != "attack" and lowest[1] == table.trump:
        return "done"
    return lowest


if __name__ == "__main__":
    serve(answer)
