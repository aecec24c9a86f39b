"""The database of the door when it can't be read, or when another program writes to it."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from datetime import timedelta
from http.client import HTTPConnection

import pytest
from flask import Flask

from leaderboard.door.web.allowed import FORM, allowed
from leaderboard.storage.database import Unusable
from leaderboard.web.body_sizes import Allowance
from tests.door.browser import Browser
from tests.door.porch import Porch
from tests.door.served import served

PATIENCE = 25.0
"""Seconds for an answer: fewer than a writer waits for another."""


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


def test_nobody_brings_a_file_meanwhile(app: Flask, porch: Porch, monkeypatch: pytest.MonkeyPatch):
    head = {"AUTHORIZATION": f"Bearer {token(porch)}"}

    def no_size() -> int:
        raise Unusable("the disk gives an error")

    assert allowed(app, lambda: 10**6, head) == Allowance(10**6, f"person {porch.ann.id}")
    assert allowed(app, no_size, head) == Allowance(FORM)
    monkeypatch.setattr(porch.door.database, "reading", unreadable)
    assert allowed(app, lambda: 10**6, head) == Allowance(FORM)


def test_a_program_with_a_token_keeps_nobody_waiting_while_another_one_writes(porch: Porch):
    secret = token(porch)
    file = porch.door.paths.file
    with served(porch) as site, closing(sqlite3.connect(str(file))) as writer:
        cookie = site.anns().cookie
        writer.isolation_level = None
        writer.execute("BEGIN IMMEDIATE")
        with (
            closing(HTTPConnection("127.0.0.1", site.port)) as program,
            closing(HTTPConnection("127.0.0.1", site.port, timeout=PATIENCE)) as person,
            closing(HTTPConnection("127.0.0.1", site.port, timeout=PATIENCE)) as other,
        ):
            sent = {"Authorization": f"Bearer {secret}", "Content-Type": "application/json"}
            program.request("POST", "/api/v1/invitations", "{}", sent)
            person.request("POST", "/nothing", "x" * 2000, {"Cookie": cookie})
            other.request("GET", "/how")
            assert other.getresponse().status == 200
            assert person.getresponse().status in (400, 404), "who only reads does not wait"
            writer.execute("ROLLBACK")
            assert program.getresponse().status < 500
    assert [each.used is not None for each in porch.door.tokens(porch.ann.id)] == [True]
