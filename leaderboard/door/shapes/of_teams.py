"""Teams, for programs: as their members see them, and as organisers do."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from leaderboard.door.entries import Invitation, Limits, Person, Quota, Team
from leaderboard.door.shapes.of_limits import LimitsShape, QuotaShape
from leaderboard.door.shapes.of_limits import limits as limits_shape
from leaderboard.door.shapes.of_limits import quota as quota_shape
from leaderboard.door.shapes.of_people import PersonShape
from leaderboard.door.shapes.of_people import person as person_shape
from leaderboard.door.storage.roster import Roster
from leaderboard.shapes.base import PageShape, Shape, Text
from leaderboard.views.paging import Page


class TeamName(Shape):
    """A team in a list."""

    id: int
    """Its number."""
    name: Text
    """Its name, which is the author of its bots."""


class MyTeams(Shape):
    """The teams that somebody is in."""

    items: tuple[TeamName, ...]
    """The teams, in order of name."""


class InvitationShape(Shape):
    """Somebody is invited to a team, and has not answered."""

    id: int
    """Its number."""
    team: TeamName
    """The team."""
    email: Text
    """The address of whoever is invited."""
    by: Text
    """The member who invites them."""
    made: datetime
    """Since when."""


class Invitations(Shape):
    """The teams that somebody is invited to."""

    items: tuple[InvitationShape, ...]
    """The invitations, the oldest first."""


class TeamShape(TeamName):
    """A team as its members see it."""

    members: tuple[Text, ...]
    """The names of its members."""
    asked: tuple[InvitationShape, ...]
    """Who is invited and has not answered, the oldest first."""
    most: int
    """How many people it may have, with those who are invited."""


class RosterLine(TeamName):
    """A team in the organisers' list."""

    members: int
    """How many members it has."""
    uploads: int
    """How many uploads it handed in."""


class TeamsRoster(PageShape):
    """Every team."""

    items: tuple[RosterLine, ...]
    """The teams of this page, in order of name."""


class TeamAtDesk(RosterLine):
    """A team as organisers see it."""

    people: tuple[PersonShape, ...]
    """Its members."""
    bots: tuple[str, ...]
    """The names of its bots."""
    quota: QuotaShape
    """What it may hand in now."""
    limits: LimitsShape
    """What is set for it alone."""


def my_teams(person: Person) -> MyTeams:
    return MyTeams(items=tuple(map(TeamName.model_validate, person.teams)))


def invitations(found: Sequence[Invitation]) -> Invitations:
    return Invitations(items=tuple(map(InvitationShape.model_validate, found)))


def team(found: Team, members: Sequence[str], asked: Sequence[Invitation], most: int) -> TeamShape:
    return TeamShape(
        id=found.id,
        name=found.name,
        members=tuple(members),
        asked=invitations(asked).items,
        most=most,
    )


def roster(page: Page[Roster]) -> TeamsRoster:
    items = tuple(RosterLine(**_facts(each)) for each in page.items)
    return TeamsRoster.of(page, items=items)


def at_desk(
    found: Roster, people: Sequence[Person], bots: Sequence[str], quota: Quota, limits: Limits
) -> TeamAtDesk:
    return TeamAtDesk(
        **_facts(found),
        people=tuple(map(person_shape, people)),
        bots=tuple(bots),
        quota=quota_shape(quota),
        limits=limits_shape(limits),
    )


def _facts(found: Roster) -> dict[str, object]:
    return {
        "id": found.team.id,
        "name": found.team.name,
        "members": found.members,
        "uploads": found.uploads,
    }
