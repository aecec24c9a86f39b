"""Somebody's tokens: made, shown once, and revoked."""

from __future__ import annotations

from datetime import timedelta

from flask import redirect, render_template, request, url_for
from werkzeug import Response
from werkzeug.exceptions import NotFound

from leaderboard.door.entries import SCOPES, Scope
from leaderboard.door.storage.people import BadAccount
from leaderboard.door.storage.tokens import LONGEST_LIFE
from leaderboard.door.web.access import Needs, needs
from leaderboard.door.web.opened import opened
from leaderboard.door.web.pages.blueprint import blueprint
from leaderboard.door.web.visitors import person

MEANINGS = {
    "read": "see what you see",
    "submit": "see what you see, and hand bots in",
    "manage": "do everything that you may",
}
"""What each scope lets a program do."""


@blueprint.get("/mine/tokens")
@needs(Needs.PERSON, "manage")
def tokens() -> str:
    """The list, and the form for a new one."""
    return _page()


@blueprint.post("/mine/tokens")
@needs(Needs.PERSON, "manage")
def make_token() -> str | tuple[str, int]:
    """Make a token and show it this once."""
    form = request.form
    scope: Scope = next((each for each in SCOPES if each == form.get("scope")), "submit")
    try:
        life = timedelta(days=max(0, min(form.get("days", 0, type=int), LONGEST_LIFE.days + 1)))
        _, secret = opened().door.make_token(person().id, form.get("name", ""), scope, life)
    except BadAccount as error:
        return _page(trouble=str(error)), 400
    return _page(secret)


@blueprint.post("/mine/tokens/<int:token_id>/revoke")
@needs(Needs.TEAM, "manage")
def revoke(token_id: int) -> Response:
    """End a token."""
    if not opened().door.revoke(person().id, token_id):
        raise NotFound("There is no such token of yours.")
    return redirect(url_for("door.tokens"), 303)


def _page(secret: str = "", trouble: str = "") -> str:
    return render_template(
        "door/tokens.html",
        tokens=opened().door.tokens(person().id),
        secret=secret,
        trouble=trouble,
        meanings=MEANINGS,
        longest=LONGEST_LIFE.days,
        site=opened().site,
    )
