"""`arena tag`."""

from __future__ import annotations

from collections.abc import Sequence

import click

from commands.door import have_done
from commands.printer import say, say_shape
from commands.shapes.of_arena import Tags
from results.store import Store
from tournament.operations import tagged


def tag(bot: str, tags: Sequence[str], remove: bool, as_json: bool, store: Store) -> None:
    if remove and not tags:
        raise click.UsageError("--remove needs the tags to remove")
    said = have_done(store, "untag" if remove else "tag", bot, tags=[*tags]) if tags else ""
    if as_json:
        say_shape(Tags(bot=bot, tags=tuple(store.tag(bot, ()))))
        return
    say(said or tagged(bot, store.tag(bot, ())))
