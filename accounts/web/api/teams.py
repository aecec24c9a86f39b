"""One's own teams: who is in them, who is invited, joining and leaving."""

from __future__ import annotations

from typing import Literal

from werkzeug.exceptions import NotFound

from accounts import invitations, shapes
from accounts.entries import Team
from accounts.shapes import Invitations, MyTeams, TeamName, TeamShape
from accounts.storage.people import BadAccount
from accounts.web.access import Needs, needs, own_team
from accounts.web.api.blueprint import SECURITY, Said, blueprint, sent
from accounts.web.opened import opened
from accounts.web.visitors import person, token_of_request
from leaderboard.web.api.answers import Query
from leaderboard.web.api.description import Answers, api

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


@blueprint.get("/me/teams")
@needs(Needs.PERSON)
@api.validate(resp=Answers(MyTeams, 401, 403, kept=False), tags=["people"], security=SECURITY)
def my_teams() -> MyTeams:
    """The teams that I am in."""
    return shapes.my_teams(person())


@blueprint.get("/me/invitations")
@needs(Needs.PERSON)
@api.validate(resp=Answers(Invitations, 401, 403, kept=False), tags=["people"], security=SECURITY)
def my_invitations() -> Invitations:
    """The teams that I am invited to."""
    return shapes.invitations(opened().door.invitations_for(person()))


@blueprint.post("/me/invitations/<int(max=999999999):invitation_id>")
@needs(Needs.TEAM, "manage")
@api.validate(
    json=Reply,
    resp=Answers(TeamName, 401, 403, 404, kept=False),
    skip_validation=True,
    tags=["people"],
    security=SECURITY,
)
def reply(invitation_id: int) -> TeamName:
    """Join the team that I am invited to, or don't; the answer is the team."""
    who, door = person(), opened().door
    if invitation_id not in {each.id for each in door.invitations_for(who)}:
        raise NotFound("There is no such invitation for you.")
    found = door.answer_invitation(who, invitation_id, joins=sent(Reply).answer == "join")
    if found is None:
        raise NotFound("There is no such invitation for you.")
    return TeamName.model_validate(found)


@blueprint.get(TEAM)
@needs(Needs.TEAM)
@api.validate(
    resp=Answers(TeamShape, 401, 403, 404, kept=False), tags=["people"], security=SECURITY
)
def my_team(team_id: int) -> TeamShape:
    """Who is in my team, and who is invited."""
    return _shape(own_team(person(), team_id))


@blueprint.post(f"{TEAM}/invitations")
@needs(Needs.TEAM, "manage")
@api.validate(
    json=Asked,
    resp=Answers(TeamShape, 401, 403, 404, kept=False),
    skip_validation=True,
    tags=["people"],
    security=SECURITY,
)
def ask_in(team_id: int) -> TeamShape:
    """Invite somebody to my team; where letters are sent, they get one."""
    who, there = person(), opened()
    found = own_team(who, team_id)
    invitations.ask_in(
        there.door,
        who,
        found,
        sent(Asked).email,
        there.settings.team_size,
        there.site,
        there.mailroom,
        token_of_request(),
    )
    return _shape(found)


@blueprint.delete(f"{TEAM}/invitations/<int(max=999999999):invitation_id>")
@needs(Needs.TEAM, "manage")
@api.validate(
    resp=Answers(TeamShape, 401, 403, 404, kept=False), tags=["people"], security=SECURITY
)
def take_back(team_id: int, invitation_id: int) -> TeamShape:
    """Take an invitation back."""
    who = person()
    found = own_team(who, team_id)
    if not opened().door.take_back(who.id, found.id, invitation_id):
        raise NotFound("This team has asked nobody in under this number.")
    return _shape(found)


@blueprint.post(f"{TEAM}/leave")
@needs(Needs.TEAM, "manage")
@api.validate(
    json=Leaving,
    resp=Answers(MyTeams, 401, 403, 404, kept=False),
    skip_validation=True,
    tags=["people"],
    security=SECURITY,
)
def leave_team(team_id: int) -> MyTeams:
    """Leave a team; the answer is the teams that are left."""
    who, door = person(), opened().door
    found = own_team(who, team_id)
    if not sent(Leaving).sure:
        raise BadAccount("say that you are sure")
    door.leave_team(who, found.id)
    left = door.person(who.id)
    assert left is not None
    return shapes.my_teams(left)


def _shape(found: Team) -> TeamShape:
    there = opened()
    return shapes.team(
        found,
        there.door.members(found.id),
        there.door.invitations(found.id),
        there.settings.team_size,
    )
