"""`arena people let-in`."""

from __future__ import annotations

from contextlib import closing

from commands.printer import say
from leaderboard.door.storage.door import Door
from leaderboard.storage.store import Store


def people_let_in(email: str, reason: str, store: Store) -> None:
    with closing(Door(store.database.address)) as door:
        door.let_in(email, reason)
        say(f"{email} can sign in again")
