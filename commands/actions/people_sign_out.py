"""`arena people sign-out`."""

from __future__ import annotations

from contextlib import closing

from accounts.storage.door import Door
from commands.printer import say
from results.store import Store


def people_sign_out(email: str, reason: str, store: Store) -> None:
    with closing(Door(store.database.address)) as door:
        door.end_access(email, reason)
        say(f"{email} is signed out everywhere, and their links and tokens have ended")
