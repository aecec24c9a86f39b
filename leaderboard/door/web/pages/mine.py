"""What somebody has here: teams, bots, uploads, and what to do first."""

from __future__ import annotations

from flask import render_template

from leaderboard import views
from leaderboard.door.web.access import Needs, needs
from leaderboard.door.web.opened import opened
from leaderboard.door.web.pages.blueprint import blueprint
from leaderboard.door.web.visitors import person
from leaderboard.web.pages.site import site


@blueprint.get("/mine")
@needs(Needs.PERSON)
def mine() -> str:
    """My bots and uploads, team by team."""
    who, door = person(), opened().door
    store = site().store
    bots = [line for line in views.bots(store) if who.belongs_to(line.author)]
    return render_template(
        "door/mine.html",
        bots={team: [bot for bot in bots if bot.author == team.author] for team in who.teams},
        uploads={team: door.uploads_of(team.id, 10) for team in who.teams},
        probation={
            line.bot: what
            for line in bots
            if not line.withdrawn and (what := views.probation(store, line.bot))
        },
        asked=door.invitations_for(who),
    )
