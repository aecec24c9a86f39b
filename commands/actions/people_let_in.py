"""`arena people let-in`."""

from __future__ import annotations

from contextlib import closing

from accounts.storage.door import Door
from commands.printer import say
from results.store import Store


def people_let_in(email: str, reason: str, store: Store) -> None:
    with closing(Door(store.database.address)) as door:
        door.let_in(email, reason)
        say(f"{email} can sign in again")
