"""`arena show stderr`."""

from __future__ import annotations

from card_arena.commands.printer import say
from card_arena.results.store import Store
from card_arena.verify.repro import written


def stderr(key: str, bot: str, only: int | None, store: Store) -> None:
    """Print what a bot wrote to standard error in a match, game by game."""
    games = list(written(store, key, bot, only))
    say("\n".join(games) or f"{bot} wrote nothing to standard error there")
