"""The library of the tarot bots, loaded as a bot of this process would load it."""

from __future__ import annotations

from card_arena.tests.bots.house import library

LIB = library("tarot")


def cards(text: str) -> list[int]:
    """The numbers of cards written as `KS A21 EX`."""
    return [LIB.cards.NUMBERS[name] for name in text.split()]


def asked(
    phase: str,
    legal: str,
    *,
    hand: str = "",
    seat: int = 0,
    taker: int = 0,
    contract: str = "garde",
    dog: str = "-",
    discard: str = "-",
    shown: str = "-",
    history: str = "-",
    trick: str = "-",
) -> list[str]:
    """The words of a question; where no hand is given, all of it is legal."""
    bids = ",".join(contract if other == taker else "pass" for other in range(3))
    return (
        f"tarot {phase} {legal} {seat} 2 {hand or legal} {bids} {taker} {contract} {dog}"
        f" {discard} {shown} {history} {trick} 0,0,0 1/12"
    ).split()
