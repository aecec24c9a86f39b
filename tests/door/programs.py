"""Programs that use an arena with a token, and a site with its door open for them."""

from __future__ import annotations

import io
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta
from typing import Any

from flask import Flask
from werkzeug.test import TestResponse

from leaderboard.door.entries import Person, Scope
from leaderboard.door.settings import DoorSettings
from leaderboard.door.web.opened import Opened
from leaderboard.door.web.opening import open_door
from leaderboard.web.app import create_app
from tests.door.porch import Porch

SETTINGS = DoorSettings(a_day=3, size="300KiB")


@contextmanager
def open_site(porch: Porch, settings: DoorSettings = SETTINGS, **more: Any) -> Iterator[Flask]:
    """A site with its door open; `more` is of `Opened`."""
    app = create_app(porch.url, patience=20)
    open_door(app, Opened(porch.door, porch.spool, settings, [], **more), "k" * 64, secure=False)
    yield app
    app.extensions["arena"].store.close()


def token(porch: Porch, person: Person, scope: Scope = "submit") -> str:
    """A new token of somebody's."""
    return porch.door.make_token(person.id, "ci", scope, timedelta(days=1))[1]


class Program:
    """A program of somebody's, with a token."""

    def __init__(self, app: Flask, porch: Porch, person: Person, scope: Scope = "submit") -> None:
        self.client = app.test_client(use_cookies=False)
        self.headers = {"Authorization": f"Bearer {token(porch, person, scope)}"}

    def get(self, path: str) -> TestResponse:
        return self.client.get(f"/api/v1/{path}", headers=self.headers)

    def send(self, path: str, said: Any = None, method: str = "POST") -> TestResponse:
        """Send JSON."""
        return self.client.open(f"/api/v1/{path}", method=method, json=said, headers=self.headers)

    def push(self, archive: bytes, name: str = "bot.tar.gz", **fields: str) -> TestResponse:
        data = {"bundle": (io.BytesIO(archive), name), **fields}
        return self.client.post("/api/v1/uploads", data=data, headers=self.headers)
