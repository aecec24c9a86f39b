"""`arena tag`."""

from __future__ import annotations

from collections.abc import Sequence

import click

from commands.printer import say
from leaderboard.storage.store import Store


def tag(bot: str, tags: Sequence[str], remove: bool, store: Store) -> None:
    """Add tags to a bot or remove them, and print the tags that it has then."""
    if remove and not tags:
        raise click.UsageError("--remove needs the tags to remove")
    tagged = store.untag(bot, tags) if remove else store.tag(bot, tags)
    say(f"{bot} is tagged {', '.join(tagged)}" if tagged else f"{bot} has no tags")
