"""Value: puts a number on a hand, and does what leaves it the hand that is worth most."""

from lib.table import Table
from lib.talk import serve
from lib.value import LITERAL, decide


def answer(words):
    """Choose one of the legal answers."""
    return decide(Table(words), LITERAL)


if __name__ == "__main__":
    serve(answer)
