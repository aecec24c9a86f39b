"""Messages of organisers, at the top of the pages of those whom they are for."""

from __future__ import annotations

from flask import redirect, request, url_for
from werkzeug import Response

from leaderboard.door.web.access import Needs, needs
from leaderboard.door.web.inside import inside
from leaderboard.door.web.opened import opened
from leaderboard.door.web.pages.blueprint import blueprint
from leaderboard.door.web.visitors import person


@blueprint.post("/messages/<int:message_id>/dismiss")
@needs(Needs.PERSON, "manage")
def dismiss(message_id: int) -> Response:
    """Show somebody a message no more; it is the same whether or not there is one."""
    opened().door.dismiss(person(), message_id)
    return redirect(inside(request.form.get("back", "")) or url_for("door.mine"), 303)
