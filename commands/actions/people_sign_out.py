"""`arena people sign-out`."""

from __future__ import annotations

from contextlib import closing

from commands.printer import say
from leaderboard.door.storage.door import Door
from leaderboard.storage.store import Store


def people_sign_out(email: str, reason: str, store: Store) -> None:
    with closing(Door(store.database.address)) as door:
        door.end_access(email, reason)
        say(f"{email} is signed out everywhere, and their links and tokens have ended")
