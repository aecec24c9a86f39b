"""`arena activate`."""

from __future__ import annotations

from commands.actions.delete import bot_and_number
from commands.door import have_done
from commands.printer import say
from leaderboard.storage.store import Store


def activate(bot: str, store: Store) -> None:
    """Choose the version of a bot that new seasons enter."""
    name, number = bot_and_number(bot)
    say(have_done(store, "activate", name, number=number))
