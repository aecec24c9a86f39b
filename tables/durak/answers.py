"""The answers at durak, and reading them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import StrEnum

from tables.cards import FULL_PACK, RANKS, SUITS, Card, card
from tables.durak.ranking import in_order
from tables.encoding import plain, quoted
from tables.game import MalformedAnswer


class Say(StrEnum):
    """The answers that are a word."""

    TAKE = "take"
    DONE = "done"


@dataclass(frozen=True, slots=True)
class Together:
    """Lay several cards of one rank at once; they are named in the order of the pack."""

    cards: tuple[Card, ...]

    def __str__(self) -> str:
        return "+".join(self.cards)


@dataclass(frozen=True, slots=True)
class Transfer:
    """Pass the attack on with one more card of its rank."""

    card: Card

    def __str__(self) -> str:
        return f"pass:{self.card}"


@dataclass(frozen=True, slots=True)
class Show:
    """Pass the attack on by showing the trump of its rank, which stays in the hand."""

    card: Card

    def __str__(self) -> str:
        return f"show:{self.card}"


Answer = Card | Say | Together | Transfer | Show

_WORDS: Mapping[str, Answer] = {card: card for card in FULL_PACK} | {say: say for say in Say}
_CARD = f"[{RANKS}][{SUITS}]"
_ANSWER = re.compile(
    rf"(?P<word>TAKE|DONE)"
    rf"|(?P<passing>PASS|SHOW)[ \t:]+(?P<same>{_CARD})"
    rf"|(?P<laid>{_CARD}(?:\+{_CARD})*)"
)


def read_answer(line: str) -> Answer:
    """Read an answer, in small letters too; raises `MalformedAnswer`."""
    if line in _WORDS:
        return _WORDS[line]
    found = _ANSWER.fullmatch(plain(line))
    if not found:
        raise MalformedAnswer(
            f"'{quoted(line)}' is not an answer: expected a card such as 7H, take, done or pass 7H"
        )
    if found["word"]:
        return Say(found["word"].lower())
    if found["same"]:
        same = card(found["same"])
        return Transfer(same) if found["passing"] == "PASS" else Show(same)
    laid = [card(text) for text in found["laid"].split("+")]
    if len(set(laid)) < len(laid):
        raise MalformedAnswer(f"'{quoted(line)}' names a card twice: expected different cards")
    return laid[0] if len(laid) == 1 else together(laid)


def together(cards: Iterable[Card]) -> Together:
    """Cards laid at once, in whatever order they were named."""
    return Together(in_order(cards, SUITS[-1]))
