"""The desk itself: what waits, what failed lately, and where everything is."""

from __future__ import annotations

from flask import render_template

from leaderboard import views
from leaderboard.door.web.access import Needs, needs
from leaderboard.door.web.desk.blueprint import blueprint
from leaderboard.door.web.opened import opened
from leaderboard.web.pages.site import site

NEWEST = 20
FAILED = 10


@blueprint.get("")
@needs(Needs.ORGANISER, "manage")
def home() -> str:
    """What waits, what failed lately, what was handed in, and the tournaments."""
    door = opened().door
    return render_template(
        "door/desk/home.html",
        waiting=door.waiting(NEWEST),
        failed=door.newest_uploads(FAILED, refused=True),
        uploads=door.newest_uploads(NEWEST),
        tournaments=views.tournament_names(site().store),
        acts=door.acts(5),
        orders=door.orders(NEWEST),
    )
