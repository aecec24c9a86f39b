"""Cookies, and what tells caches that an answer is not for everybody."""

from __future__ import annotations

from flask import Flask

from card_arena.accounts.entries import Visibility
from card_arena.accounts.web import visitors
from card_arena.tests.accounts.browser import Browser
from card_arena.tests.accounts.porch import Porch

PUBLIC = ("/", "/bots", "/how", "/api/v1/bots", "/static/style.css", "/nothing")


def test_nobody_gets_a_cookie_who_only_reads(app: Flask, ann: Browser, porch: Porch):
    for browser in (Browser(app), ann):
        for path in PUBLIC:
            answer = browser.get(path)
            assert "Set-Cookie" not in answer.headers, path
            assert "Vary" not in answer.headers, path


def test_a_cookie_comes_where_it_is_needed(app: Flask, porch: Porch):
    stranger = Browser(app)
    link = porch.accounts.invite("Ann", "ann@example.org")[1]
    form = Browser(app).get(f"/sign-in/{link}")
    assert "arena=" in form.headers["Set-Cookie"], "the form has a secret"
    assert "arena=" in Browser(app).get("/mine").headers["Set-Cookie"], "it leads back there"
    entered = stranger.enter(link)
    assert "arena=" in entered.headers["Set-Cookie"]
    assert "Expires=" in entered.headers["Set-Cookie"]
    stranger.get("/mine")
    page = stranger.get("/mine")
    assert "Set-Cookie" not in page.headers, "nothing has changed"
    assert "Cookie" in page.headers["Vary"]
    assert "no-store" in page.headers["Cache-Control"]
    left = stranger.send("/sign-out", page="/mine")
    assert "arena=;" in left.headers["Set-Cookie"]


def test_a_browser_that_comes_back_stays_signed_in_from_that_day_on(
    app: Flask, ann: Browser, porch: Porch
):
    ann.get("/mine")
    with ann.client.session_transaction() as session:
        session[visitors.DAY] -= 1
    renewed = ann.get("/mine")
    assert "Expires=" in renewed.headers["Set-Cookie"]
    assert "Set-Cookie" not in ann.get("/mine").headers


def test_where_something_is_hidden_answers_vary_with_who_asks(
    app: Flask, ann: Browser, porch: Porch
):
    porch.accounts.set_visibility(Visibility("friday", names="own"))
    app.extensions["arena"].readers.look_again()
    for browser in (Browser(app), ann):
        answer = browser.get("/bots")
        assert "Set-Cookie" not in answer.headers
        assert {"Cookie", "Authorization"} <= answer.vary.as_set(preserve_casing=True)
    assert "private" in ann.get("/bots").headers["Cache-Control"]
