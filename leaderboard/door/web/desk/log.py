"""The log: who did what, and when."""

from __future__ import annotations

from flask import render_template, request

from leaderboard.door.web.access import Needs, needs
from leaderboard.door.web.desk.blueprint import ROWS, blueprint
from leaderboard.door.web.fields import row_number
from leaderboard.door.web.opened import opened

LONGEST_SEARCH = 80


@blueprint.get("/log")
@needs(Needs.ORGANISER, "manage")
def log() -> str:
    """All acts, the newest first."""
    searched = " ".join(request.args.get("q", "").split())[:LONGEST_SEARCH]
    before = request.args.get("before", type=row_number)
    acts, older = opened().door.log(ROWS, before, searched)
    return render_template(
        "door/desk/log.html",
        acts=acts,
        older=older,
        before=before,
        wanted=searched,
    )
