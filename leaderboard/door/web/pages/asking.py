"""Asking for a link that signs one in.

The answer is the same, and comes as fast, whether or not somebody has the address.
"""

from __future__ import annotations

from flask import render_template, request
from werkzeug.exceptions import NotFound

from leaderboard.door.mail import Letter, link_letter, sign_in_link
from leaderboard.door.mailroom import Mailroom
from leaderboard.door.storage.people import LINK_LASTS, LONGEST_EMAIL, BadAccount, address
from leaderboard.door.web.access import Needs, needs
from leaderboard.door.web.opened import opened
from leaderboard.door.web.pages.blueprint import blueprint


@blueprint.get("/sign-in/link")
@needs(Needs.NOTHING)
def ask_page() -> str:
    """The form."""
    _mailroom()
    return render_template("door/ask.html", asked="", trouble="")


@blueprint.post("/sign-in/link")
@needs(Needs.NOTHING)
def ask() -> str | tuple[str, int]:
    """Send a link to whoever has this address."""
    mailroom = _mailroom()
    try:
        email = address(request.form.get("email", "")[: LONGEST_EMAIL + 1])
    except BadAccount as error:
        return render_template("door/ask.html", asked="", trouble=str(error)), 400
    door, site = opened().door, opened().site

    def letter() -> Letter | None:
        found = door.link_on_request(email)
        if found is None:
            return None
        person, secret = found
        return link_letter(person, sign_in_link(site, secret), LINK_LASTS.days)

    mailroom.ask(email, letter)
    return render_template("door/ask.html", asked=email, trouble="", providers=opened().providers)


def _mailroom() -> Mailroom:
    found = opened().mailroom
    if found is None:
        raise NotFound("This arena sends no letters.")
    return found
