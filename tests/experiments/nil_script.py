"""A bidder of nil that plays from a script."""

from __future__ import annotations

from card_arena.tables.cards import cards
from card_arena.tables.legal_actions import Order
from card_arena.tables.registry import game
from card_arena.tests.tables.scripted import Said

SPADES = game("spades")


EXAMPLE = SPADES.example


class Script:
    """The dealer and all four seats: it says the example's next line, whoever is asked."""

    def __init__(self) -> None:
        self.answers = list(EXAMPLE.answers)

    def ask(self, words):
        return Said(self.answers.pop(0))

    def tell(self, line):
        pass

    def deal(self, choice):
        return cards(EXAMPLE.cards) if isinstance(choice, Order) else choice.fallback_action
