"""The database of the door when it can't be read."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta

import pytest
from flask import Flask

from leaderboard.storage.database import Unusable
from tests.door.browser import Browser
from tests.door.porch import Porch


@contextmanager
def unreadable() -> Iterator[None]:
    raise Unusable("the disk gives an error")
    yield


def token(porch: Porch) -> str:
    return porch.door.make_token(porch.ann.id, "laptop", "submit", timedelta(days=1))[1]


def test_everybody_is_told_so_whether_they_have_signed_in_or_not(
    app: Flask, ann: Browser, porch: Porch, monkeypatch: pytest.MonkeyPatch
):
    program = {"Authorization": f"Bearer {token(porch)}"}
    assert ann.get("/").status_code == 200
    monkeypatch.setattr(porch.door.database, "reading", unreadable)
    app.extensions["arena"].seen_by.look_again()
    for answer in (*map(ann.get, ("/", "/mine", "/submit")), Browser(app).get("/")):
        assert answer.status_code == 503
        assert answer.headers["X-Content-Type-Options"] == "nosniff"
        assert "Something went wrong here" in answer.text
    for path in ("/api/v1/bots", "/api/v1/uploads"):
        answer = ann.get(path, headers=program)
        assert answer.status_code == 503
        assert "can't answer now" in answer.json["error"]
    monkeypatch.undo()
    assert ann.get("/mine").status_code == 200
