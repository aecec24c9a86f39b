"""Programs that use an arena with a token."""

from __future__ import annotations

import io
from datetime import timedelta
from typing import Any

from flask import Flask
from werkzeug.test import TestResponse

from card_arena.accounts.entries import Person, Scope
from card_arena.tests.accounts.porch import Porch


def token(porch: Porch, person: Person, scope: Scope = "submit") -> str:
    """A new token of somebody's."""
    return porch.accounts.make_token(person.id, "ci", scope, timedelta(days=1))[1]


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
