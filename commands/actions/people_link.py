"""`arena people link`."""

from __future__ import annotations

from contextlib import closing

from accounts.invitations import new_link
from accounts.storage.door import Door
from commands.printer import say
from results.store import Store


def people_link(email: str, host: str, port: int, public: str | None, store: Store) -> None:
    with closing(Door(store.database.address)) as door:
        made = new_link(door, email, public or f"http://{host}:{port}")
        say(f"{made.person.name} <{made.person.email}>: {made.link}")
