"""Playing cards, as every game writes them: rank, then suit (`TD` is the ten of diamonds)."""

from __future__ import annotations

from dataclasses import dataclass

RANKS = "23456789TJQKA"
SUITS = "CDHS"
SUIT_NAMES = {"C": "clubs", "D": "diamonds", "H": "hearts", "S": "spades"}


@dataclass(frozen=True, slots=True, order=True)
class Card:
    """One card: `Card("T", "D")`; its text is `TD`."""

    rank: str
    suit: str

    def __str__(self) -> str:
        return self.rank + self.suit


FULL_PACK: tuple[Card, ...] = tuple(Card(rank, suit) for suit in SUITS for rank in RANKS)
"""The 52 cards in the order that every shuffle starts from: 2C, 3C ... AC, 2D ... AS."""

_BY_NAME = {str(card): card for card in FULL_PACK}


def card(text: str) -> Card:
    """Read one card such as `TD`; raises `ValueError` where it isn't one of the 52."""
    try:
        return _BY_NAME[text]
    except KeyError:
        raise ValueError(
            f"{text!r} is not a card: expected a rank of {RANKS} and a suit of {SUITS}"
        ) from None


def cards(text: str) -> tuple[Card, ...]:
    """Read cards written with spaces or commas between them: `cards("TD AS")`."""
    return tuple(card(word) for word in text.replace(",", " ").split())
