"""Somebody's browser in front of the pages of accounts, which knows no scripts."""

from __future__ import annotations

import io
import re

from flask import Flask
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from card_arena.tests.accounts.porch import bot


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
