"""`arena people unlink`."""

from __future__ import annotations

from contextlib import closing

from accounts.storage.door import Door
from commands.printer import say
from results.store import Store


def people_unlink(email: str, reason: str, store: Store) -> None:
    with closing(Door(store.database.address)) as door:
        door.unlink(email, reason)
        say(f"{email} is linked to no other account; the next one with this address gets it")
