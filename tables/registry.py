"""The games that the arena knows: one line each."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from card_arena.common.errors import UserError
from card_arena.common.lazy_mapping import LazyMapping
from card_arena.common.text import suggestion

if TYPE_CHECKING:
    from card_arena.tables.game import Game


class UnknownGame(UserError, LookupError):
    """There is no game with that name; the message suggests the nearest, or lists all."""


GAMES: Mapping[str, Game] = LazyMapping(
    {
        "blackjack": "card_arena.tables.blackjack:Blackjack",
        "spades": "card_arena.tables.spades:Spades",
        "blot": "card_arena.tables.blot:Blot",
        "tarot": "card_arena.tables.tarot:Tarot",
        "durak": "card_arena.tables.durak:Durak",
    }
)


def game(name: str) -> Game:
    """Find a game by its name; raises `UnknownGame`."""
    if name not in GAMES:
        raise UnknownGame(f"there is no game {name!r}: {suggestion(name, GAMES)}")
    return GAMES[name]
