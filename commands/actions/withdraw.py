"""`arena withdraw`."""

from __future__ import annotations

from commands.printer import say
from leaderboard.storage.store import Store


def withdraw(bot: str, undo: bool, store: Store) -> None:
    """Withdraw a bot from new seasons, or let it play again."""
    if undo:
        was_withdrawn = store.readmit(bot)
        say(f"{bot} {'plays again' if was_withdrawn else 'was not withdrawn'}")
    else:
        say(f"{bot} has been withdrawn since {store.withdraw(bot):%Y-%m-%d %H:%M} UTC")
