"""Teams at the desk, and what each of them may hand in."""

from __future__ import annotations

from typing import Any

from leaderboard.door.entries import Limits
from leaderboard.door.ownership import give_bots
from leaderboard.door.shapes import of_teams
from leaderboard.door.shapes.of_teams import TeamAtDesk, TeamsRoster
from leaderboard.door.storage.roster import Roster
from leaderboard.door.web.access import Needs, needs
from leaderboard.door.web.api.blueprint import SECURITY, blueprint
from leaderboard.door.web.api.desk.limits import NewLimits, limits_sent
from leaderboard.door.web.api.reading import Said, sent
from leaderboard.door.web.opened import opened
from leaderboard.door.web.roster import bots_of, members_of, rename, team_numbered
from leaderboard.door.web.visitors import person
from leaderboard.views.paging import paged
from leaderboard.web.api.answers import PageQuery, Query, one_page
from leaderboard.web.api.description import Answers, api
from leaderboard.web.pages.site import site

TEAM = "/desk/teams/<int(max=999999999):team_id>"


class NewName(Query):
    """What something is called from now on."""

    name: Said
    """The name."""


@blueprint.get("/desk/teams")
@needs(Needs.ORGANISER, "manage")
@api.validate(
    resp=Answers(TeamsRoster, 401, 403, 404, kept=False), tags=["desk"], security=SECURITY
)
def teams(query: PageQuery) -> Any:
    """Every team, in order of name."""
    return one_page(of_teams.roster(paged(opened().door.teams(), query.page, query.size)), query)


@blueprint.get(TEAM)
@needs(Needs.ORGANISER, "manage")
@api.validate(resp=Answers(TeamAtDesk, 401, 403, 404, kept=False), tags=["desk"], security=SECURITY)
def team(team_id: int) -> TeamAtDesk:
    """A team: its people, its bots, and what it may hand in."""
    return _shape(team_numbered(team_id))


@blueprint.post(f"{TEAM}/name")
@needs(Needs.ORGANISER, "manage")
@api.validate(
    json=NewName,
    resp=Answers(TeamAtDesk, 401, 403, 404, kept=False),
    skip_validation=True,
    tags=["desk"],
    security=SECURITY,
)
def rename_team(team_id: int) -> TeamAtDesk:
    """Rename a team that has no bots yet."""
    rename(team_numbered(team_id).team, sent(NewName).name, person())
    return _shape(team_numbered(team_id))


@blueprint.post(f"{TEAM}/bots")
@needs(Needs.ORGANISER, "manage")
@api.validate(resp=Answers(TeamAtDesk, 401, 403, 404, kept=False), tags=["desk"], security=SECURITY)
def give_team_bots(team_id: int) -> TeamAtDesk:
    """Give a team the bots that somebody of its name is the author of."""
    give_bots(opened().door, site().store, team_numbered(team_id).team, person().id)
    return _shape(team_numbered(team_id))


@blueprint.put(f"{TEAM}/limits")
@needs(Needs.ORGANISER, "manage")
@api.validate(
    json=NewLimits,
    resp=Answers(TeamAtDesk, 401, 403, 404, 405, kept=False),
    skip_validation=True,
    tags=["desk"],
    security=SECURITY,
)
def limit_team(team_id: int) -> TeamAtDesk:
    """Set what a team may hand in, in place of all that was set for it."""
    found = team_numbered(team_id)
    opened().door.set_limits(limits_sent(), found.team.name, person().id)
    return _shape(found)


@blueprint.delete(f"{TEAM}/limits")
@needs(Needs.ORGANISER, "manage")
@api.validate(
    resp=Answers(TeamAtDesk, 401, 403, 404, 405, kept=False), tags=["desk"], security=SECURITY
)
def team_as_usual(team_id: int) -> TeamAtDesk:
    """Let a team hand in what everybody may."""
    found = team_numbered(team_id)
    opened().door.clear_limits(found.team.name, person().id)
    return _shape(found)


def _shape(found: Roster) -> TeamAtDesk:
    there = opened()
    _, limits = there.door.limits()
    return of_teams.at_desk(
        found,
        members_of(found.team),
        [line.bot for line in bots_of(found.team)],
        there.limits_for(found.team),
        limits.get(found.team, Limits()),
    )
