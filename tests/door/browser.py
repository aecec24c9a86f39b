"""Somebody's browser in front of the pages of the door, which knows no scripts."""

from __future__ import annotations

import io
import re

from flask import Flask
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from leaderboard.door.packing import Language
from leaderboard.door.settings import DoorSettings
from leaderboard.door.web.opened import Opened
from leaderboard.door.web.opening import open_door
from leaderboard.web.app import create_app
from tests.door.porch import Porch, bot

LANGUAGES = [
    Language("python", "Python", "bot.py", "stdin", "print(input())\n", ("blackjack",)),
    Language("c", "C", "bot.c", "argv"),
]


def opened_app(porch: Porch, settings: DoorSettings | None = None, **more: object) -> Flask:
    """A site whose door is open; `more` is of `Opened`. Its store is the caller's to close."""
    app = create_app(porch.url, patience=20)
    said = settings or DoorSettings(a_day=3, size="300KiB")
    there = Opened(porch.door, porch.spool, said, LANGUAGES, **more)  # type: ignore[arg-type]
    open_door(app, there, "k" * 64, secure=False)
    return app


class Browser:
    """Somebody's browser, which sends forms as they are on the page."""

    def __init__(self, app: Flask) -> None:
        self.client: FlaskClient = app.test_client()
        self.secret = ""  # of a token for its owner's programs

    def get(self, path: str, **options: object) -> TestResponse:
        return self.client.get(path, **options)  # type: ignore[arg-type]

    def send(self, path: str, page: str = "", **fields: object) -> TestResponse:
        """Send the form of a page."""
        text = self.get(page or path, follow_redirects=True).text
        token = re.search(r'name="csrf_token" value="([^"]+)"', text)
        given = {"csrf_token": token[1] if token else "", **first_team(text), **fields}
        return self.client.post(path, data=given)

    def enter(self, secret: str) -> TestResponse:
        return self.send(f"/sign-in/{secret}")


def first_team(page: str) -> dict[str, str]:
    """The team that a page's form has chosen by itself, where it has a choice."""
    found = re.search(r'<select id="team" name="team"><option value="(\d+)"', page)
    return {"team": found[1]} if found else {}


def archive(name: str = "davey", limit: int = 15) -> tuple[io.BytesIO, str]:
    return io.BytesIO(bot(name, limit)), f"{name}.tar.gz"
