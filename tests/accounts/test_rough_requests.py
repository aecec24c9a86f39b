"""Requests that are well-formed and mean no good: huge numbers, long names, lines for the log."""

from __future__ import annotations

import io
import logging
import re
from datetime import timedelta

import pytest
from flask import Flask
from werkzeug.routing import IntegerConverter
from werkzeug.routing import Rule as Route

from card_arena.accounts.mail import MOST_AN_HOUR, Mail, Mailroom
from card_arena.accounts.settings import AccountSettings
from card_arena.leaderboard.web.requests import log_plainly
from card_arena.tests.accounts.browser import Browser
from card_arena.tests.accounts.porch import Porch
from card_arena.tests.accounts.post_office import open_post_office
from card_arena.tests.accounts.sites import opened_app
from card_arena.tests.accounts.talking_bot import played

HUGE = str(10**30)


def with_a_huge_number(route: Route) -> str:
    """The address of a route with a huge number for each number in it."""

    def thing(name: re.Match[str]) -> str:
        return HUGE if isinstance(route._converters[name[1]], IntegerConverter) else "x"

    return re.sub(r"<(?:[^:>]+:)?([^>]+)>", thing, route.rule)


def test_a_number_that_no_row_can_have_is_no_address(routes: list[Route], boss: Browser):
    tried = 0
    for route in routes:
        path = with_a_huge_number(route)
        if HUGE not in path or path.startswith("/api/"):
            continue
        for method in route.methods & {"GET", "POST"}:
            answer = boss.get(path) if method == "GET" else boss.send(path, page="/mine/tokens")
            assert answer.status_code in (404, 405), path
            tried += 1
    assert tried > 10


@pytest.mark.parametrize("number", [HUGE, f"-{HUGE}", "-1", "x"])
def test_a_number_in_a_form_that_no_row_can_have_is_none(ann: Browser, boss: Browser, number: str):
    team = re.search(r"/mine/team/\d+", ann.get("/mine").text)
    assert team
    answer = ann.send(f"{team[0]}/take-back", page=team[0], invitation=number)
    assert answer.status_code == 303
    assert boss.get(f"/admin/log?before={number}").status_code == 200


@pytest.mark.parametrize("length", [1025, 70_000])
def test_a_file_with_a_name_without_end_is_refused_in_a_sentence(ann: Browser, length: int):
    answer = ann.send("/submit", bundle=(io.BytesIO(b"hello"), "x" * length))
    assert answer.status_code == 400
    assert "the path of a file may have 1024 bytes" in answer.text


def test_nobody_writes_lines_of_their_own_into_the_log(porch: Porch):
    app = opened_app(porch, AccountSettings(github={"client_id": "x"}), secrets={"github": "y"})
    terminal = io.StringIO()
    handler = log_plainly(terminal)
    try:
        answer = Browser(app).get("/sign-in/with/github/back?error=%1b]0;x%07%0aFAKE%e2%80%ae")
        assert answer.status_code == 403
        try:
            raise ValueError("\x1b[2J")
        except ValueError:
            logging.getLogger("arena").exception("it said %s", "\x1b]0;x\x07")
    finally:
        logging.getLogger().removeHandler(handler)
        app.extensions["arena"].store.close()
    first, second, *traceback = terminal.getvalue().splitlines()
    assert r"\x1b]0;x\x07\nFAKE\u202e" in first
    assert r"it said \x1b]0;x\x07" in second
    assert r"ValueError: \x1b[2J" in traceback[-1]
    assert traceback[0] == "Traceback (most recent call last):"


def test_nobody_keeps_an_invitation_from_somebody_by_asking_for_links(porch: Porch):
    with open_post_office() as office:
        mailroom = Mailroom(Mail(office.settings()))
        app = opened_app(porch, mailroom=mailroom, origin="https://cards.example")
        stranger, boss = Browser(app), Browser(app)
        boss.enter(porch.accounts.invite("Boss", "boss@example.org", role="organiser")[1])
        for _ in range(MOST_AN_HOUR):
            stranger.send("/sign-in/link", email="new@example.org")
        mailroom.wait()
        assert office.emails == [], "nobody has this address yet"
        answer = boss.send("/admin/invite", name="New", email="new@example.org", how="mail")
        assert answer.status_code == 200
        mailroom.wait()
        assert [recipients for recipients, _ in office.emails] == [["new@example.org"]]
        app.extensions["arena"].store.close()


def test_who_asks_for_one_page_after_the_other_asks_as_often(ann: Browser):
    pages = ("/mine", "/submit", "/mine/tokens")
    answers = [ann.get(pages[number % 3]).status_code for number in range(310)]
    assert answers[-1] == 429


def test_a_link_signs_in_over_https_and_no_request_tells_it(porch: Porch):
    """A browser sends with a form what the policy of its page lets it say of that page."""
    site = "https://cards.example"
    app = opened_app(porch, public=site)
    _, secret = porch.accounts.invite("Zoe", "zoe@example.org")
    path, client = f"/sign-in/{secret}", app.test_client()
    page = client.get(path, base_url=site)
    assert page.headers["Referrer-Policy"] == "strict-origin"
    assert 'name="referrer"' not in page.text
    token = re.search(r'name="csrf_token" value="([^"]+)"', page.text)
    assert token
    data, told = {"csrf_token": token[1]}, {"Referer": f"{site}/"}
    assert client.post(path, base_url=site, data=data, headers=told).location == "/mine"
    assert client.get("/mine", base_url=site).headers["Referrer-Policy"] == "same-origin"
    app.extensions["arena"].store.close()


@pytest.mark.parametrize(
    "back",
    ["//evil.example", "/\\evil.example", "/\t/evil.example", "/\x0b/evil.example", "/a\r\nb: c"],
)
def test_nobody_is_led_to_another_site(ann: Browser, back: str):
    answer = ann.send("/messages/1/dismiss", page="/mine/tokens", back=back)
    assert (answer.status_code, answer.location) == (303, "/mine")


def test_one_person_does_not_take_all_places_of_long_answers(
    ann: Browser, bob: Browser, porch: Porch
):
    played(porch)
    mine, theirs = "/mine/bot/davey/decisions.jsonl", "/mine/bot/rival/decisions.jsonl"
    with ann.client.get(mine, buffered=False):
        assert ann.get(mine).status_code == 429
        assert bob.get(theirs).status_code == 200
    assert ann.client.head(mine).status_code == 200
    assert ann.get(mine).status_code == 200


VALUES = (
    *("9" * 5000, "1e999", "NaN", r'"\ud800"', r'"\u0000"'),
    *("[" * depth + "]" * depth for depth in (99, 900)),
)
BODIES = [
    "[" * 1500 + "]" * 1500,
    '{"a":' * 1500 + "1" + "}" * 1500,
    *(f'{{"NAME": {value}}}' for value in VALUES),
]


@pytest.mark.parametrize("body", BODIES)
def test_json_that_means_no_good_is_refused_in_a_sentence(
    app: Flask, routes: list[Route], porch: Porch, body: str
):
    """Whatever member it is in, and wherever it is sent."""
    boss, _ = porch.accounts.invite("Boss", "boss@example.org", role="organiser")
    secret = porch.accounts.make_token(boss.id, "laptop", "manage", timedelta(days=1))[1]
    client = app.test_client()
    tried = 0
    for route in routes:
        if not route.rule.startswith("/api/") or "<" in route.rule:
            continue
        for method in route.methods & {"POST", "PUT", "PATCH"}:
            for name in ("name", "email", "reason", "title", "number", "until", "tournament"):
                sent = body.replace("NAME", name)
                answer = client.open(
                    route.rule,
                    method=method,
                    data=sent,
                    content_type="application/json",
                    headers={"Authorization": f"Bearer {secret}"},
                )
                assert 400 <= answer.status_code < 500, (method, route.rule, sent[:80])
                assert answer.json["error"].endswith(".")
                tried += 1
    assert tried
