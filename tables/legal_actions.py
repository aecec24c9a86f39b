"""What a seat may answer: sets of actions that can be queried, sampled and described.

A legal set is an object and not a list, because some are huge: a dealer may arrange 52 cards in 52!
orders.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple, Protocol

from card_arena.tables.cards import Card, cards

Action = object
"""Any action that a game's phases accept in `apply`: a comparable, hashable value."""


Outline = Mapping[str, Any]
"""What is allowed, as JSON: the words, both ends of a range, either of several, or cards."""


OUTLINES: dict[str, Callable[[Outline], str]] = {}
"""How the outlines of games' own legal actions are described, by their `kind`."""


def describe(outline: Outline) -> str:
    """Say in words what is allowed."""
    match outline:
        case {"kind": kind}:
            return OUTLINES[kind](outline)
        case {"words": words}:
            return ", ".join(words)
        case {"from": low, "to": high}:
            return f"{low} to {high}"
        case {"either": choices}:
            return " or ".join(map(describe, choices))
        case {"count": count, "cards": names, "forced": forced}:
            must = f", {', '.join(forced)} among them" if forced else ""
            return f"{count} different cards of {', '.join(names)}{must}"
        case {"pack": size}:
            return f"the {size} cards of the pack in some order"
    raise ValueError(f"{str(outline)[:80]} outlines no legal actions")


class LegalActions(Protocol):
    """A set of legal actions."""

    def __contains__(self, action: object) -> bool:
        """Return whether this action is allowed."""
        ...

    def sample(self, rng: random.Random) -> Action:
        """Pick one of the actions at random."""
        ...

    @property
    def fallback_action(self) -> Action:
        """The action that is taken for a seat that gives no legal answer.

        It need not be legal, if the rules punish such a seat.
        """
        ...

    def outline(self, write: Callable[[Action], str]) -> Outline:
        """Return what is allowed as data; `write` puts one action into words."""
        ...


class OneOf(NamedTuple):
    """One of a few actions; the first is the fallback action."""

    actions: tuple[Action, ...]

    def __contains__(self, action: object) -> bool:
        return action in self.actions

    def sample(self, rng: random.Random) -> Action:
        """Pick one of the actions, all equally likely."""
        return rng.choice(self.actions)

    @property
    def fallback_action(self) -> Action:
        """The first action."""
        return self.actions[0]

    def outline(self, write: Callable[[Action], str]) -> Outline:
        """List the actions."""
        return {"words": list(map(write, self.actions))}


class Between(NamedTuple):
    """An action that carries a whole number from `low` to `high`, both included.

    `make` turns a number into the action: `Between(Bet, 1, 190)`. An empty range allows nothing.
    """

    make: Callable[[int], Action]
    low: int
    high: int

    def __contains__(self, action: object) -> bool:
        amount = getattr(action, "amount", None)
        return (
            isinstance(amount, int)
            and self.low <= amount <= self.high
            and action == self.make(amount)
        )

    def sample(self, rng: random.Random) -> Action:
        """Pick a number from the range, all equally likely."""
        return self.make(rng.randint(self.low, self.high))

    @property
    def fallback_action(self) -> Action:
        """The action with the lowest number."""
        return self.make(self.low)

    def outline(self, write: Callable[[Action], str]) -> Outline:
        """Name both ends."""
        return {"from": write(self.make(self.low)), "to": write(self.make(self.high))}


class Either(NamedTuple):
    """An action of one of several choices; the fallback action is the first choice's."""

    choices: tuple[LegalActions, ...]

    def __contains__(self, action: object) -> bool:
        for choice in self.choices:  # noqa: SIM110 - any() would take four times as long
            if action in choice:
                return True
        return False

    def sample(self, rng: random.Random) -> Action:
        """Pick a choice, then one of its actions, so that a wide range doesn't drown out a word."""
        return rng.choice(self.choices).sample(rng)

    @property
    def fallback_action(self) -> Action:
        """The first choice's fallback action."""
        return self.choices[0].fallback_action

    def outline(self, write: Callable[[Action], str]) -> Outline:
        """List the choices."""
        return {"either": [choice.outline(write) for choice in self.choices]}


@dataclass(frozen=True, slots=True)
class Pick:
    """Several different cards out of `cards`, `forced` among them, picked in secret.

    An action is a frozenset of cards, as their order means nothing. `verb` says what the seat does
    with them, for people: "puts away".
    """

    count: int
    cards: tuple[Card, ...]
    forced: tuple[Card, ...] = ()
    verb: str = "picks"

    def __contains__(self, action: object) -> bool:
        return (
            isinstance(action, frozenset)
            and len(action) == self.count
            and action.issuperset(self.forced)
            and action.issubset((*self.forced, *self.cards))
        )

    def sample(self, rng: random.Random) -> frozenset[Card]:
        """Pick cards at random, every set equally likely."""
        free = [card for card in self.cards if card not in self.forced]
        return frozenset((*self.forced, *rng.sample(free, self.count - len(self.forced))))

    @property
    def fallback_action(self) -> frozenset[Card]:
        """The forced cards and the first of the others."""
        free = [card for card in self.cards if card not in self.forced]
        return frozenset((*self.forced, *free)[: self.count])

    def outline(self, write: Callable[[Action], str]) -> Outline:  # noqa: ARG002
        """Name the cards that can be picked, and those that must be."""
        return {"count": self.count, "cards": list(self.cards), "forced": list(self.forced)}


class Order(NamedTuple):
    """Every order of a pack of different cards, from which the dealer chooses.

    An action is a tuple of cards.
    """

    pack: tuple[Card, ...]

    def __contains__(self, action: object) -> bool:
        return (
            isinstance(action, tuple)
            and len(action) == len(self.pack)
            and set(action) == set(self.pack)
        )

    def sample(self, rng: random.Random) -> tuple[Card, ...]:
        """Shuffle the pack."""
        return tuple(rng.sample(self.pack, len(self.pack)))

    @property
    def fallback_action(self) -> tuple[Card, ...]:
        """The pack as it comes."""
        return self.pack

    def outline(self, write: Callable[[Action], str]) -> Outline:  # noqa: ARG002
        """Say how many cards there are to order."""
        return {"pack": len(self.pack)}

    def read(self, line: str) -> tuple[Card, ...]:
        """Read the output of `write`; raises `ValueError` for a word that is not a card."""
        return cards(line)

    def write(self, action: Action) -> str:
        """Write a pack as its cards one after another: `KC,6D,9H`."""
        assert isinstance(action, tuple), "an order is a tuple of cards"
        return ",".join(action)
