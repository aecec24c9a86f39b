"""Value, intended: the value bot with the formula read as it must have been meant."""

from lib.table import Table
from lib.talk import serve
from lib.value import INTENDED, decide


def answer(words):
    """Choose one of the legal answers."""
    return decide(Table(words), INTENDED)


if __name__ == "__main__":
    serve(answer)
