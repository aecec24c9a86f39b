"""Signing in by a one-time link, and out again."""

from __future__ import annotations

from flask import make_response, redirect, render_template, request, url_for
from werkzeug import Response

from leaderboard.door.web.access import Needs, needs
from leaderboard.door.web.opened import opened
from leaderboard.door.web.pages.blueprint import blueprint
from leaderboard.door.web.visitors import back_inside, person, sign_in, sign_out, visitor


@blueprint.get("/sign-in")
@needs(Needs.NOTHING)
def sign_in_page() -> str | Response:
    """How to sign in."""
    if visitor() is not None:
        return redirect(url_for("door.mine"), 303)
    there = opened()
    return render_template(
        "door/sign_in.html", providers=there.providers, sends=there.mailroom is not None
    )


@blueprint.get("/sign-in/<secret>")
@needs(Needs.NOTHING)
def link_page(secret: str) -> Response:
    """Where a one-time link leads: a button, since programs that look at mail follow links."""
    page = make_response(render_template("door/link.html", secret=secret))
    # No request says on which page it was made, which has the secret in its address; but over https
    # a form counts only with the site that it was on.
    page.headers["Referrer-Policy"] = "strict-origin"
    return page


@blueprint.post("/sign-in/<secret>")
@needs(Needs.NOTHING)
def use_link(secret: str) -> Response:
    """Use a one-time link."""
    sign_in(opened().door.enter(secret))
    return redirect(back_inside() or url_for("door.mine"), 303)


@blueprint.post("/sign-out")
@needs(Needs.NOTHING)
def sign_out_here() -> Response:
    """Sign out of this browser."""
    sign_out()
    return redirect(url_for("pages.home"), 303)


@blueprint.post("/sign-out-everywhere")
@needs(Needs.PERSON, "manage")
def sign_out_everywhere() -> Response:
    """End all sessions of a person, and their tokens unless they want to keep these."""
    keeps = request.form.get("tokens") == "keep"
    opened().door.sign_out_everywhere(person().id, keeps_tokens=keeps)
    sign_out()
    return redirect(url_for("door.sign_in_page"), 303)
