"""`arena people give-bots`."""

from __future__ import annotations

from contextlib import closing

from accounts.ownership import give_bots
from accounts.storage.door import Door
from commands.printer import say
from results.store import Store


def people_give_bots(team: str, store: Store) -> None:
    """Give a team the bots that somebody of its name is the author of."""
    with closing(Door(store.database.address)) as door:
        give_bots(door, store, door.team_named(team))
        say(f"the bots of {team} are the team's")
