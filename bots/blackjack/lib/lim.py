"""Draws below a limit: the family of Lim bots [KOTH 2011]."""

from lib.talk import serve


def play(limit):
    """Take a card while the score is below `limit`, then stand."""
    serve(lambda question: "H" if question.score < limit else "S")
