"""How much may be handed in, and until when: for everybody, and for one team."""

from __future__ import annotations

from flask import flash, redirect, render_template, url_for
from werkzeug import Response

from leaderboard.door.entries import Limits
from leaderboard.door.web import fields
from leaderboard.door.web.access import Needs, needs
from leaderboard.door.web.desk.blueprint import blueprint
from leaderboard.door.web.opened import opened
from leaderboard.door.web.visitors import person


@blueprint.get("/limits")
@needs(Needs.ORGANISER, "manage")
def limits() -> str:
    """What is set for everybody and for single teams, over what arena.yaml says."""
    there = opened()
    everybody, teams = there.door.limits()
    return render_template(
        "door/desk/limits.html",
        usual=there.settings.quota,
        now=(everybody or Limits()).over(there.settings.quota),
        limits=everybody or Limits(),
        teams=teams,
    )


@blueprint.post("/limits")
@needs(Needs.ORGANISER, "manage")
def limit() -> Response:
    """Set the limits of everybody, or of the team that the form names, or take them back."""
    door, me = opened().door, person().id
    team = fields.text("team") or None
    if fields.text("what") == "as usual":
        door.clear_limits(team, me)
    else:
        everybody, teams = door.limits()
        of_teams = {each.name: its for each, its in teams.items()}
        before = everybody if team is None else of_teams.get(team)
        door.set_limits(
            Limits(
                a_day=fields.whole("a_day", "uploads a day"),
                deadline=fields.moment(
                    "deadline", "the deadline", before.deadline if before else None
                ),
                size=fields.size("size", "the size"),
                bots=fields.whole("bots", "bots a team"),
                bots_a_person=fields.whole("bots_a_person", "bots a person"),
                grace=fields.span("grace", "the grace"),
                reason=fields.text("reason"),
            ),
            team,
            me,
        )
    flash("Done. It is in the log.")
    if team is None:
        return redirect(url_for("desk.limits"), 303)
    return redirect(url_for("desk.team", team_id=door.team_named(team).id), 303)
