"""Who may do what: every address of accounts, tried by everybody with every method it has.

The table is made from the routes. A new one is in it by itself, and fails where it has no rule or
where nobody has said below what a thing in its address is.
"""

from __future__ import annotations

import io
import re
from datetime import timedelta
from pathlib import Path

import pytest
from flask import Flask
from werkzeug.routing import Rule as Route
from werkzeug.test import TestResponse

from card_arena.accounts.entries import SCOPES
from card_arena.accounts.web.access import RULES, Needs
from card_arena.tests.accounts.browser import Browser
from card_arena.tests.accounts.endpoints import QUERIES, THINGS
from card_arena.tests.accounts.porch import Porch, bot
from card_arena.tests.tournament import stage
from card_arena.tournament.play.runner import run_once
from card_arena.tournament.play.steps import finish

PEOPLE = ("nobody", "ann", "bob", "boss")


@pytest.fixture
def people(
    app: Flask, porch: Porch, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> dict[str, Browser]:
    """Nobody in particular, Ann with a bot, Bob of another team, and an organiser."""
    found = {"nobody": Browser(app)}
    found["nobody"].secret = "none"
    for name, role in (("ann", "author"), ("bob", "author"), ("boss", "organiser")):
        found[name] = Browser(app)
        _, secret = porch.accounts.invite(name.title(), f"{name}@example.org", role=role)  # type: ignore[arg-type]
        found[name].enter(secret)
        person = next(each for each in porch.accounts.people() if each.name == name.title())
        _, found[name].secret = porch.accounts.make_token(
            person.id, "test", "manage", timedelta(days=1)
        )
    archive = io.BytesIO(bot("davey")), "davey.tar.gz"
    assert found["ann"].send("/submit", bundle=archive).location == "/upload/1"
    stage.submit(porch.store, stage.shell("other", 12).write(tmp_path / "bots"))
    finish(porch.intake().take_all(stage.Here()))
    contest = stage.tournament(sandbox="bare", legs=1, rounds=1)
    run_once(porch.store, contest, stage.Notes(), stage.SEED, pool=stage.Here())
    order = porch.accounts.request_operation(None, "title", "davey", title="")
    monkeypatch.setitem(THINGS, "operation_id", str(order.id))
    return found


def asked(
    app: Flask, browser: Browser, route: Route, method: str, by: str = "what it takes"
) -> int:
    """Ask for an address, with a form that is this browser's own and empty; return the status.

    Pages are asked with a cookie and the API with a token, or both `by` one of these.
    """
    unknown = route.arguments - {*THINGS}
    assert not unknown, f"say in THINGS what {unknown} is in {route.rule}"
    with app.test_request_context():
        things = {name: THINGS[name] for name in route.arguments}
        path = app.url_map.bind("localhost").build(route.endpoint, things, method)
    path += QUERIES.get(route.endpoint, "")
    of_api = route.rule.startswith("/api/")
    by_token = by == "token" or (of_api and by != "cookie")
    client = app.test_client() if by_token else browser.client
    token = {"Authorization": f"Bearer {browser.secret}"} if by_token else {}
    if of_api or method in ("GET", "HEAD", "OPTIONS"):  # programs have no forms
        return status(client.open(path, method=method, headers=token))
    page = client.get("/sign-in/x", headers=token).text
    found = re.search(r'name="csrf_token" value="([^"]+)"', page)
    data = {"csrf_token": found[1] if found else ""}
    return status(client.open(path, method=method, data=data, headers=token))


def status(answer: TestResponse) -> int:
    """The status of an answer, of which a file is closed unread."""
    with answer:
        return answer.status_code


def shut(app: Flask, routes: list[Route]) -> list[tuple[Route, str, int]]:
    """The addresses that not everybody may see, each with a method and what strangers get."""
    return [
        (route, method, 401 if route.rule.startswith("/api/") else 303)
        for route in routes
        for method in sorted(route.methods - {"HEAD", "OPTIONS"})
        if RULES[app.view_functions[route.endpoint]].needs is not Needs.NOTHING
    ]


def test_every_address_has_a_rule(app: Flask, routes):
    assert len(routes) > 5
    for route in routes:
        assert app.view_functions[route.endpoint] in RULES, route.rule


def test_an_address_without_a_rule_is_shut(app: Flask, people, monkeypatch):
    monkeypatch.delitem(RULES, app.view_functions["accounts.mine"])
    for who in PEOPLE:
        assert people[who].get("/mine").status_code == 403


@pytest.mark.parametrize("who", PEOPLE)
def test_everybody_gets_what_their_rule_says_and_nothing_else(
    app: Flask,
    routes,
    people,
    who: str,
):
    for route in routes:
        rule = RULES[app.view_functions[route.endpoint]]
        for method in sorted(route.methods - {"HEAD", "OPTIONS"}):
            if route.endpoint in ("accounts.sign_out_here", "accounts.sign_out_everywhere"):
                continue  # they would end what the others are tried with
            code = asked(app, people[who], route, method)
            case = f"{method} {route.rule} as {who}: {code}"
            assert code < 500, case
            if rule.needs is Needs.NOTHING:
                continue
            if who == "nobody":
                assert code in (401, 303), case
            elif rule.needs is Needs.ORGANISER and who != "boss":
                assert code == 403, case
            elif rule.needs is Needs.TEAM and who == "bob":
                assert code == 404, case
            elif rule.needs is Needs.TEAM and method == "GET":
                assert code in (200, 303), case
            else:
                assert code not in (401, 403), case


def test_nobody_is_sent_to_sign_in_from_where_they_may_be(app: Flask, routes, people):
    for route in routes:
        rule = RULES[app.view_functions[route.endpoint]]
        if "GET" in route.methods and rule.needs is not Needs.NOTHING:
            assert asked(app, people["boss"], route, "GET") in (200, 303, 404), route.rule


def test_a_token_opens_no_page_and_a_session_nothing_of_the_api(app: Flask, routes, people):
    """Else a token could make another one, which outlives it, on the page for that."""
    for route, method, strangers in shut(app, routes):
        other = "cookie" if strangers == 401 else "token"
        status = asked(app, people["boss"], route, method, by=other)
        assert status == strangers, f"{method} {route.rule} by {other}: {status}"


def sign_out(porch: Porch, boss: Browser) -> None:
    boss.send("/sign-out-everywhere", page="/mine")


def end_access(porch: Porch, boss: Browser) -> None:
    porch.accounts.change_person("sign-out", "boss@example.org", reason="a laptop was stolen")


def suspend_and_restore(porch: Porch, boss: Browser) -> None:
    porch.accounts.change_person("suspend", "boss@example.org", reason="a laptop was stolen")
    porch.accounts.change_person("restore", "boss@example.org", reason="it was found")


@pytest.mark.parametrize("end", [sign_out, end_access, suspend_and_restore])
def test_what_was_ended_opens_nothing_ever_again(app: Flask, porch: Porch, routes, people, end):
    boss = people["boss"]
    left = Browser(app)
    left.secret = boss.secret
    cookie = boss.client.get_cookie("arena")
    assert cookie is not None
    left.client.set_cookie("arena", cookie.value)
    assert left.get("/admin").status_code == 200
    end(porch, boss)
    for route, method, strangers in shut(app, routes):
        status = asked(app, left, route, method)
        assert status == strangers, f"{method} {route.rule}: {status}"


@pytest.mark.parametrize("scope", SCOPES)
def test_a_token_does_what_its_scope_says(app: Flask, porch: Porch, routes, people, scope):
    boss = next(each for each in porch.accounts.people() if each.name == "Boss")
    _, secret = porch.accounts.make_token(boss.id, "test", scope, timedelta(days=1))
    client = app.test_client()
    for route in routes:
        rule = RULES[app.view_functions[route.endpoint]]
        of_api = route.rule.startswith("/api/")
        if rule.needs is Needs.NOTHING or "GET" not in route.methods or not of_api:
            continue
        with app.test_request_context():
            things = {name: THINGS[name] for name in route.arguments}
            path = app.url_map.bind("localhost").build(route.endpoint, things, "GET")
        code = status(client.get(path, headers={"Authorization": f"Bearer {secret}"}))
        enough = SCOPES.index(rule.scope) <= SCOPES.index(scope)
        assert (code != 403) == enough, route.rule


def test_a_number_that_no_database_can_hold_is_not_there(app: Flask, routes, people, monkeypatch):
    numbered = [route for route in routes if "int" in route.rule]
    assert len(numbered) > 10
    for name in {
        name for route in numbered for name in route.arguments if THINGS[name].isdecimal()
    }:
        monkeypatch.setitem(THINGS, name, str(10**30))
    for route in numbered:
        for method in sorted(route.methods - {"HEAD", "OPTIONS"}):
            assert asked(app, people["boss"], route, method) in (404, 405), route.rule
