"""One's own teams: who is in them, who is invited, joining and leaving."""

from __future__ import annotations

from typing import Literal

from werkzeug.exceptions import NotFound

from card_arena.accounts import invitations
from card_arena.accounts.entries import Invitations, MyTeams, OwnTeam, Team
from card_arena.accounts.storage.people import BadAccount
from card_arena.accounts.web.access import own_team
from card_arena.accounts.web.api.blueprint import Said, in_team, sent, signed_in
from card_arena.accounts.web.context import accounts_context
from card_arena.accounts.web.visitors import person, token_of_request
from card_arena.leaderboard.web.api.answers import Query

TEAM = "/teams/<int(max=999999999):team_id>"


class Asked(Query):
    """Somebody who is invited to a team."""

    email: Said
    """The address."""


class Leaving(Query):
    """That somebody leaves a team."""

    sure: bool = False
    """True: somebody else has to invite you to come back."""


class Reply(Query):
    """What somebody answers who is invited to a team."""

    answer: Literal["join", "decline"]
    """Whether they join."""


@signed_in("GET /me/teams", MyTeams)
def my_teams() -> MyTeams:
    """The teams that I am in."""
    return MyTeams(items=person().teams)


@signed_in("GET /me/invitations", Invitations)
def my_invitations() -> Invitations:
    """The teams that I am invited to."""
    return Invitations(items=accounts_context().accounts.invitations_for(person()))


@in_team(
    "POST /me/invitations/<int(max=999999999):invitation_id>", Team, 404, scope="manage", json=Reply
)
def reply(invitation_id: int) -> Team:
    """Join the team that I am invited to, or don't; the answer is the team."""
    who, accounts = person(), accounts_context().accounts
    if invitation_id not in {each.id for each in accounts.invitations_for(who)}:
        raise NotFound("There is no such invitation for you.")
    found = accounts.answer_invitation(who, invitation_id, joins=sent(Reply).answer == "join")
    if found is None:
        raise NotFound("There is no such invitation for you.")
    return found


@in_team(f"GET {TEAM}", OwnTeam, 404)
def my_team(team_id: int) -> OwnTeam:
    """Who is in my team, and who is invited."""
    return _seen(own_team(person(), team_id))


@in_team(f"POST {TEAM}/invitations", OwnTeam, 404, scope="manage", json=Asked)
def invite_member(team_id: int) -> OwnTeam:
    """Invite somebody to my team, by email if a mail server is configured."""
    who, context = person(), accounts_context()
    found = own_team(who, team_id)
    invitations.invite_member(
        context.accounts,
        who,
        found,
        sent(Asked).email,
        context.settings.team_size,
        context.site,
        context.mailroom,
        token_of_request(),
    )
    return _seen(found)


@in_team(
    f"DELETE {TEAM}/invitations/<int(max=999999999):invitation_id>", OwnTeam, 404, scope="manage"
)
def withdraw_invitation(team_id: int, invitation_id: int) -> OwnTeam:
    """Take an invitation back."""
    who = person()
    found = own_team(who, team_id)
    if not accounts_context().accounts.withdraw_invitation(who.id, found.id, invitation_id):
        raise NotFound("This team has asked nobody in under this number.")
    return _seen(found)


@in_team(f"POST {TEAM}/leave", MyTeams, 404, scope="manage", json=Leaving)
def leave_team(team_id: int) -> MyTeams:
    """Leave a team; the answer is the teams that are left."""
    who, accounts = person(), accounts_context().accounts
    found = own_team(who, team_id)
    if not sent(Leaving).sure:
        raise BadAccount("say that you are sure")
    accounts.leave_team(who, found.id)
    left = accounts.person(who.id)
    assert left is not None
    return MyTeams(items=left.teams)


def _seen(found: Team) -> OwnTeam:
    context = accounts_context()
    return OwnTeam(
        **dict(found),
        members=context.accounts.members(found.id),
        asked=context.accounts.invitations(found.id),
        most=context.settings.team_size,
    )
