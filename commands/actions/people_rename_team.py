"""`arena people rename-team`."""

from __future__ import annotations

from contextlib import closing

from commands.printer import say
from leaderboard.door.renaming import demand_no_bots
from leaderboard.door.storage.door import Door
from leaderboard.storage.store import Store


def people_rename_team(team: str, name: str, store: Store) -> None:
    """Rename a team that has no bots yet; raises `BadAccount`."""
    demand_no_bots(store, team, name)
    with closing(Door(store.database.address)) as door:
        door.rename_team(team, name)
        say(f"{team} is called {name} now")
