"""Functions common to trick-taking games: hands, turns round the table, and tricks as text.

A trick is written as the seat that led and the cards as they were played, `2:7H,KH,2S`, and a
history as its finished tricks with `/` between them.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache
from typing import TypeVar

from card_arena.tables.cards import FULL_PACK, Card, cards, listed
from card_arena.tables.game import (
    BIDS,
    END,
    FOLLOWING,
    LAST_CARDS,
    LEADS,
    HandOptions,
    Part,
    Phase,
    Seat,
    Terminal,
)
from card_arena.tables.scene import Place, Scene, Shown

Item = TypeVar("Item")

_PLACES = {card: place for place, card in enumerate(reversed(FULL_PACK))}


def sorted_hand(hand: Sequence[Card]) -> tuple[Card, ...]:
    """A hand as players hold it: spades, hearts, diamonds, clubs, each from the ace down."""
    return tuple(sorted(hand, key=_PLACES.__getitem__))


def of_suit(hand: Sequence[Card], suit: str) -> tuple[Card, ...]:
    """The cards of one suit, in the hand's order."""
    return tuple([card for card in hand if card.suit == suit])


def without(hand: Sequence[Card], played: Card) -> tuple[Card, ...]:
    """The hand after a card has left it; raises `ValueError` if it isn't in the hand."""
    place = hand.index(played)
    return (*hand[:place], *hand[place + 1 :])


def replaced(values: tuple[Item, ...], seat: Seat, value: Item) -> tuple[Item, ...]:
    """The same values, one per seat, with this seat's replaced."""
    return (*values[:seat], value, *values[seat + 1 :])


def open_hands(options: HandOptions, hands: Sequence[Sequence[Card]]) -> str | None:
    """Write all hands by seat, `KS,9D/AH,8H/-/JS`; None on a table with secret hands."""
    return "/".join(map(listed, hands)) if options.open_hands else None


@lru_cache(4096)
def numbers(values: tuple[int, ...]) -> str:
    """Write numbers by seat or side, `0,3,1,0`; cached, as every question repeats them."""
    return ",".join(map(str, values))


def part_of(phase: Phase) -> Part:
    """The part of a trick-taking game to which a decision belongs."""
    trick: Sequence[Card] | None = getattr(phase, "trick", None)
    if trick is None:
        return Part(BIDS)
    hands: Sequence[Sequence[Card]] = phase.hands  # type: ignore[attr-defined]
    if len(hands[phase.to_act]) <= LAST_CARDS:
        return Part(END, len(trick))
    return Part(FOLLOWING if trick else LEADS, len(trick))


def trick_text(leader: Seat, cards: Sequence[str]) -> str:
    """Write a trick, finished or not: `2:7H,KH,2S`."""
    return f"{leader}:{','.join(cards)}" if cards else "-"


def with_trick(history: str, leader: Seat, cards: Sequence[str]) -> str:
    """Append a trick to the finished ones: `0:7C,AC,2C,5C/1:KD,4D,3D,9D`."""
    trick = trick_text(leader, cards)
    return f"{history}/{trick}" if history else trick


def on_the_table(
    history: str, leader: Seat = 0, trick: Sequence[Card] = (), *, seats: int = 4
) -> tuple[tuple[Shown, ...], ...]:
    """What each seat has laid in this trick or, until somebody leads to it, in the last one."""
    if not trick and history:
        led, _, names = history.rpartition("/")[2].partition(":")
        leader, trick = int(led), cards(names)
    played: list[tuple[Shown, ...]] = [()] * seats
    for turn, card in enumerate(trick):
        played[(leader + turn) % seats] = (Shown(card),)
    return tuple(played)


def the_end(over: Terminal, won: str) -> Scene:
    """Draw the end of a game; `won` is the label of the wins, such as `rounds won`."""
    ends = enumerate(zip(over.scores, over.won, over.hands, strict=True))
    return Scene(
        "the end",
        tuple(
            Place(seat, facts=(("score", str(score)), (won, f"{count} of {hands}")))
            for seat, (score, count, hands) in ends
        ),
    )


def partners(names: Sequence[str], seat: Seat) -> str:
    """Name the two of a side by one of its seats, the lower seat first: `ada and cy`.

    A bot that holds both seats is named once.
    """
    first, second = names[seat % 2], names[seat % 2 + 2]
    bot = re.sub(r" \(seat \d\)$", "", first)
    return bot if second == f"{bot} (seat {seat % 2 + 2})" else f"{first} and {second}"
