"""`arena people rename-team`."""

from __future__ import annotations

from contextlib import closing

from accounts.ownership import demand_no_bots
from accounts.storage.door import Door
from commands.printer import say
from results.store import Store


def people_rename_team(team: str, name: str, store: Store) -> None:
    """Rename a team that has no bots yet; raises `BadAccount`."""
    with closing(Door(store.database.address)) as door:
        demand_no_bots(store, door.team_named(team), name)
        door.rename_team(team, name)
        say(f"{team} is called {name} now")
