"""What a seat may answer, choice by choice; nothing here names a game.

Pages and terminals offer the choices to people. As texts they can be stored in a file and checked
without the game: a literal answer, such as `S`; an answer with a number from a range, such as `B
{1..190}`; or a pick of cards, such as `{2 of 7H,8H,9H with KH}`, which may follow the beginning of
an answer.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass

from card_arena.tables.legal_actions import Action, Between, Either, LegalActions, OneOf, Pick

_NUMBER = re.compile(r"[0-9]+")
_RANGE = re.compile(r"([^{}]*)\{([0-9]{1,18})\.\.([0-9]{1,18})\}([^{}]*)")
_PICK = re.compile(r"([^{}]*)\{([0-9]{1,3}) of ([^{} ]*)(?: with ([^{} ]+))?\}")


@dataclass(frozen=True, slots=True)
class Word:
    """A single action: a card, a bid, a word."""

    answer: str

    def __str__(self) -> str:
        return self.answer

    def allows(self, line: str) -> bool:
        """Whether a line is this answer."""
        return line == self.answer


@dataclass(frozen=True, slots=True)
class Number:
    """An action with a whole number from `low` to `high`, both included."""

    before: str
    low: int
    high: int
    after: str = ""

    def __str__(self) -> str:
        return f"{self.before}{{{self.low}..{self.high}}}{self.after}"

    def answer(self, number: int) -> str:
        """The line that stands for this number."""
        return f"{self.before}{number}{self.after}"

    def allows(self, line: str) -> bool:
        """Whether a line has a number from the range."""
        number = line.removeprefix(self.before).removesuffix(self.after)
        return (
            f"{self.before}{number}{self.after}" == line
            and _NUMBER.fullmatch(number) is not None
            and len(number) <= 18
            and self.low <= int(number) <= self.high
        )


@dataclass(frozen=True, slots=True)
class Cards:
    """A pick of `count` different cards out of `cards`, with all that are `forced`."""

    before: str
    count: int
    cards: tuple[str, ...]
    forced: tuple[str, ...] = ()

    def __str__(self) -> str:
        free = ",".join(card for card in self.cards if card not in self.forced)
        must = f" with {','.join(self.forced)}" if self.forced else ""
        return f"{self.before}{{{self.count} of {free}{must}}}"

    def answer(self, picked: Collection[str]) -> str:
        """The line that stands for these cards."""
        return self.before + ",".join(card for card in self.cards if card in picked)

    def allows(self, line: str) -> bool:
        """Whether a line picks so many of the cards."""
        cards = line.removeprefix(self.before).split(",")
        return (
            line.startswith(self.before)
            and len(cards) == len({*cards}) == self.count
            and {*self.forced} <= {*cards} <= {*self.cards}
        )


Choice = Word | Number | Cards


def choices(legal: LegalActions, write: Callable[[Action], str]) -> tuple[Choice, ...]:
    """List all that a seat may answer; `write` puts an action into words, as `Phase.write` does.

    A game's own kind of legal actions gives its choices by a method `choices`.
    """
    return tuple(_choices(legal, write))


def _choices(legal: LegalActions, write: Callable[[Action], str]) -> Iterator[Choice]:
    match legal:
        case OneOf(actions):
            yield from (Word(write(action)) for action in actions)
        case Between(make, low, high):
            if low <= high:
                yield between(write(make(low)), write(make(high)))
        case Either(parts):
            for part in parts:
                yield from _choices(part, write)
        case Pick(count, cards, forced):
            every = dict.fromkeys(map(str, (*forced, *cards)))
            yield Cards("", count, tuple(every), tuple(map(str, forced)))
        case _ if hasattr(legal, "choices"):
            yield from legal.choices(write)


def between(low: str, high: str) -> Number:
    """The choice of all answers between two that differ only in their one number."""
    ends = _NUMBER.search(low), _NUMBER.search(high)
    assert ends[0], "an answer between two others holds a number"
    assert ends[1], "and so does the last one"
    return Number(low[: ends[0].start()], int(ends[0][0]), int(ends[1][0]), low[ends[0].end() :])


def read_choice(text: str) -> Choice:
    """Read a choice that was written as text."""
    if within := _RANGE.fullmatch(text):
        before, low, high, after = within.groups()
        return Number(before, int(low), int(high), after)
    if picked := _PICK.fullmatch(text):
        before, count, cards, must = picked.groups()
        forced = tuple(must.split(",")) if must else ()
        every = dict.fromkeys((*forced, *filter(None, cards.split(","))))
        return Cards(before, int(count), tuple(every), forced)
    return Word(text)


def is_among(line: str, texts: Sequence[str]) -> bool:
    """Whether one of the choices that were written as texts allows an answer."""
    return any(read_choice(text).allows(line) for text in texts)


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
