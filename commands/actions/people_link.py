"""`arena people link`."""

from __future__ import annotations

from contextlib import closing

from commands.printer import say
from leaderboard.door.storage.door import Door
from leaderboard.storage.store import Store


def people_link(email: str, host: str, port: int, public: str | None, store: Store) -> None:
    """Print a new one-time link for somebody."""
    with closing(Door(store.database.address)) as door:
        person, secret = door.new_link(email)
        say(f"{person.name} <{person.email}>: {public or f'http://{host}:{port}'}/sign-in/{secret}")
