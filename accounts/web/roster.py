"""People and teams as organisers look them up and change them, on pages and by programs."""

from __future__ import annotations

from collections.abc import Sequence

from werkzeug.exceptions import NotFound

from card_arena.accounts.entries import Person, RosterLine, Team
from card_arena.accounts.ownership import demand_no_bots
from card_arena.accounts.web.context import accounts_context
from card_arena.leaderboard.bots import Bot, bots
from card_arena.leaderboard.web.pages.site import matches_search, site


def matching(people: Sequence[Person], searched: str) -> Sequence[Person]:
    """Those of whom the name, address, role, number or a team holds what is searched for."""
    numbers = {
        who: student.number for who, student in accounts_context().accounts.students().items()
    }
    return [
        one
        for one in people
        if matches_search(
            searched,
            *(one.name, one.email, one.role, numbers.get(one.id, "")),
            *(team.name for team in one.teams),
        )
    ]


def person_numbered(number: int) -> Person:
    """Somebody by their number, also who is suspended; raises `NotFound`."""
    found = next((one for one in accounts_context().accounts.people() if one.id == number), None)
    if found is None:
        raise NotFound("Nobody here has this number.")
    return found


def team_numbered(number: int) -> RosterLine:
    """A team by its number; raises `NotFound`."""
    found = next((each for each in accounts_context().accounts.teams() if each.id == number), None)
    if found is None:
        raise NotFound("No team has this number.")
    return found


def members_of(team: Team) -> Sequence[Person]:
    """The people of a team, those who are suspended as well."""
    return [one for one in accounts_context().accounts.people() if team in one.teams]


def bots_of(team: Team) -> Sequence[Bot]:
    return [line for line in bots(site().store) if line.author == team.author]


def rename(team: Team, name: str, by: Person) -> None:
    """Rename a team that has no bots yet; raises `BadAccount`."""
    demand_no_bots(site().store, team, name)
    accounts_context().accounts.rename_team(team.name, name, by.id)
