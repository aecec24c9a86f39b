"""`arena people shut-out`."""

from __future__ import annotations

from contextlib import closing

from accounts.storage.door import Door
from commands.printer import say
from results.store import Store


def people_shut_out(email: str, reason: str, store: Store) -> None:
    """Shut somebody out, and end their sessions, links and tokens for good."""
    with closing(Door(store.database.address)) as door:
        door.shut_out(email, reason)
        say(f"{email} is shut out")
