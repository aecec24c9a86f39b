"""`arena people rename-team`."""

from __future__ import annotations

from contextlib import closing

from commands.printer import say
from leaderboard.door.ownership import demand_no_bots
from leaderboard.door.storage.door import Door
from leaderboard.storage.store import Store


def people_rename_team(team: str, name: str, store: Store) -> None:
    """Rename a team that has no bots yet; raises `BadAccount`."""
    with closing(Door(store.database.address)) as door:
        demand_no_bots(store, door.team_named(team), name)
        door.rename_team(team, name)
        say(f"{team} is called {name} now")
