"""What a person may answer, as a page or a terminal offers it; nothing here names a game."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass

from tables.hints import PICK, RANGE, forms
from tables.legal_actions import Action, LegalActions


@dataclass(frozen=True, slots=True)
class Word:
    """A single action: a card, a bid, a word."""

    answer: str


@dataclass(frozen=True, slots=True)
class Number:
    """An action with a whole number from `low` to `high`, both included."""

    before: str
    low: int
    high: int
    after: str = ""

    def answer(self, number: int) -> str:
        """The line that stands for this number."""
        return f"{self.before}{number}{self.after}"


@dataclass(frozen=True, slots=True)
class Cards:
    """A pick of `count` different cards out of `cards`, with all that are `forced`."""

    before: str
    count: int
    cards: tuple[str, ...]
    forced: tuple[str, ...] = ()

    def answer(self, picked: Collection[str]) -> str:
        """The line that stands for these cards."""
        return self.before + ",".join(card for card in self.cards if card in picked)


Choice = Word | Number | Cards


def choices(legal: LegalActions, write: Callable[[Action], str]) -> tuple[Choice, ...]:
    """List all that a seat may answer; `write` puts an action into words, as `Phase.write` does."""
    return tuple(_choices(forms(legal, write)))


def _choices(texts: Iterator[str]) -> Iterator[Choice]:
    for text in texts:
        if within := RANGE.fullmatch(text):
            yield Number(within["before"], int(within["low"]), int(within["high"]), within["after"])
        elif picked := PICK.fullmatch(text):
            forced = tuple(picked["forced"].split(",")) if picked["forced"] else ()
            cards = dict.fromkeys((*forced, *filter(None, picked["cards"].split(","))))
            yield Cards(picked["before"], int(picked["count"]), tuple(cards), forced)
        else:
            yield Word(text)


def only_answer(legal: LegalActions, write: Callable[[Action], str]) -> str | None:
    """The answer of a seat that can give no other one, or None if it has a choice."""
    match choices(legal, write):
        case (Word(answer),):
            return answer
        case (Number(low=low, high=high) as number,) if low == high:
            return number.answer(low)
        case (Cards(count=count, cards=cards, forced=forced) as pick,) if count in (
            len(cards),
            len(forced),
        ):
            return pick.answer(cards if count == len(cards) else forced)
    return None
