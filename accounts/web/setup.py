"""Opening accounts on a site."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta
from functools import partial

from flask import Flask, Response, current_app, request
from flask_wtf.csrf import CSRFProtect
from werkzeug.exceptions import ServiceUnavailable

from card_arena.accounts.storage.sessions import LASTS
from card_arena.accounts.submission import LONGEST_SOURCE, SpoolFull
from card_arena.accounts.web import admin, api, pages
from card_arena.accounts.web.access import allowed
from card_arena.accounts.web.context import ENVELOPE, AccountsContext, accounts_context
from card_arena.accounts.web.fields import RowNumber
from card_arena.accounts.web.providers import providers
from card_arena.accounts.web.readers import SignedInReaders
from card_arena.accounts.web.visitors import NotSignedIn, Sessions, to_sign_in, visitor, whose
from card_arena.common.units import write_size
from card_arena.leaderboard.web.api.failures import LATER, UNKEPT
from card_arena.leaderboard.web.app import sorry
from card_arena.leaderboard.web.pages import tables
from card_arena.leaderboard.web.requests import Allowing, rates, refuse_nul_in_forms

RATE = "300/minute"
"""How often somebody may ask for one of these pages; one that waits asks every two seconds."""

LARGEST_FOLDER = 2_000
"""Fields of a form, of which each file of a folder is one."""


def open_accounts(app: Flask, context: AccountsContext, key: str, *, secure: bool) -> Allowing:
    """Let people in: `key` signs their sessions, which travel encrypted alone if it is `secure`.

    Returns what requests may bring from now on.
    """
    app.config.update(
        SECRET_KEY=key,
        SESSION_COOKIE_NAME="arena",
        SESSION_COOKIE_HTTPONLY=True,
        SESSION_COOKIE_SAMESITE="Lax",
        SESSION_COOKIE_SECURE=secure,
        PERMANENT_SESSION_LIFETIME=LASTS,
        MAX_CONTENT_LENGTH=context.settings.size + ENVELOPE,
        MAX_FORM_MEMORY_SIZE=LONGEST_SOURCE + ENVELOPE,
        MAX_FORM_PARTS=LARGEST_FOLDER,
        WTF_CSRF_TIME_LIMIT=None,  # as long as the session
        WTF_CSRF_SSL_STRICT=secure,
    )
    app.session_interface = Sessions(pages.blueprint.name, admin.blueprint.name)
    context.providers.update(providers(app, context.settings, context.secrets))
    app.url_map.converters["int"] = RowNumber
    app.extensions["accounts"] = context
    site = app.extensions["arena"]
    site.readers = SignedInReaders(site.store, context.accounts, site.zone)
    app.jinja_env.filters.update(size=write_size, span=write_span)
    links: Sequence[tuple[str, str]] = app.extensions["site_links"]
    app.jinja_env.globals["site_links"] = [*links, ("accounts.mine", "My bots")]
    app.jinja_env.globals["shows_logs"] = False  # its author has them
    app.jinja_env.globals["for_authors"] = {
        "bot": "accounts.my_bot",
        "match": "accounts.my_match",
        "challenge": "accounts.challenge",
    }
    app.jinja_env.globals["challenges"] = context.settings.challenges is not None
    app.before_request(bound_size)  # before the forms are read, which CSRFProtect does
    protect = CSRFProtect(app)
    protect.exempt(api.blueprint)  # it takes tokens alone, which no browser sends along
    protect.exempt(tables.blueprint)  # it refuses the forms of other sites itself
    app.before_request(refuse_nul_in_forms)
    app.register_error_handler(NotSignedIn, to_sign_in)
    app.register_error_handler(SpoolFull, no_room)
    limits = rates(app)
    limits.who = whose
    for each in (pages.blueprint, admin.blueprint, api.blueprint):
        app.register_blueprint(each)
        limits.blueprints[each.name] = RATE
    return partial(allowed, app, context.most_bytes)


def no_room(error: SpoolFull) -> Response:
    """Log why nothing can be kept here: it is the organiser's business and not the author's."""
    current_app.logger.error("%s", error)
    return sorry(ServiceUnavailable(UNKEPT, retry_after=LATER))


def write_span(span: timedelta) -> str:
    """A duration as the forms of the admin pages take it: 90m, 12h, 3d."""
    seconds = int(span.total_seconds())
    for unit, length in (("d", 24 * 60 * 60), ("h", 60 * 60), ("m", 60)):
        if seconds and seconds % length == 0:
            return f"{seconds // length}{unit}"
    return f"{seconds}s" if seconds else "0"


def bound_size() -> None:
    """Read no more of a request than the largest upload and a form around it."""
    if request.method == "POST":
        who, context = visitor(), accounts_context()
        sizes = [context.limits_for(team).size for team in who.teams] if who else []
        request.max_content_length = max(sizes, default=context.settings.size) + ENVELOPE
