"""Which card beats which at durak, and the order of a hand."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cache

from tables.cards import FULL_PACK, RANKS, SUITS, Card, pack

HEIGHT = {rank: height for height, rank in enumerate(RANKS)}


@cache
def beating(attack: Card, trumps: str, deuce_beats_ace: bool = False) -> frozenset[Card]:
    """The cards that beat this one: the higher of its suit, and any trump where it is none.

    With `deuce_beats_ace` the 2 of its suit beats an ace too.
    """
    suit = [card for card in FULL_PACK if card.suit == attack.suit]
    higher = {card for card in suit if HEIGHT[card.rank] > HEIGHT[attack.rank]}
    if deuce_beats_ace and attack.rank == "A":
        higher.update(card for card in suit if card.rank == "2")
    if attack.suit != trumps:
        higher.update(card for card in FULL_PACK if card.suit == trumps)
    return frozenset(higher)


@cache
def _places(trumps: str) -> Mapping[Card, int]:
    suits = SUITS.replace(trumps, "") + trumps
    return {card: place for place, card in enumerate(pack(RANKS, suits))}


def in_order(cards: Iterable[Card], trumps: str) -> tuple[Card, ...]:
    """Put a hand in order: suit by suit, the lowest card first, trumps last."""
    return tuple(sorted(cards, key=_places(trumps).__getitem__))
