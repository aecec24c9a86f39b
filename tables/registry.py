"""The games that the arena knows: one line each."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from common.errors import UserError
from common.lazy_mapping import LazyMapping
from common.text import suggestion

if TYPE_CHECKING:
    from tables.game import Game


class UnknownGame(UserError, LookupError):
    """There is no game with that name; the message suggests the nearest, or lists all."""


GAMES: Mapping[str, Game] = LazyMapping(
    {
        "blackjack": "tables.blackjack:Blackjack",
        "spades": "tables.spades:Spades",
        "blot": "tables.blot:Blot",
        "tarot": "tables.tarot:Tarot",
        "durak": "tables.durak:Durak",
    }
)


def game(name: str) -> Game:
    """Find a game by its name; raises `UnknownGame`."""
    if name not in GAMES:
        raise UnknownGame(f"there is no game {name!r}: {suggestion(name, GAMES)}")
    return GAMES[name]
