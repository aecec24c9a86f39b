"""What a request may bring: a file only from somebody who may hand one in."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from http.cookies import CookieError, SimpleCookie

from flask import Flask
from flask.sessions import SecureCookieSessionInterface
from itsdangerous import BadSignature

from leaderboard.door.web.opened import opened_of
from leaderboard.door.web.visitors import BEARER, SECRET
from leaderboard.storage.database import StoreError
from leaderboard.web.body_sizes import Allowance

FORM = 16 * 1024
"""Bytes of a form that anybody may send, such as the one for signing in."""


def allowed(app: Flask, size: Callable[[], int], head: Mapping[str, str]) -> Allowance:
    """A person who has signed in may bring a file; anybody may bring a small form.

    It is decided before the file has come, so that a stranger can't fill the disk, and only by who
    asks: the pages themselves say whether they take the file. Everybody waits meanwhile, so nothing
    is written here: a reader of a SQLite file waits for no writer.
    """
    said = head.get("AUTHORIZATION", "")
    try:
        whose = _of_token(app, said) if said.startswith(BEARER) else _of_session(app, head)
        return Allowance(size(), whose) if whose else Allowance(FORM)
    except StoreError:
        return Allowance(FORM)  # the page says what is the matter


def _of_token(app: Flask, said: str) -> str:
    token = opened_of(app).door.bearer(said.removeprefix(BEARER).strip(), noted=False)
    return f"person {token.person_id}" if token else ""


def _of_session(app: Flask, head: Mapping[str, str]) -> str:
    """Whose session the cookie is, unless it has ended since."""
    interface = app.session_interface
    assert isinstance(interface, SecureCookieSessionInterface)
    serializer = interface.get_signing_serializer(app)
    try:
        cookie = SimpleCookie(head.get("COOKIE", ""))[interface.get_cookie_name(app)]
        seconds = int(app.permanent_session_lifetime.total_seconds())
        session = serializer.loads(cookie.value, max_age=seconds) if serializer else {}
    except (CookieError, KeyError, BadSignature):
        return ""
    secret = session.get(SECRET)
    door = opened_of(app).door
    person = door.whose_session(secret, noted=False) if isinstance(secret, str) else None
    return "" if person is None else f"person {person}"
