"""`arena activate`."""

from __future__ import annotations

from collections.abc import Sequence

import click

from commands.actions.delete import bot_and_number
from commands.door import have_done
from commands.printer import say
from commands.several import demand
from results.store import Store


def activate(bots: Sequence[str], store: Store) -> None:
    """Choose the versions of bots that new seasons enter: all of them or none."""
    chosen = [bot_and_number(bot) for bot in dict.fromkeys(bots)]
    names = [name for name, _ in chosen]
    twice = sorted({name for name in names if names.count(name) > 1})
    if twice:
        raise click.UsageError(f"expected one version of each bot; got several of {twice[0]}")
    demand(bots, store.version)
    for name, number in chosen:
        say(have_done(store, "activate", name, number=number))
