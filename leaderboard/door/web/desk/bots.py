"""Bots at the desk: the tags by which tournaments choose them."""

from __future__ import annotations

from flask import flash, redirect, render_template, request, url_for
from werkzeug import Response

from leaderboard import views
from leaderboard.door.ordering import tags
from leaderboard.door.web import fields
from leaderboard.door.web.access import Needs, needs
from leaderboard.door.web.desk.blueprint import ROWS, blueprint
from leaderboard.door.web.opened import opened
from leaderboard.door.web.visitors import person
from leaderboard.views.paging import paged
from leaderboard.web.pages.site import matches_search, searched_text, site


@blueprint.get("/bots")
@needs(Needs.ORGANISER, "manage")
def bots() -> str:
    """Every bot with its tags."""
    everybody = views.bots(site().store)
    searched = searched_text()
    found = [
        line
        for line in everybody
        if matches_search(searched, line.bot, line.author, *line.organiser_tags)
    ]
    return render_template(
        "door/desk/bots.html",
        everybody=everybody,
        wanted=searched,
        found=paged(found, request.args.get("page", 1, type=int), ROWS),
    )


@blueprint.post("/bots")
@needs(Needs.ORGANISER, "manage")
def tag() -> Response:
    """Order tags for a bot, or that some are taken from it."""
    takes = fields.text("what") == "untag"
    wanted = fields.text("tags").split()
    tags(opened().door, site().store, person(), fields.text("name"), wanted, takes=takes)
    flash("Ordered. The arena does it between matches, and the log says what became of it.")
    return redirect(url_for("desk.bots"), 303)
