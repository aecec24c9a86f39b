"""`arena people move`."""

from __future__ import annotations

from contextlib import closing

from accounts.ownership import demand_new
from accounts.storage.door import Door
from commands.printer import say
from results.store import Store


def people_move(email: str, team: str, store: Store) -> None:
    with closing(Door(store.database.address)) as door:
        demand_new(door, store, team)
        door.move_person(email, team)
        say(f"{email} is in {team}")
