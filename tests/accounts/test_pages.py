"""The pages of people with an account: signing in, handing in, and what is nobody else's."""

from __future__ import annotations

import io
import re

import pytest
from flask import Flask

from card_arena.tables.registry import GAMES
from card_arena.tests.accounts.browser import Browser, archive
from card_arena.tests.accounts.porch import Porch
from card_arena.tests.accounts.sites import LANGUAGES
from card_arena.tests.tournament import stage
from card_arena.tournament.play.steps import finish


def test_a_link_signs_a_browser_in_and_works_once(app: Flask, porch: Porch):
    _, secret = porch.accounts.invite("Ann", "ann@example.org")
    first, second = Browser(app), Browser(app)
    assert first.get("/mine").location == "/sign-in"
    assert first.get(f"/sign-in/{secret}").status_code == 200, "looking at it does not use it"
    assert first.enter(secret).location == "/mine"
    assert "You are <bdi>Ann</bdi>" in first.get("/mine").text
    refused = second.enter(secret)
    assert refused.status_code == 403
    assert "ask the organiser for a new one" in refused.text


def test_after_signing_in_the_page_that_was_wanted_comes(app: Flask, porch: Porch):
    _, secret = porch.accounts.invite("Ann", "ann@example.org")
    browser = Browser(app)
    browser.get("/submit")
    assert browser.enter(secret).location == "/submit"


def test_signing_out_ends_this_session_and_everywhere_ends_all(app: Flask, porch: Porch):
    here, there = Browser(app), Browser(app)
    for browser in (here, there):
        browser.enter(porch.accounts.invite("Ann", "ann@example.org")[1])
    here.send("/sign-out", page="/mine")
    assert here.get("/mine").status_code == 303
    assert there.get("/mine").status_code == 200
    here.enter(porch.accounts.invite("Ann", "ann@example.org")[1])
    here.send("/sign-out-everywhere", page="/mine")
    assert here.get("/mine").status_code == there.get("/mine").status_code == 303


def test_the_session_is_out_of_reach_of_scripts_and_of_other_sites(ann: Browser, app: Flask):
    with app.test_request_context():
        pass
    cookie = ann.client.get_cookie("arena")
    assert cookie is not None
    assert cookie.http_only
    assert cookie.same_site == "Lax"


def test_what_is_uploaded_is_built_checked_and_shown_to_its_team(ann: Browser, porch: Porch):
    answer = ann.send("/submit", bundle=archive())
    assert answer.location == "/upload/1"
    assert "It is the next one." in ann.get("/upload/1").text
    finish(porch.intake().take_all(stage.Here()))
    page = ann.get("/upload/1").text
    assert '<a href="/bot/davey">davey v1</a>' in page
    assert "data-hx-get" in page, "its first matches are waited for"
    assert '<a href="/mine/bot/davey">' in ann.get("/mine").text
    assert porch.store.version("davey").author == "Ann"


def test_a_bot_that_can_not_be_built_is_told_with_its_log(ann: Browser, porch: Porch):
    source = "int main( { <script>alert(1)</script>"
    fields = {"name": "cee", "language": "c", "game": "blackjack", "source": source}
    assert ann.send("/submit", **fields).location == "/upload/1"
    finish(porch.intake().take_all(stage.Here()))
    page = ann.get("/upload/1").text
    assert "Rejected: the build failed" in page
    assert "bot.c" in page
    assert "<script>alert" not in page


def test_what_a_bot_wrote_when_it_failed_is_shown_once(ann: Browser, porch: Porch):
    source = "raise SystemExit('no idea')\n"
    fields = {"name": "py", "language": "python", "game": "blackjack", "source": source}
    ann.send("/submit", **fields)
    finish(porch.intake().take_all(stage.Here()))
    page = ann.get("/upload/1").text
    assert page.count("no idea") == 1
    assert "Failed step" in page
    assert "Build log" not in page


def test_a_pasted_program_is_a_bot(ann: Browser, porch: Porch):
    program = stage.PYTHON_STDIN.format(limit=15).replace("\n", "\r\n")
    fields = {"name": "pasted", "language": "python", "game": "blackjack", "source": program}
    ann.send("/submit", **fields)
    finish(porch.intake().take_all(stage.Here()))
    assert porch.store.version("pasted").language == "python"


def test_all_files_of_a_folder_are_a_bot(ann: Browser, porch: Porch):
    about = b"name: loose\ngames: [blackjack]\nprotocol: argv\nlanguage: shell\n"
    program = stage.SHELL_ARGV.format(limit=15).encode()
    files = [(io.BytesIO(about), "loose/bot.yaml"), (io.BytesIO(program), "loose/bot.sh")]
    ann.send("/submit", bundle=files)
    finish(porch.intake().take_all(stage.Here()))
    assert porch.store.version("loose").number == 1


@pytest.mark.parametrize(
    ("fields", "reason"),
    [
        ({}, "choose a folder, a zip or a tar.gz, or paste a program"),
        ({"source": "x", "language": "elvish"}, "choose the language of the program"),
        ({"source": "x", "language": "c", "name": "a"}, "choose the games that it plays"),
        (
            {"source": "x", "language": "c", "name": "A\nb: c", "game": "spades"},
            "a bot’s name has 1 to 32 lower-case letters",
        ),
        (
            {"source": "x" * 300_000, "language": "c", "name": "a", "game": "spades"},
            "a pasted program may have 256 KiB",
        ),
        ({"bundle": (io.BytesIO(b"PK" + bytes(400_000)), "a.zip")}, "it is larger than 300 KiB"),
    ],
)
def test_a_form_that_can_not_be_taken_comes_back_with_the_reason(
    ann: Browser, porch: Porch, fields: dict[str, object], reason: str
):
    answer = ann.send("/submit", **fields)
    assert answer.status_code == 400
    assert reason.replace("’", "&#39;") in answer.text or reason in answer.text
    assert porch.accounts.waiting() == []
    assert not porch.folder.exists() or not [*porch.folder.iterdir()]


def test_the_same_files_again_cost_nothing_and_too_many_are_refused(ann: Browser, porch: Porch):
    for _ in range(5):
        assert ann.send("/submit", bundle=archive()).location == "/upload/1"
    assert "nothing changes" in ann.get("/upload/1").text
    for limit in (12, 13):
        ann.send("/submit", bundle=archive(limit=limit))
    answer = ann.send("/submit", bundle=archive(limit=14))
    assert answer.status_code == 400
    assert "limit of uploads in 24 hours (3)" in answer.text
    assert len([*porch.folder.iterdir()]) == 3


def test_uploads_of_others_are_as_good_as_none(
    ann: Browser, bob: Browser, app: Flask, porch: Porch
):
    ann.send("/submit", bundle=archive())
    theirs, none = bob.get("/upload/1"), bob.get("/upload/2")
    assert theirs.status_code == none.status_code == 404
    assert theirs.text.replace("/upload/1", "") == none.text.replace("/upload/2", "")
    boss = Browser(app)
    boss.enter(porch.accounts.invite("Boss", "boss@example.org", role="organiser")[1])
    assert boss.get("/upload/1").status_code == 200


def test_nobody_hands_in_for_a_team_of_others(ann: Browser, bob: Browser, porch: Porch):
    others = porch.accounts.people()[1].teams[0].id
    assert ann.send("/submit", team=others, bundle=archive()).status_code == 403


def test_whoever_has_several_teams_says_which(ann: Browser, porch: Porch):
    answer = ann.send("/submit", team="", bundle=archive())
    assert answer.status_code == 400
    assert "you are in several teams" in answer.text
    assert porch.accounts.waiting() == []


@pytest.mark.parametrize("path", ["/submit", "/sign-out", "/sign-out-everywhere", "/sign-in/x"])
def test_a_form_of_another_site_does_nothing(ann: Browser, path: str, porch: Porch):
    for token in ("", "forged", "IjAi.aAAA.forged"):
        answer = ann.client.post(path, data={"csrf_token": token, "bundle": archive()})
        assert answer.status_code == 400
    assert ann.get("/mine").status_code == 200
    assert porch.accounts.waiting() == []


def test_a_token_of_another_browser_is_forged_too(ann: Browser, bob: Browser, porch: Porch):
    text = bob.get("/submit").text
    token = re.search(r'name="csrf_token" value="([^"]+)"', text)
    assert token
    answer = ann.client.post("/submit", data={"csrf_token": token[1], "bundle": archive()})
    assert answer.status_code == 400


@pytest.mark.parametrize(
    "wanted",
    ["//evil.example", "/\\evil.example", "https://evil.example/", "javascript:alert(1)", ""],
)
def test_nobody_is_led_to_another_site(app: Flask, porch: Porch, wanted: str):
    browser = Browser(app)
    with browser.client.session_transaction() as session:
        session["after"] = wanted
    _, secret = porch.accounts.invite("Ann", "ann@example.org")
    assert browser.enter(secret).location == "/mine"


def test_pages_about_somebody_are_kept_nowhere_and_others_for_everybody(ann: Browser, app: Flask):
    assert ann.get("/mine").headers["Cache-Control"] == "no-store"
    assert Browser(app).get("/mine").status_code == 303
    assert "My bots" in Browser(app).get("/").text


def test_a_forged_or_odd_session_is_nobodys(app: Flask, ann: Browser):
    stranger = Browser(app)
    stranger.client.set_cookie("arena", "eyJwZXJzb24iOjF9.aAAA.forged")
    assert stranger.get("/mine").status_code == 303
    for odd in ({"person": "1", "number": 1}, {"person": 1}, {"person": 1, "number": 99}):
        with stranger.client.session_transaction() as session:
            session.clear()
            session.update(odd)
        assert stranger.get("/mine").status_code == 303


def test_the_form_offers_every_game_and_language(ann: Browser):
    page = ann.get("/submit").text
    for name in GAMES:
        assert f'value="{name}"' in page
    for language in LANGUAGES:
        assert f'value="{language.name}"' in page


def test_somebody_without_a_bot_begins_with_the_starter_of_a_language(ann: Browser):
    page = ann.get("/submit?starter=python").text
    assert "print(input())\n</textarea>" in page
    assert 'value="blackjack" checked' in page
    assert 'value="spades" checked' not in page
    assert "<textarea" in ann.get("/submit?starter=elvish").text
