"""Seasons at the desk: what an organiser may do to one that is being played, as orders."""

from __future__ import annotations

import re

from flask import flash, redirect, url_for
from werkzeug import Response

from leaderboard.door import ordering
from leaderboard.door.ordering import about_season
from leaderboard.door.web import fields
from leaderboard.door.web.access import Needs, needs
from leaderboard.door.web.desk.blueprint import blueprint
from leaderboard.door.web.opened import opened
from leaderboard.door.web.tournaments import demand_known
from leaderboard.door.web.visitors import person
from leaderboard.web.pages.site import whole_site

ORDERED = "Ordered. The arena does it between matches, and the log says what became of it."


@blueprint.post("/t/<name>/intervene")
@needs(Needs.ORGANISER, "manage")
def intervene(name: str) -> Response:
    """Order something about a tournament's season: its reason stays on the pages."""
    demand_known(name)
    what, bot, place, reason = map(fields.text, ("what", "bot", "place", "reason"))
    about_season(opened().door, person(), name, what, bot, _key(place), reason)
    flash(ORDERED)
    return redirect(url_for("desk.tournament", name=name), 303)


def _key(place: str) -> str:
    """The key of a match that is named by the address of its page; anything else as it is."""
    path = re.split("[?#]", place)[0]
    return path.partition("/match/")[2] or place


@blueprint.post("/bots/move")
@needs(Needs.ORGANISER, "manage")
def move() -> Response:
    """Order that a bot is called otherwise, or is somebody else's, from now on."""
    said = map(fields.text, ("name", "new_name", "author", "reason"))
    ordering.move(opened().door, whole_site().store, person(), *said)
    flash(ORDERED)
    return redirect(url_for("desk.bots"), 303)
