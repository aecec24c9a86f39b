"""Who is looking: somebody in a browser, a program with a token, or anybody.

Pages know sessions and the API knows tokens: neither is anybody to the other.
"""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any
from urllib.parse import urlsplit

from flask import Flask, Response, current_app, g, redirect, request, session, url_for
from flask.sessions import SecureCookieSessionInterface, SessionMixin
from flask_wtf.csrf import generate_csrf
from werkzeug import Response as BaseResponse

from card_arena.accounts.entries import Person, Token
from card_arena.accounts.web.context import accounts_context
from card_arena.common.errors import UserError
from card_arena.leaderboard.web.api.answers import PREFIX
from card_arena.leaderboard.web.client_address import by_address
from card_arena.results.errors import StoreError, Unwritable


def inside(wanted: str) -> str:
    """An address if it is one of this site, without a host; else nothing."""
    parts = urlsplit(wanted)
    here = wanted.startswith("/") and not wanted.startswith(("//", "/\\")) and wanted.isprintable()
    return wanted if here and not parts.scheme and not parts.netloc else ""


BEARER = "Bearer "

SECRET = "secret"
"""What a cookie calls the secret of its session."""


class NotSignedIn(Exception):
    """A page needs to know who looks at it."""


class Forbidden(UserError):
    """A page or an audit entry is somebody else's; the message says so."""


def sign_in(person: Person) -> None:
    """Remember in the browser who it is, and end the session that it had."""
    after = session.get("after")
    sign_out()  # what an earlier visitor of this browser left
    session.permanent = True
    session[SECRET] = accounts_context().accounts.begin_session(person.id)
    generate_csrf()  # else pages that are opened together would each make their own
    if after:
        session["after"] = after


def sign_out() -> None:
    """End the session of this browser, of which a copy of its cookie is worth nothing either."""
    secret = session.get(SECRET)
    if isinstance(secret, str):
        accounts_context().accounts.end_session(secret)
    session.clear()


def visitor() -> Person | None:
    """Who is asking, None if nobody has signed in, or only in a session that has ended since.

    It is None also where nobody can say it: pages for everybody are there all the same.
    """
    if "person" not in g:
        by_token = request.path.startswith(f"{PREFIX}/")
        g.person = g.token = g.unknown = None
        try:
            g.person, g.token = _by_token() if by_token else (_by_session(), None)
        except StoreError as error:
            current_app.logger.error("%s", error)
            g.unknown = error
    found: Person | None = g.person
    return found


def is_unknown() -> bool:
    """Whether nobody can say who is asking: they see what everybody does."""
    visitor()
    return g.unknown is not None


def has_token() -> bool:
    """Whether a program asks, which has a token or says so."""
    return request.headers.get("Authorization", "").startswith(BEARER)


def token_of_request() -> Token | None:
    """The token with which a program asks; None for a browser, which may do all its user may."""
    visitor()
    found: Token | None = g.token
    return found


def person() -> Person:
    """Who is asking; raises `NotSignedIn`, which leads to the page for it, and `StoreError`."""
    found = visitor()
    if g.unknown is not None:
        raise g.unknown
    if found is None:
        raise NotSignedIn
    return found


def whose() -> str:
    """Whose requests are counted together: a person's, or those from one address."""
    who = visitor()
    return by_address() if who is None else f"person {who.id}"


def back_inside() -> str:
    """The page of this site that somebody wanted to see before they signed in, empty if none."""
    return inside(str(session.pop("after", "")))


def to_sign_in(_: NotSignedIn) -> BaseResponse:
    """Lead to the page for signing in, and back afterwards."""
    if request.method == "GET":
        session["after"] = request.full_path.rstrip("?")
    return redirect(url_for("accounts.sign_in_page"), 303)


def _by_session() -> Person | None:
    secret, accounts = session.get(SECRET), accounts_context().accounts
    if not isinstance(secret, str):
        return None
    try:
        who = accounts.whose_session(secret)
    except Unwritable:  # when it was seen last can't be noted now
        who = accounts.whose_session(secret, noted=False)
    return None if who is None else accounts.person(who)


def _by_token() -> tuple[Person | None, Token | None]:
    if not has_token():
        return None, None
    secret = request.headers["Authorization"].removeprefix(BEARER).strip()
    accounts = accounts_context().accounts
    try:
        token = accounts.bearer(secret)
    except Unwritable:  # when it was used last can't be noted now
        token = accounts.bearer(secret, noted=False)
    return (None, None) if token is None else (accounts.person(token.person_id), token)


# The cookie of a browser that has signed in, sent only where its session has changed.
#
# A cookie in an answer keeps caches from using it, and so does `Vary: Cookie`. The pages for
# everybody have neither: what they show to some alone is `private`, and says so elsewhere.


DAY = "day"
"""The day on which a session's cookie was last sent: it lasts so long from there."""


class Sessions(SecureCookieSessionInterface):
    """The sessions of browsers; pages of these blueprints are about the visitor."""

    def __init__(self, *blueprints: str) -> None:
        self._blueprints = frozenset(blueprints)

    def should_set_cookie(self, app: Flask, session: SessionMixin) -> bool:  # noqa: ARG002
        return bool(session.modified)

    def save_session(self, app: Flask, session: SessionMixin, response: Any) -> None:
        """Send a cookie where a session has changed, and once a day on pages about somebody."""
        assert isinstance(response, Response)
        if request.blueprint in self._blueprints:
            today = datetime.now(UTC).date().toordinal()
            if SECRET in session and session.get(DAY) != today:
                session[DAY] = today
        elif not session.modified:
            session.accessed = False  # requests are counted by it, and nothing else depends on it
        super().save_session(app, session, response)
