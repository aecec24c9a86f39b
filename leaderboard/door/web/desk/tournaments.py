"""A tournament at the desk: what its next season would be, and who sees its results."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import cast

from flask import flash, redirect, render_template, request, url_for
from werkzeug import Response

from leaderboard.door.entries import Names, Visibility
from leaderboard.door.web import fields
from leaderboard.door.web.access import Needs, needs
from leaderboard.door.web.desk.blueprint import blueprint
from leaderboard.door.web.opened import opened
from leaderboard.door.web.tournaments import MOST_CORES, cores_here, demand_known, plan, show
from leaderboard.door.web.visitors import person
from leaderboard.web.pages.site import whole_site


@blueprint.get("/t/<name>")
@needs(Needs.ORGANISER, "manage")
def tournament(name: str) -> str:
    """What its next season would be, and who sees its results."""
    demand_known(name)
    cores = min(max(1, request.args.get("cores", cores_here(), type=int)), MOST_CORES)
    return render_template(
        "door/desk/tournament.html",
        name=name,
        visibility=opened().door.visibility(name),
        seasons=[season.number for season in whole_site().store.seasons(name)],
        plan=plan(name, cores),
        cores=cores,
        paused=whole_site().store.paused().get(name, ""),
    )


@blueprint.post("/t/<name>/visibility")
@needs(Needs.ORGANISER, "manage")
def set_visibility(name: str) -> Response:
    """Decide who sees a tournament's results."""
    demand_known(name)
    match fields.text("what"):
        case "freeze":
            frozen: datetime | None = datetime.now(UTC)
        case "open":
            frozen = None
        case _:
            before = opened().door.visibility(name).frozen
            frozen = fields.moment("frozen", "the freeze", before)
    names = cast(Names, fields.text("names") or "all")
    top = fields.whole("top", "the places") if names == "top" else None
    show(Visibility(name, names, top, frozen), person())
    flash("Done. It is in the log.")
    return redirect(url_for("desk.tournament", name=name), 303)
