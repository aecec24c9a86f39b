"""A bot that bids and discards by rule, and plays as it likes."""

from lib import bidding
from lib.cards import NAMES, names
from lib.play import HAND
from lib.table import parse


def answer_with(play, words):
    """Answer a question by rule, and that for a card with `play(question)`.

    A poignée is shown with the first card of a deal.
    """
    question = parse(words)
    if question.phase == "bid":
        return bidding.bid(question)
    if question.phase == "discard":
        return names(bidding.discard(question))
    card = NAMES[play(question)]
    shown = bidding.poignee(question.hand) if len(question.hand) == HAND else []
    return f"{card} show {names(shown)}" if shown else card
