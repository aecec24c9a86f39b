"""The games that the arena knows: one line each."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from common.did_you_mean import meant
from common.errors import UserError
from tables.blackjack import Blackjack
from tables.blot import Blot
from tables.durak import Durak
from tables.game import Game
from tables.spades import Spades
from tables.tarot import Tarot


class UnknownGame(UserError, LookupError):
    """There is no game of that name; the message names the nearest, or all there are."""


GAMES: Mapping[str, Game] = MappingProxyType(
    {game.name: game for game in (Blackjack(), Spades(), Blot(), Tarot(), Durak())}
)


def game(name: str) -> Game:
    """Find a game by its name; raises `UnknownGame`."""
    try:
        return GAMES[name]
    except KeyError:
        raise UnknownGame(f"there is no game {name!r}: {meant(name, GAMES)}") from None
