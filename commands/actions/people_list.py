"""`arena people list`."""

from __future__ import annotations

from contextlib import closing

from commands.printer import say, say_shape
from leaderboard.door.shapes import of_people
from leaderboard.door.storage.door import Door
from leaderboard.storage.store import Store
from leaderboard.views.paging import Page


def people_list(as_json: bool, store: Store) -> None:
    """Print everybody with an account, a line each."""
    with closing(Door(store.database.address)) as door:
        found = door.people()
        if as_json:
            say_shape(of_people.people(Page(tuple(found), 1, len(found), max(1, len(found)))))
            return
        for person in found:
            teams = ", ".join(team.name for team in person.teams) or "no team"
            out = f", shut out since {person.shut_out:%Y-%m-%d}" if person.shut_out else ""
            say(f"{person.name} <{person.email}>: {person.role}, {teams}{out}")
