"""People at the desk: all of them, invitations, roles, teams, and who may come in."""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import Field

from leaderboard.door import inviting
from leaderboard.door.guests import MOST, Guest
from leaderboard.door.shapes import of_people
from leaderboard.door.shapes.of_people import InvitedPeople, People, PersonShape
from leaderboard.door.web.access import Needs, needs
from leaderboard.door.web.api.blueprint import SECURITY, blueprint
from leaderboard.door.web.api.reading import Said, sent
from leaderboard.door.web.opened import opened
from leaderboard.door.web.roster import matching, move, person_numbered
from leaderboard.door.web.visitors import person, token_of_request
from leaderboard.proof.ledger import LONGEST_REASON
from leaderboard.views.paging import paged
from leaderboard.web.api.answers import PageQuery, Query, one_page
from leaderboard.web.api.description import Answers, api
from leaderboard.web.pages.site import site

PERSON = "/desk/people/<int(max=999999999):person_id>"


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

    people: Annotated[tuple[InvitedOne, ...], Field(min_length=1, max_length=MOST)]
    """The people."""


class NewTeam(Query):
    """The team that somebody is in from now on, and in no other."""

    team: Said
    """The team's name; it is made if it is new."""


class Reason(Query):
    """Why something is done."""

    reason: Said = Field(min_length=1, max_length=LONGEST_REASON)
    """The reason, which stays in the log."""


@blueprint.get("/desk/people")
@needs(Needs.ORGANISER, "manage")
@api.validate(resp=Answers(People, 401, 403, 404, kept=False), tags=["desk"], security=SECURITY)
def people(query: PeopleQuery) -> Any:
    """Everybody with an account, in order of name."""
    found = matching(opened().door.people(), query.search)
    return one_page(of_people.people(paged(found, query.page, query.size)), query)


@blueprint.post("/desk/people")
@needs(Needs.ORGANISER, "manage")
@api.validate(
    json=Inviting,
    resp=Answers(InvitedPeople, 401, 403, status=(201,), kept=False),
    skip_validation=True,
    tags=["desk"],
    security=SECURITY,
)
def invite() -> Any:
    """Invite one author or many, who get their one-time links by mail."""
    said, there = sent(Inviting), opened()
    made = inviting.invite(
        there.door,
        site().store,
        [
            Guest(each.name or each.email, each.email, each.team, each.owns, each.number)
            for each in said.people
        ],
        "author",
        person(),
        there.site,
        there.mailroom,
        by_mail=True,
        token=token_of_request(),
    )
    return of_people.invited_people(made), 201


@blueprint.get(PERSON)
@needs(Needs.ORGANISER, "manage")
@api.validate(
    resp=Answers(PersonShape, 401, 403, 404, kept=False), tags=["desk"], security=SECURITY
)
def one(person_id: int) -> PersonShape:
    """Somebody with an account."""
    return of_people.person(person_numbered(person_id))


@blueprint.post(f"{PERSON}/author")
@needs(Needs.ORGANISER, "manage")
@api.validate(
    resp=Answers(PersonShape, 401, 403, 404, kept=False), tags=["desk"], security=SECURITY
)
def make_author(person_id: int) -> PersonShape:
    """Make an organiser an author again; organisers are made on pages alone."""
    opened().door.set_role(person_numbered(person_id).email, "author", person().id)
    return _now(person_id)


@blueprint.post(f"{PERSON}/team")
@needs(Needs.ORGANISER, "manage")
@api.validate(
    json=NewTeam,
    resp=Answers(PersonShape, 401, 403, 404, kept=False),
    skip_validation=True,
    tags=["desk"],
    security=SECURITY,
)
def move_person(person_id: int) -> PersonShape:
    """Take somebody out of all teams and into this one; bots stay with their teams."""
    move(person_numbered(person_id), sent(NewTeam).team, person())
    return _now(person_id)


@blueprint.post(f"{PERSON}/shut-out")
@needs(Needs.ORGANISER, "manage")
@api.validate(
    json=Reason,
    resp=Answers(PersonShape, 401, 403, 404, kept=False),
    skip_validation=True,
    tags=["desk"],
    security=SECURITY,
)
def shut_out(person_id: int) -> PersonShape:
    """Shut somebody out, and end their sessions, links and tokens for good."""
    found, reason = person_numbered(person_id), sent(Reason).reason
    opened().door.shut_out(found.email, reason, person().id)
    return _now(person_id)


@blueprint.post(f"{PERSON}/let-in")
@needs(Needs.ORGANISER, "manage")
@api.validate(
    json=Reason,
    resp=Answers(PersonShape, 401, 403, 404, kept=False),
    skip_validation=True,
    tags=["desk"],
    security=SECURITY,
)
def let_in(person_id: int) -> PersonShape:
    """Let somebody in again, who needs a new link and new tokens."""
    found, reason = person_numbered(person_id), sent(Reason).reason
    opened().door.let_in(found.email, reason, person().id)
    return _now(person_id)


@blueprint.post(f"{PERSON}/sign-out")
@needs(Needs.ORGANISER, "manage")
@api.validate(
    json=Reason,
    resp=Answers(PersonShape, 401, 403, 404, kept=False),
    skip_validation=True,
    tags=["desk"],
    security=SECURITY,
)
def sign_out(person_id: int) -> PersonShape:
    """End somebody's sessions, links and tokens; they may sign in again."""
    found, reason = person_numbered(person_id), sent(Reason).reason
    opened().door.end_access(found.email, reason, person().id)
    return _now(person_id)


@blueprint.post(f"{PERSON}/unlink")
@needs(Needs.ORGANISER, "manage")
@api.validate(
    json=Reason,
    resp=Answers(PersonShape, 401, 403, 404, kept=False),
    skip_validation=True,
    tags=["desk"],
    security=SECURITY,
)
def unlink(person_id: int) -> PersonShape:
    """Forget whom providers know somebody as, and end all that they are signed in with."""
    found, reason = person_numbered(person_id), sent(Reason).reason
    opened().door.unlink(found.email, reason, person().id)
    return _now(person_id)


@blueprint.post(f"{PERSON}/link")
@needs(Needs.ORGANISER, "manage")
@api.validate(
    resp=Answers(PersonShape, 401, 403, 404, kept=False), tags=["desk"], security=SECURITY
)
def send_link(person_id: int) -> PersonShape:
    """Send somebody a one-time link, which ends the older ones."""
    there, email = opened(), person_numbered(person_id).email
    token = token_of_request()
    inviting.send_link(there.door, email, there.site, person().id, there.mailroom, token)
    return _now(person_id)


def _now(person_id: int) -> PersonShape:
    return of_people.person(person_numbered(person_id))
