"""What games of tricks have in common: hands, turns round the table, and how a trick is written."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar

from tables.cards import Card
from tables.game import Seat

Item = TypeVar("Item")


def of_suit(hand: Sequence[Card], suit: str) -> tuple[Card, ...]:
    """The cards of one suit, in the hand's order."""
    return tuple([card for card in hand if card.suit == suit])


def without(hand: Sequence[Card], played: Card) -> tuple[Card, ...]:
    """The hand after a card has left it; raises `ValueError` where it isn't held."""
    place = hand.index(played)
    return (*hand[:place], *hand[place + 1 :])


def replaced(values: tuple[Item, ...], seat: Seat, value: Item) -> tuple[Item, ...]:
    """The same values, one a seat, but for this seat."""
    return (*values[:seat], value, *values[seat + 1 :])


def trick_text(leader: Seat, cards: Sequence[Card]) -> str:
    """Write a trick: the seat that led, then the cards as they were played: `2:7H,KH,2S`."""
    return f"{leader}:{','.join(cards)}" if cards else "-"
