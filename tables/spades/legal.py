"""Which cards may be played at spades, and which of them takes a trick."""

from __future__ import annotations

from collections.abc import Sequence

from tables.cards import FULL_PACK, RANKS, SUITS, Card, card
from tables.encoding import plain, quoted
from tables.game import MalformedAnswer
from tables.spades.scoring import TRUMP
from tables.tricks import of_suit

TWO_OF_CLUBS = card("2C")

_POWER = {
    led: {
        held: RANKS.index(held.rank) + (26 if held.suit == TRUMP else 13 if held.suit == led else 0)
        for held in FULL_PACK
    }
    for led in SUITS
}
"""The strength of a card in a trick, by the suit that was led."""


def trick_winner(trick: Sequence[Card]) -> int:
    """The index, in order of play, of the card that takes a trick."""
    power = _POWER[trick[0].suit]
    return trick.index(max(trick, key=power.__getitem__))


def playable(
    hand: tuple[Card, ...], trick: Sequence[Card], *, broken: bool, two_of_clubs_leads: bool
) -> tuple[Card, ...]:
    """The cards of a hand that the rules allow: follow suit; lead no spade before one was played.

    With `two_of_clubs_leads`, the leader holds that card and must lead it.
    """
    if trick:
        return of_suit(hand, trick[0].suit) or hand
    if broken:
        return hand
    if two_of_clubs_leads:
        return (TWO_OF_CLUBS,)
    return tuple([held for held in hand if held.suit != TRUMP]) or hand


def read_card(line: str) -> Card:
    """Read a card such as `7H`; raises `MalformedAnswer`."""
    if found := _CARDS.get(plain(line)):
        return found
    raise MalformedAnswer(f"'{quoted(line)}' is not a card: expected one such as 7H")


_CARDS = {str(held): held for held in FULL_PACK}
