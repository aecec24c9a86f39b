"""`arena people role`."""

from __future__ import annotations

from contextlib import closing

from accounts.entries import Role
from accounts.storage.door import Door
from commands.printer import say
from results.store import Store


def people_role(email: str, role: Role, store: Store) -> None:
    with closing(Door(store.database.address)) as door:
        door.set_role(email, role)
        say(f"{email} is an {role}")
