"""`arena people number`."""

from __future__ import annotations

from contextlib import closing

from accounts.storage.door import Door
from commands.printer import say
from results.store import Store


def people_number(email: str, number: str, store: Store) -> None:
    with closing(Door(store.database.address)) as door:
        door.set_number(email, number)
        say(f"{email} has the student number {number}" if number else f"{email} has no number")
