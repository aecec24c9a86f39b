"""The cookie of a browser that has signed in, sent only where its session has changed.

A cookie in an answer keeps caches from using it, and so does `Vary: Cookie`. The pages for
everybody have neither: what they show to some alone is `private`, and says so elsewhere.
"""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

from flask import Flask, Response, request
from flask.sessions import SecureCookieSessionInterface, SessionMixin

from leaderboard.door.web.visitors import SECRET

DAY = "day"
"""The day on which a session's cookie was last sent: it lasts so long from there."""


class Sessions(SecureCookieSessionInterface):
    """The sessions of browsers; pages of these blueprints are about whoever looks at them."""

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
