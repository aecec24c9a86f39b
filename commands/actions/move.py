"""`arena move`."""

from __future__ import annotations

import click

from commands.door import have_done
from commands.printer import say
from results.store import Store


def move(bot: str, name: str | None, author: str | None, reason: str, store: Store) -> None:
    if name is None and author is None:
        raise click.UsageError("say what changes: --name, --author or both")
    said = {key: value for key, value in (("name", name), ("author", author)) if value is not None}
    say(have_done(store, "move", bot, **said, reason=reason))
