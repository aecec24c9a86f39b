"""Opening the database that a command is about."""

from __future__ import annotations

from contextlib import closing

from click import Context

from commands.printer import say
from results.store import Store


def open_store(context: Context, url: str, *, read_only: bool = False) -> Store:
    """Open a store until the command ends, and say which of its files had to be made private."""
    store = context.with_resource(closing(Store(url, read_only=read_only)))
    for path in store.database.closed:
        say(f"{path} was readable by others on this machine; now only you can read it", err=True)
    return store
