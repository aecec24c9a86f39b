"""Signing in through somebody else: to the provider, and back."""

from __future__ import annotations

from flask import current_app, redirect, url_for
from werkzeug import Response
from werkzeug.exceptions import NotFound

from leaderboard import views
from leaderboard.door.storage.people import NoEntry
from leaderboard.door.web.access import Needs, needs
from leaderboard.door.web.opened import opened
from leaderboard.door.web.pages.blueprint import blueprint, forbidden
from leaderboard.door.web.providers import NotSignedInElsewhere, Provider
from leaderboard.door.web.visitors import Forbidden, back_inside, sign_in
from leaderboard.web.pages.site import site


@blueprint.get("/sign-in/with/<name>")
@needs(Needs.NOTHING)
def leave(name: str) -> Response:
    """Go to a provider."""
    return _provider(name).leave(opened().address(url_for("door.come_back", name=name)))


@blueprint.get("/sign-in/with/<name>/back")
@needs(Needs.NOTHING)
def come_back(name: str) -> Response:
    """Come back from a provider, signed in."""
    provider = _provider(name)
    known = provider.known()
    door = opened().door
    try:
        person = door.identify(known.issuer, known.subject, known.email)
    except NoEntry:
        if not provider.settings.admits(known.email):
            raise _uninvited(known.email) from None
        authors = {line.author for line in views.bots(site().store)}
        try:
            person = door.welcome(known.issuer, known.subject, known.email, known.name, authors)
        except NoEntry:
            raise _uninvited(known.email) from None
    sign_in(person)
    return redirect(back_inside() or url_for("door.mine"), 303)


@blueprint.errorhandler(NotSignedInElsewhere)
def not_signed_in(error: NotSignedInElsewhere) -> tuple[str, int]:
    """Say that it didn't work; what exactly was wrong is for the log alone."""
    current_app.logger.warning("%s: %r", error, error.__cause__)
    return forbidden(error)


def _uninvited(email: str) -> Forbidden:
    return Forbidden(
        f"there is no account for {email[:254]} here: ask the organiser to invite this address"
    )


def _provider(name: str) -> Provider:
    found = opened().providers.get(name)
    if found is None:
        raise NotFound("Nobody of this name signs people in here.")
    return found
