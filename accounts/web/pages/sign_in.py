"""Asking for a link that signs one in.

The answer is the same, and comes as fast, whether or not somebody has the address.
"""

from __future__ import annotations

from flask import current_app, make_response, redirect, render_template, request, url_for
from werkzeug import Response
from werkzeug.exceptions import NotFound

from card_arena.accounts.mail import Email, Mailroom, sign_in_email, sign_in_link
from card_arena.accounts.storage.people import (
    LINK_LASTS,
    LONGEST_EMAIL,
    BadAccount,
    NoEntry,
    address,
)
from card_arena.accounts.web.access import Needs, needs
from card_arena.accounts.web.context import accounts_context
from card_arena.accounts.web.pages.blueprint import blueprint, forbidden
from card_arena.accounts.web.providers import NotSignedInElsewhere, Provider
from card_arena.accounts.web.visitors import (
    Forbidden,
    back_inside,
    person,
    sign_in,
    sign_out,
    visitor,
)
from card_arena.leaderboard.bots import bots
from card_arena.leaderboard.web.pages.site import site


@blueprint.get("/sign-in/link")
@needs(Needs.NOTHING)
def ask_page() -> str:
    """The form."""
    _mailroom()
    return render_template("accounts/ask.html", asked="", trouble="")


@blueprint.post("/sign-in/link")
@needs(Needs.NOTHING)
def ask() -> str | tuple[str, int]:
    """Send a sign-in link to the person with this address."""
    mailroom = _mailroom()
    try:
        email = address(request.form.get("email", "")[: LONGEST_EMAIL + 1])
    except BadAccount as error:
        return render_template("accounts/ask.html", asked="", trouble=str(error)), 400
    accounts, site = accounts_context().accounts, accounts_context().site

    def compose() -> Email | None:
        found = accounts.link_on_request(email)
        if found is None:
            return None
        person, secret = found
        return sign_in_email(person, sign_in_link(site, secret), LINK_LASTS.days)

    mailroom.ask(email, compose)
    return render_template(
        "accounts/ask.html", asked=email, trouble="", providers=accounts_context().providers
    )


def _mailroom() -> Mailroom:
    found = accounts_context().mailroom
    if found is None:
        raise NotFound("This arena sends no email.")
    return found


@blueprint.get("/sign-in/with/<name>")
@needs(Needs.NOTHING)
def leave(name: str) -> Response:
    """Go to a provider."""
    return _provider(name).leave(
        accounts_context().address(url_for("accounts.come_back", name=name))
    )


@blueprint.get("/sign-in/with/<name>/back")
@needs(Needs.NOTHING)
def come_back(name: str) -> Response:
    """Come back from a provider, signed in."""
    provider = _provider(name)
    known = provider.known()
    accounts = accounts_context().accounts
    try:
        person = accounts.identify(known.issuer, known.subject, known.email)
    except NoEntry:
        if not provider.settings.admits(known.email):
            raise _uninvited(known.email) from None
        authors = {line.author for line in bots(site().store)}
        try:
            person = accounts.welcome(known.issuer, known.subject, known.email, known.name, authors)
        except NoEntry:
            raise _uninvited(known.email) from None
    sign_in(person)
    return redirect(back_inside() or url_for("accounts.mine"), 303)


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
    found = accounts_context().providers.get(name)
    if found is None:
        raise NotFound("Nobody of this name signs people in here.")
    return found


@blueprint.get("/sign-in")
@needs(Needs.NOTHING)
def sign_in_page() -> str | Response:
    """How to sign in."""
    if visitor() is not None:
        return redirect(url_for("accounts.mine"), 303)
    context = accounts_context()
    return render_template(
        "accounts/sign_in.html", providers=context.providers, sends=context.mailroom is not None
    )


@blueprint.get("/sign-in/<secret>")
@needs(Needs.NOTHING)
def link_page(secret: str) -> Response:
    """Where a one-time link leads: a button, since programs that look at mail follow links."""
    page = make_response(render_template("accounts/link.html", secret=secret))
    # No request says on which page it was made, which has the secret in its address; but over https
    # a form counts only with the site that it was on.
    page.headers["Referrer-Policy"] = "strict-origin"
    return page


@blueprint.post("/sign-in/<secret>")
@needs(Needs.NOTHING)
def use_link(secret: str) -> Response:
    """Use a one-time link."""
    sign_in(accounts_context().accounts.enter(secret))
    return redirect(back_inside() or url_for("accounts.mine"), 303)


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
    accounts_context().accounts.sign_out_everywhere(person().id, keeps_tokens=keeps)
    sign_out()
    return redirect(url_for("accounts.sign_in_page"), 303)
