"""Phases common to several games: the dealer's work, and whose turn it is.

Phases that are made at every turn are NamedTuples, which are as immutable as frozen dataclasses and
made in a quarter of the time.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence

from tables.cards import RANKS, SUITS, Card
from tables.choices import Action, Choice, Order
from tables.game import DEALER, IllegalAction, MalformedAnswer, News, Over, Phase, Question, Seat


def illegal(phase: Phase, action: Action) -> IllegalAction:
    """The error for an action that this phase does not allow."""
    legal = phase.legal_actions(phase.to_act)
    return IllegalAction(f"{action} is not allowed now: expected {legal.describe(phase.write)}")


class Shuffle(ABC):
    """The dealer is asked to put a pack in order: a phase that only needs `pack` and `dealt`."""

    __slots__ = ()

    @property
    @abstractmethod
    def pack(self) -> tuple[Card, ...]:
        """The cards to be shuffled, in the order that the recipe starts from."""

    @abstractmethod
    def dealt(self, order: tuple[Card, ...]) -> tuple[Phase | Over, Sequence[News]]:
        """The next phase when the pack lies in this order, its first card on top."""

    @property
    def to_act(self) -> Seat:
        """The dealer."""
        return DEALER

    def legal_actions(self, seat: Seat) -> Choice:  # noqa: ARG002
        """Every order of the pack."""
        return Order(self.pack)

    def question(self, seat: Seat) -> Question:
        """Nobody is asked while the dealer shuffles."""
        raise LookupError(f"seat {seat} has nothing to answer while the dealer shuffles")

    def read(self, line: str) -> Action:
        """Read a pack written as `KC,6D,...`."""
        try:
            return Order(self.pack).read(line)
        except ValueError as error:
            raise MalformedAnswer(str(error)) from error

    def write(self, action: Action) -> str:
        """Write a pack as `KC,6D,...`."""
        return Order(self.pack).write(action)

    def apply(self, action: Action) -> tuple[Phase | Over, Sequence[News]]:
        """Put the pack on the table and deal."""
        if not isinstance(action, tuple) or action not in Order(self.pack):
            raise IllegalAction(f"the dealer must put all {len(self.pack)} cards in some order")
        return self.dealt(action)


class Draw(Shuffle):
    """Four cards are turned over, one a seat from seat 0 on: the highest deals first.

    Of equal ranks the one whose suit is higher deals: clubs, diamonds, hearts, spades.
    """

    __slots__ = ()

    @abstractmethod
    def drawn(self, dealer: Seat) -> Phase:
        """The next phase when this seat has drawn the highest card."""

    def dealt(self, order: tuple[Card, ...]) -> tuple[Phase | Over, Sequence[News]]:
        """Find the first dealer."""
        heights = [(RANKS.index(card.rank), SUITS.index(card.suit)) for card in order[:4]]
        return self.drawn(heights.index(max(heights))), ()
