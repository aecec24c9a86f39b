"""The API with a token: handing in, waiting, and what is nobody else's."""

from __future__ import annotations

import io
import json
from collections.abc import Iterator
from contextlib import closing
from http.client import HTTPConnection
from typing import Any

import pytest
from flask import Flask
from werkzeug.test import TestResponse

from card_arena.tests.accounts.browser import Browser
from card_arena.tests.accounts.porch import Porch, bot
from card_arena.tests.accounts.programs import Program, token
from card_arena.tests.accounts.served import served
from card_arena.tests.accounts.sites import open_site
from card_arena.tests.tournament import stage
from card_arena.tournament.play.steps import finish


@pytest.fixture
def app(porch: Porch) -> Iterator[Flask]:
    with open_site(porch) as app:
        yield app


@pytest.fixture
def ann(app: Flask, porch: Porch) -> Program:
    return Program(app, porch, porch.ann)


@pytest.fixture
def bob(app: Flask, porch: Porch) -> Program:
    return Program(app, porch, porch.bob)


def said(answer: TestResponse) -> Any:
    assert answer.mimetype == "application/json"
    assert answer.cache_control.no_store
    return answer.json


def test_a_bot_is_handed_in_and_watched_until_it_is_admitted(ann: Program, porch: Porch):
    answer = ann.push(bot("davey"))
    assert answer.status_code == 201
    upload = said(answer)
    assert (upload["state"], upload["new"], upload["team"]) == ("waiting", True, "Red")
    assert answer.headers["Location"] == f"/api/v1/uploads/{upload['id']}"
    finish(porch.intake().take_all(stage.Here()))
    found = said(ann.get(f"uploads/{upload['id']}"))
    assert (found["state"], found["bot"], found["version"]) == ("accepted", "davey", 1)
    assert [each["bot"] for each in said(ann.get("me/bots"))["items"]] == ["davey"]


def test_the_same_files_again_are_the_same_upload(ann: Program):
    first, again = ann.push(bot("davey")), ann.push(bot("davey"))
    assert (first.status_code, again.status_code) == (201, 200)
    assert said(again)["id"] == said(first)["id"]
    assert not said(again)["new"]


def test_who_waits_is_told_how_many_are_before(ann: Program, bob: Program):
    ann.push(bot("davey"))
    upload = said(bob.push(bot("lim17")))
    assert upload["ahead"] == 1


def test_a_refused_bot_has_a_reason_and_a_log(ann: Program, porch: Porch):
    upload = said(ann.push(bot("davey", source="exit 3\n")))
    finish(porch.intake().take_all(stage.Here()))
    found = said(ann.get(f"uploads/{upload['id']}"))
    assert found["state"] == "rejected"
    assert found["reason"]
    assert found["version"] is None


def test_a_token_says_whose_it_is(ann: Program):
    found = said(ann.get("me"))
    assert (found["name"], found["teams"], found["scope"]) == ("Ann", ["Red"], "submit")


def test_what_another_team_handed_in_is_not_there(ann: Program, bob: Program):
    upload = said(ann.push(bot("davey")))
    hidden, missing = bob.get(f"uploads/{upload['id']}"), bob.get("uploads/999")
    assert hidden.status_code == missing.status_code == 404
    assert hidden.json == missing.json
    assert said(bob.get("uploads")) == {"page": 1, "pages": 1, "total": 0, "items": []}
    assert [each["id"] for each in said(ann.get("uploads"))["items"]] == [upload["id"]]


def test_nobody_comes_in_without_a_token(app: Flask):
    for path in ("me", "me/bots", "uploads", "uploads/1"):
        answer = app.test_client().get(f"/api/v1/{path}")
        assert answer.status_code == 401
        assert answer.headers["WWW-Authenticate"] == "Bearer"
        assert "Authorization: Bearer TOKEN" in said(answer)["error"]


def test_a_session_is_no_token(app: Flask, porch: Porch):
    browser = Browser(app)
    browser.enter(porch.accounts.new_link("ann@example.org")[1])
    client = browser.client
    assert client.get("/mine").status_code == 200
    assert client.get("/api/v1/me").status_code == 401
    form = {"bundle": (io.BytesIO(bot("davey")), "bot.tar.gz")}
    assert client.post("/api/v1/uploads", data=form).status_code == 401


def test_a_token_that_was_revoked_is_worth_nothing(ann: Program, porch: Porch):
    (valid,) = porch.accounts.tokens(porch.ann.id)
    porch.accounts.revoke(porch.ann.id, valid.id)
    answer = ann.get("me")
    assert answer.status_code == 401
    assert said(answer)["error"].startswith("This token is wrong, expired or revoked")


def test_a_token_that_only_reads_hands_nothing_in(app: Flask, porch: Porch):
    reader = Program(app, porch, porch.ann, "read")
    answer = reader.push(bot("davey"))
    assert answer.status_code == 403
    assert said(answer)["error"] == "This needs a token whose scope is submit; yours is read."
    assert reader.get("me").status_code == 200


def test_a_file_that_is_too_large_is_refused(ann: Program):
    answer = ann.push(b"PK" + bytes(400 * 1024))
    assert answer.status_code == 413
    assert "300 KiB" in said(answer)["error"]


def test_a_request_that_is_much_too_large_is_not_even_read(ann: Program):
    answer = ann.client.post(
        "/api/v1/uploads",
        headers={**ann.headers, "Content-Type": "multipart/form-data; boundary=b"},
        environ_overrides={"CONTENT_LENGTH": str(10 * 2**30)},
    )
    assert answer.status_code == 413
    assert "too large" in said(answer)["error"].lower()


def test_a_request_without_a_file_is_told_what_is_missing(ann: Program):
    answer = ann.client.post("/api/v1/uploads", data={"team": "Red"}, headers=ann.headers)
    assert answer.status_code == 400
    assert said(answer)["error"].startswith("Choose a folder, a zip or a tar.gz")


def test_more_than_the_limit_a_day_is_not_taken(ann: Program):
    for number in range(3):
        assert ann.push(bot(f"davey{number}")).status_code == 201
    answer = ann.push(bot("one-too-many"))
    assert answer.status_code == 409
    assert "24 hours" in said(answer)["error"]


def test_whoever_has_several_teams_says_which(ann: Program, porch: Porch):
    porch.accounts.join("ann@example.org", "Green")
    assert ann.push(bot("davey")).status_code == 400
    assert said(ann.push(bot("davey"), team="Green"))["team"] == "Green"
    strange = ann.push(bot("davey"), team="Blue")
    assert strange.status_code == 403
    assert said(strange)["error"] == "You are not in the team 'Blue'."


def test_a_failure_below_the_api_is_never_a_page(ann: Program):
    for path in ("nothing", "uploads/x", "uploads/999999999999999999999"):
        assert ann.get(path).mimetype == "application/json"
    answer = ann.client.delete("/api/v1/uploads/1", headers=ann.headers)
    assert answer.status_code == 405
    assert answer.json


def test_what_is_too_large_to_be_read_is_refused_in_json(porch: Porch):
    with served(porch) as site, closing(HTTPConnection("127.0.0.1", site.port, timeout=60)) as one:
        one.putrequest("POST", "/api/v1/uploads")
        one.putheader("Authorization", f"Bearer {token(porch, porch.ann)}")
        one.putheader("Content-Length", str(10 * 2**30))
        one.endheaders()
        answer = one.getresponse()
        assert answer.status == 413
        assert json.loads(answer.read())["error"].startswith("Request Entity Too Large")
