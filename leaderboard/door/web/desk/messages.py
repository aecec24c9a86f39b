"""Messages to everybody, or to one team."""

from __future__ import annotations

from datetime import UTC, datetime

from flask import flash, redirect, render_template, url_for
from werkzeug import Response

from leaderboard.door.web import fields
from leaderboard.door.web.access import Needs, needs
from leaderboard.door.web.desk.blueprint import blueprint
from leaderboard.door.web.opened import opened
from leaderboard.door.web.visitors import person


@blueprint.get("/messages")
@needs(Needs.ORGANISER, "manage")
def messages() -> str:
    """The newest messages, and the form for another."""
    door = opened().door
    return render_template(
        "door/desk/messages.html",
        sent=door.messages(),
        teams=door.teams(),
        now=datetime.now(UTC),
    )


@blueprint.post("/messages")
@needs(Needs.ORGANISER, "manage")
def tell() -> Response:
    """Show a message to everybody, or to a team."""
    ends = fields.moment("ends", "the end")
    opened().door.send_message(fields.text("text"), fields.text("team") or None, ends, person().id)
    flash("It is shown from now on.")
    return redirect(url_for("desk.messages"), 303)


@blueprint.post("/messages/<int:message_id>/end")
@needs(Needs.ORGANISER, "manage")
def take_back(message_id: int) -> Response:
    """Show a message no longer."""
    opened().door.end_message(message_id, person().id)
    flash("It is shown no longer.")
    return redirect(url_for("desk.messages"), 303)
