"""`arena people shut-out`."""

from __future__ import annotations

from contextlib import closing

from commands.printer import say
from leaderboard.door.storage.door import Door
from leaderboard.storage.store import Store


def people_shut_out(email: str, reason: str, store: Store) -> None:
    """Shut somebody out, and end their sessions, links and tokens for good."""
    with closing(Door(store.database.address)) as door:
        door.shut_out(email, reason)
        say(f"{email} is shut out")
