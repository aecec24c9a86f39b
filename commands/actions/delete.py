"""`arena delete`."""

from __future__ import annotations

import click

from commands.door import have_done
from commands.printer import say
from leaderboard.storage.store import Store


def delete(bot: str, store: Store) -> None:
    """Delete a version or a bot that was never in a season."""
    name, number = bot_and_number(bot)
    store.version(bot)  # a name that was never there is a mistake, and not a deletion
    say(have_done(store, "delete", name, number=number))


def bot_and_number(text: str) -> tuple[str, int | None]:
    """Read "davey" or "davey@3"; raises `click.UsageError`."""
    name, at, number = text.partition("@")
    if at and not (number.isascii() and number.isdigit() and 0 < len(number) < 9):
        raise click.UsageError(f"expected BOT or BOT@VERSION, such as davey@3; got {text[:80]!r}")
    return name, int(number) if at else None
