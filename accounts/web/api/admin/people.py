"""People on the admin pages: all of them, invitations, roles, teams, and who may come in."""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import Field

from card_arena.accounts import invitations
from card_arena.accounts.entries import (
    AdminTeam,
    AllLimits,
    InvitedPeople,
    Limits,
    People,
    Person,
    RosterLine,
    Student,
    TeamsRoster,
)
from card_arena.accounts.guests import MOST as MOST_GUESTS
from card_arena.accounts.guests import Guest
from card_arena.accounts.ownership import give_bots
from card_arena.accounts.storage.limits import LARGEST, LONGEST_GRACE, MOST
from card_arena.accounts.web.api.blueprint import Moment, Said, admin, sent
from card_arena.accounts.web.context import accounts_context
from card_arena.accounts.web.roster import (
    bots_of,
    matching,
    members_of,
    person_numbered,
    rename,
    team_numbered,
)
from card_arena.accounts.web.visitors import person, token_of_request
from card_arena.common.text import LONGEST_REASON
from card_arena.leaderboard.models import paged
from card_arena.leaderboard.web.api.answers import PageQuery, Query, one_page
from card_arena.leaderboard.web.pages.site import site

PERSON = "/admin/people/<int(max=999999999):person_id>"


class PeopleQuery(PageQuery):
    """Which people."""

    search: str = Field("", max_length=80)
    """Only those of whom the name, address, role, student number or a team holds this."""


class InvitedOne(Query):
    """Somebody who is to be invited."""

    name: Said = ""
    """The name; the address without one."""
    email: Said
    """The address."""
    team: Said = ""
    """The team that they join, which is made if it is new; one of their own without a name."""
    owns: bool = False
    """Whether the team is given the bots that somebody of the team's name is the author of."""
    number: Said = ""
    """The student number; empty for none."""


class Inviting(Query):
    """Those who are to be invited: all of them, or nobody if one can't be."""

    people: Annotated[tuple[InvitedOne, ...], Field(min_length=1, max_length=MOST_GUESTS)]
    """The people."""


@admin("GET /admin/people", People, 404)
def people(query: PeopleQuery) -> Any:
    """Everybody with an account, in order of name."""
    found = matching(accounts_context().accounts.people(), query.search)
    return one_page(People.of(paged(found, query.page, query.size)), query)


@admin("POST /admin/people", InvitedPeople, json=Inviting, status=(201,))
def invite() -> Any:
    """Invite one author or many, who get their one-time links by mail."""
    said, context = sent(Inviting), accounts_context()
    made = invitations.invite(
        context.accounts,
        site().store,
        [
            Guest(each.name or each.email, each.email, each.team, each.owns, each.number)
            for each in said.people
        ],
        "author",
        person(),
        context.site,
        context.mailroom,
        by_mail=True,
        token=token_of_request(),
    )
    return InvitedPeople(items=[each.person for each in made]), 201


@admin(f"GET {PERSON}", Person, 404)
def one(person_id: int) -> Person:
    """Somebody with an account."""
    return person_numbered(person_id)


@admin(f"POST {PERSON}/link", Person, 404)
def send_link(person_id: int) -> Person:
    """Send somebody a one-time link, which ends the older ones."""
    context, email = accounts_context(), person_numbered(person_id).email
    token = token_of_request()
    invitations.send_link(
        context.accounts, email, context.site, person().id, context.mailroom, token
    )
    return person_numbered(person_id)


class NewLimits(Query):
    """The limits of uploads; null or missing fields use the default."""

    a_day: int | None = Field(None, ge=1, le=MOST)
    """Uploads in 24 hours."""
    deadline: Moment | None = None
    """Until when."""
    grace: int | None = Field(None, ge=0, le=int(LONGEST_GRACE.total_seconds()))
    """For how many seconds after the deadline an upload is taken and marked late."""
    size: int | None = Field(None, ge=1, le=LARGEST)
    """The most bytes of an upload."""
    bots: int | None = Field(None, ge=1, le=MOST)
    """The most bots of a team."""
    bots_a_person: int | None = Field(None, ge=1, le=MOST)
    """The most bots of one person."""
    reason: Said = Field("", max_length=LONGEST_REASON)
    """Why."""


def limits_sent() -> Limits:
    """The limits that came with the request; raises `BadParameter`."""
    return Limits.model_validate(sent(NewLimits))


@admin("GET /admin/limits", AllLimits)
def limits() -> AllLimits:
    """The limits of uploads, for everybody and for single teams."""
    return _shape()


@admin("PUT /admin/limits", AllLimits, json=NewLimits)
def limit_everybody() -> AllLimits:
    """Replace the limits for everybody."""
    accounts_context().accounts.set_limits(limits_sent(), None, person().id)
    return _shape()


@admin("DELETE /admin/limits", AllLimits)
def everybody_as_usual() -> AllLimits:
    """Reset the limits for everybody to those of `arena.yaml`."""
    accounts_context().accounts.clear_limits(None, person().id)
    return _shape()


def _shape() -> AllLimits:
    context = accounts_context()
    everybody, teams = context.accounts.limits()
    return AllLimits.of(context.settings.quota, everybody or Limits(), teams)


class NewExcuse(Query):
    """What a person is excused."""

    reason: Said = Field(min_length=1, max_length=LONGEST_REASON)
    """Why, which stays in the log and stands in the marks."""
    deadline: Moment | None = None
    """A later deadline for this person alone; null for the same as others have."""


@admin(f"GET {PERSON}/student", Student, 404)
def student(person_id: int) -> Student:
    """What a course knows of a person."""
    return _student_shape(person_id)


@admin(f"PUT {PERSON}/student/excuse", Student, 404, json=NewExcuse)
def excuse(person_id: int) -> Student:
    """Excuse a person, in place of an excuse before."""
    found, said = person_numbered(person_id), sent(NewExcuse)
    accounts_context().accounts.excuse(found.email, said.reason, said.deadline, person().id)
    return _student_shape(person_id)


@admin(f"DELETE {PERSON}/student/excuse", Student, 404)
def take_excuse_back(person_id: int) -> Student:
    """Take a person's excuse back."""
    accounts_context().accounts.take_excuse_back(person_numbered(person_id).email, person().id)
    return _student_shape(person_id)


def _student_shape(person_id: int) -> Student:
    return accounts_context().accounts.student(person_numbered(person_id).id)


TEAM = "/admin/teams/<int(max=999999999):team_id>"


class NewName(Query):
    """What something is called from now on."""

    name: Said
    """The name."""


@admin("GET /admin/teams", TeamsRoster, 404)
def teams(query: PageQuery) -> Any:
    """Every team, in order of name."""
    return one_page(
        TeamsRoster.of(paged(accounts_context().accounts.teams(), query.page, query.size)), query
    )


@admin(f"GET {TEAM}", AdminTeam, 404)
def team(team_id: int) -> AdminTeam:
    """A team: its people, its bots and its limits."""
    return _team_shape(team_numbered(team_id))


@admin(f"POST {TEAM}/name", AdminTeam, 404, json=NewName)
def rename_team(team_id: int) -> AdminTeam:
    """Rename a team that has no bots yet."""
    rename(team_numbered(team_id), sent(NewName).name, person())
    return _team_shape(team_numbered(team_id))


@admin(f"POST {TEAM}/bots", AdminTeam, 404)
def give_team_bots(team_id: int) -> AdminTeam:
    """Give a team the bots that somebody of its name is the author of."""
    give_bots(accounts_context().accounts, site().store, team_numbered(team_id), person().id)
    return _team_shape(team_numbered(team_id))


@admin(f"PUT {TEAM}/limits", AdminTeam, 404, 405, json=NewLimits)
def limit_team(team_id: int) -> AdminTeam:
    """Replace the limits of a team."""
    found = team_numbered(team_id)
    accounts_context().accounts.set_limits(limits_sent(), found.name, person().id)
    return _team_shape(found)


@admin(f"DELETE {TEAM}/limits", AdminTeam, 404, 405)
def team_as_usual(team_id: int) -> AdminTeam:
    """Reset the limits of a team to those for everybody."""
    found = team_numbered(team_id)
    accounts_context().accounts.clear_limits(found.name, person().id)
    return _team_shape(found)


def _team_shape(found: RosterLine) -> AdminTeam:
    context = accounts_context()
    _, limits = context.accounts.limits()
    return AdminTeam(
        **dict(found),
        people=members_of(found),
        bots=[line.bot for line in bots_of(found)],
        quota=context.limits_for(found),
        limits=limits.get(found, Limits()),
    )
