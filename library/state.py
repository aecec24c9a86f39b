"""A game as a value that is stepped: legal actions, apply, undo, clone, observation, resample."""

from __future__ import annotations

import random
from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from operator import index
from typing import TYPE_CHECKING, Any, Self

from card_arena.library.registry import Game
from card_arena.tables.game import IllegalAction

if TYPE_CHECKING:
    from card_arena.library.rules_state import RulesState

OVER = -2
"""`State.to_act` when the game is over."""

Pack = Sequence[int]
"""The order of a pack: the places of its cards in the pack's own order, the top card first."""


@dataclass(frozen=True)
class Packs:
    """Where the packs of a game come from: some are `given` by their number.

    `seeds` are states of the generator: that of number n shuffles pack n and those after it.
    """

    seeds: Mapping[int, int]
    given: Mapping[int, Pack] = field(default_factory=dict)


class State(ABC):
    """A position of a game, changed by `apply` and `undo`. Two are equal if their games are.

    `game`, `options` and `seats` never change.
    """

    __slots__ = ("_packs", "_path", "game", "options", "seats")

    game: Game
    options: Any
    seats: int

    def __init__(self, game: Game, options: Any, seats: int, packs: Packs) -> None:
        self.game, self.options, self.seats, self._packs = game, options, seats, packs
        self._path: list[int] = []

    @property
    @abstractmethod
    def to_act(self) -> int:
        """The seat that is to act; `OVER` at the end."""

    @property
    def is_over(self) -> bool:
        """Whether the game is over."""
        return self.to_act == OVER

    @abstractmethod
    def legal_actions(self) -> list[int]:
        """The numbers of the actions that can be taken now, ascending; none when it is over."""

    @abstractmethod
    def mask(self) -> bytes:
        """One byte for each action of the game: 1 if it can be taken now."""

    @abstractmethod
    def apply(self, action: int) -> None:
        """Take an action. If it is not legal, raises `IllegalAction` and changes nothing."""

    @abstractmethod
    def undo(self) -> None:
        """Take the last action back; raises `ValueError` if there is none."""

    @abstractmethod
    def clone(self) -> Self:
        """A copy that is played on by itself, and can be undone as far as this one."""

    @abstractmethod
    def observation(self, seat: int | None = None) -> memoryview:
        """What a seat may know, as whole numbers from -127 to 127, by `Game.layout`.

        Of the seat that is to act, if none is given; raises `ValueError` for no seat of the table.
        All are 0 when the game is over. The numbers hold everything that the seat has seen since
        the last deal, and in which order.
        """

    @abstractmethod
    def resample(self, seat: int, rng: random.Random) -> Self:
        """A position that the seat can't tell from this one, at random, all equally likely.

        The cards that the seat has not seen lie differently, but so that everybody could have acted
        as they did; packs to come are shuffled again. It can't be undone beyond this point.
        """

    @abstractmethod
    def returns(self) -> tuple[int, ...]:
        """The score of each seat when the game is over; raises `ValueError` before."""

    @abstractmethod
    def rules(self) -> RulesState:
        """The same position by the Python rules, with the phase that they define."""

    @property
    def path(self) -> tuple[int, ...]:
        """All actions since the beginning."""
        return tuple(self._path)

    def question(self, seat: int | None = None) -> str:
        """The question of the protocol in this position, with everything that a seat may know."""
        position = self.rules()
        return " ".join(position.words(self._checked(seat)))

    def text(self, action: int) -> str:
        """An action as a text: `KH`. It is an answer of the protocol, or a part of one.

        Raises `ValueError` for a number that no action has.
        """
        texts = (*self.game.actions, *self.game.penalties)
        if 0 <= index(action) < len(texts):
            return texts[action]
        if action >= len(texts) and self.game.numbering.offered:
            return f"+{action - len(texts)}"
        raise ValueError(f"{self.game.name} has no action {action}")

    def answer(self, line: str) -> None:
        """Apply the actions that an answer of the protocol stands for; raises `IllegalAction`."""
        for action in self.rules().actions_of(line):
            self.apply(action)

    def _checked(self, seat: int | None) -> int:
        """The seat that is meant: the one that is to act for None; raises `ValueError`."""
        if seat is None:
            return self.to_act
        if not 0 <= index(seat) < self.seats:
            raise ValueError(f"there is no seat {seat} at a table of {self.seats}")
        return index(seat)

    def _no_action(self) -> ValueError:
        return ValueError("there is no action to take back")

    def __repr__(self) -> str:
        return f"<{self.game.name}: {'over' if self.is_over else self.question()}>"

    def _illegal(self, action: int) -> IllegalAction:
        if self.is_over:
            return IllegalAction(f"action {action}: the game is over")
        legal = ", ".join(f"{one} ({self.text(one)})" for one in self.legal_actions())
        return IllegalAction(f"action {action} is not legal now: expected {legal}")
