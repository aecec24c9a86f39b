"""The answers at blot: calls and bids in the auction, cards and the declarations with them."""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Iterator
from enum import StrEnum
from typing import NamedTuple

from card_arena.tables.blot.rules import CLASSES, HIGHEST_LEVEL, PACK, STRAINS, TRICKS, Bid
from card_arena.tables.cards import Card
from card_arena.tables.choices import Choice, Word, between
from card_arena.tables.encoding import plain
from card_arena.tables.game import MalformedAnswer, Mistake
from card_arena.tables.legal_actions import OUTLINES, Action, Outline


class Call(StrEnum):
    """A call in the auction other than a bid."""

    PASS = "P"
    CONTRA = "X"
    RECONTRA = "XX"


class Penalty(StrEnum):
    """The action recorded in place of an illegal card, if that costs the deal."""

    REVOKE = "revoke"


class Announcing(NamedTuple):
    """A card and the classes of the declarations that are announced with it: `KH+4T`."""

    card: Card
    classes: str

    def __str__(self) -> str:
        return f"{self.card}+{self.classes}"


Play = Card | Announcing


class Calling(NamedTuple):
    """A few calls, or a bid of at least `level`; from `capot_level` also, or only, with capot."""

    calls: tuple[Call, ...]
    level: int
    capot_level: int
    capot_only: bool

    def __contains__(self, action: object) -> bool:
        if not isinstance(action, Bid):
            return action in self.calls
        if action.capot:
            return self.capot_level <= action.level <= HIGHEST_LEVEL
        return self.level <= action.level <= HIGHEST_LEVEL and not self.capot_only

    def sample(self, rng: random.Random) -> Action:
        """Pick at random, preferring passes and low bids so that auctions end."""
        draw = rng.random()
        if draw >= 0.3:
            return rng.choice(self.calls) if draw < 0.4 else Call.PASS
        level = min(int(self.level * rng.paretovariate(4)), HIGHEST_LEVEL)
        capot = level >= self.capot_level and (self.capot_only or rng.random() < 0.5)
        return Bid(level, rng.choice(STRAINS), capot)

    @property
    def fallback_action(self) -> Action:
        """Pass."""
        return Call.PASS

    def outline(self, write: Callable[[Action], str]) -> Outline:
        """Name the calls and the lowest and highest bids."""
        low, high = (Bid(level, "C", self.capot_only) for level in (self.level, HIGHEST_LEVEL))
        return {
            "kind": "blot.bids",
            "words": list(map(write, self.calls)),
            "from": write(low),
            "to": write(high),
            "capot": None if self.capot_only else self.capot_level,
        }

    def choices(self, write: Callable[[Action], str]) -> Iterator[Choice]:
        """The calls, and the bids of each strain as ranges."""
        yield from (Word(write(call)) for call in self.calls)
        for capot in (False, True):
            low = self.capot_level if capot else self.level
            for strain in (
                STRAINS if low <= HIGHEST_LEVEL and (capot or not self.capot_only) else ()
            ):
                ends = (Bid(level, strain, capot) for level in (low, HIGHEST_LEVEL))
                yield between(*map(write, ends))

    def __str__(self) -> str:
        return f"{','.join(self.calls)},{self.level}{'c' * self.capot_only}+"


class ElseRevoke(NamedTuple):
    """One of a few plays; the fallback action is the revoke, which is not one of them.

    If it were, a seat about to lose more than a revoke costs could give up the deal.
    """

    actions: tuple[Play, ...]

    def __contains__(self, action: object) -> bool:
        return action in self.actions

    def sample(self, rng: random.Random) -> Action:
        """Pick one of the plays, all equally likely."""
        return rng.choice(self.actions)

    @property
    def fallback_action(self) -> Action:
        """The revoke."""
        return Penalty.REVOKE

    def outline(self, write: Callable[[Action], str]) -> Outline:
        """List the plays."""
        return {"words": list(map(write, self.actions))}

    def choices(self, write: Callable[[Action], str]) -> Iterator[Choice]:
        """The plays."""
        yield from (Word(write(action)) for action in self.actions)


def _bids_text(outline: Outline) -> str:
    words, low, high = ", ".join(outline["words"]), outline["from"], outline["to"]
    text = f"{words} or a bid from {low} to {high} in any of C, D, H, S, N"
    if outline["capot"] is None:
        return text
    return f"{text}, from {outline['capot']} on also with c for capot"


OUTLINES["blot.bids"] = _bids_text

_CALLS = {str(call): call for call in Call}
_BID = re.compile(r"(?P<level>0|[1-9][0-9]{0,3})(?P<strain>[CDHSN])(?P<capot>C?)", re.ASCII)
_CARDS = {str(card): card for card in PACK}


NO_CALL = Mistake("blot.call", "is not a call: expected P, X, XX or a bid such as 10S or 25Hc")
NO_CARD = Mistake("blot.card", "is not a card of blot: expected one such as 7H")
NO_ANNOUNCING_CARD = Mistake(
    "blot.announcing-card",
    "is not a card of blot: expected one such as 7H, or 7H+T to announce a tierce",
)


def read_call(line: str) -> Call | Bid:
    """Read `P`, `X`, `XX` or a bid such as `10S` or `25Hc`; raises `MalformedAnswer`."""
    text = plain(line)
    if text in _CALLS:
        return _CALLS[text]
    bid = _BID.fullmatch(text)
    if not bid:
        raise MalformedAnswer(NO_CALL, line)
    return Bid(int(bid["level"]), bid["strain"], bool(bid["capot"]))


def read_play(line: str, *, announcing: bool) -> Play:
    """Read a card such as `7H`, or `7H+4T` if bots announce; raises `MalformedAnswer`."""
    name, plus, classes = plain(line).partition("+")
    if name in _CARDS and not plus:
        return _CARDS[name]
    if (
        announcing
        and name in _CARDS
        and 0 < len(classes) <= TRICKS
        and set(classes) <= set(CLASSES)
    ):
        best_first = sorted(classes, key=CLASSES.index, reverse=True)
        return Announcing(_CARDS[name], "".join(best_first))
    raise MalformedAnswer(NO_ANNOUNCING_CARD if announcing else NO_CARD, line)
