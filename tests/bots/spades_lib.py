"""The library of the spades bots, loaded as a bot of this process would load it."""

from __future__ import annotations

from card_arena.tests.bots.house import library

LIB = library("spades")


def cards(text: str) -> list[int]:
    """The numbers of cards written as `AS 7H`."""
    return [LIB.cards.NUMBER[name] for name in text.split()]


def asked(
    phase: str,
    hand: str,
    *,
    legal: str = "",
    seat: int = 0,
    dealer: int = 3,
    bids: str = "-,-,-,-",
    history: str = "-",
    trick: str = "-",
    took: str = "0,0,0,0",
    scores: str = "0,0",
    bags: str = "0,0",
    goal: int = 500,
    lose: int | str = -100,
) -> list[str]:
    """The words of a question about a hand written as `AS 7H`; any card of it is legal."""
    held = ",".join(hand.split()) or "-"
    allowed = legal or ("0..13" if phase == "bid" else held)
    rest = (seat, dealer, held, bids, history, trick, took, scores, bags, goal, lose)
    return ["spades", phase, allowed, *map(str, rest)]


def table(phase: str, hand: str, **rest):
    """What a bot makes of such a question."""
    return LIB.table.Table(asked(phase, hand, **rest))
