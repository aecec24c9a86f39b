"""The character NUL, which PostgreSQL neither keeps nor looks for: it is refused on the site."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path

import pytest
from flask import Flask
from werkzeug.routing import IntegerConverter
from werkzeug.routing import Rule as Route

from card_arena.accounts.storage.account_store import AccountStore
from card_arena.accounts.submission import Spool
from card_arena.accounts.web.context import accounts_context_of
from card_arena.tests.accounts.browser import Browser
from card_arena.tests.accounts.sites import app_of

NAMES = re.compile(r'name="([a-z_]+)"')
TEMPLATES = Path(__file__).parents[2] / "accounts/web/templates"


@pytest.fixture
def app(url: str, tmp_path: Path) -> Iterator[Flask]:
    """A site with accounts on a database of either kind."""
    accounts = AccountStore(url)
    app = app_of(url, accounts, Spool(tmp_path / "spool"))
    yield app
    accounts.close()
    app.extensions["arena"].store.close()


@pytest.fixture
def boss(app: Flask) -> Browser:
    """An organiser's browser, whose programs have a token."""
    accounts, browser = accounts_context_of(app).accounts, Browser(app)
    person, secret = accounts.invite("Boss", "boss@example.org", role="organiser")
    assert browser.enter(secret).status_code == 303
    browser.secret = accounts.make_token(person.id, "laptop", "manage", timedelta(days=1))[1]
    return browser


def filled_in(route: Route, word: str) -> str:
    """The address of a route with a word for each word in it."""

    def thing(name: re.Match[str]) -> str:
        return "1" if isinstance(route._converters[name[1]], IntegerConverter) else word

    return re.sub(r"<(?:[^:>]+(?:\(.*?\))?:)?([^>]+)>", thing, route.rule)


def test_nothing_is_at_an_address_with_a_nul(app: Flask, boss: Browser):
    program = {"Authorization": f"Bearer {boss.secret}"}
    tried = 0
    for route in app.url_map.iter_rules():
        path = filled_in(route, "a%00")
        if "%00" in path and "GET" in (route.methods or ()):
            assert boss.get(path).status_code == 404, path
            assert boss.get(path, headers=program).status_code == 404, path
            tried += 1
    assert tried > 20


def test_no_question_holds_a_nul(app: Flask, boss: Browser):
    program = {"Authorization": f"Bearer {boss.secret}"}
    for route in app.url_map.iter_rules():
        if "GET" in (route.methods or ()):
            path = f"{filled_in(route, 'a')}?season=%00"
            assert boss.get(path, headers=program).status_code == 400, path
    for query in ("bot=a%00", "bot=%00&page=2", "page=%00", "%00=1", "bot=a&bot=%00"):
        assert boss.get(f"/bots?{query}").status_code == 400, query


def test_no_field_of_a_form_holds_a_nul(app: Flask, boss: Browser):
    pages = [file.read_text("utf-8") for file in TEMPLATES.rglob("*.html")]
    names = {name for page in pages for name in NAMES.findall(page)} - {"csrf_token"}
    assert len(names) > 20
    tried = 0
    for route in app.url_map.iter_rules():
        if "POST" in (route.methods or ()) and not route.rule.startswith("/api/"):
            path = filled_in(route, "a")
            answer = boss.send(path, page="/mine/tokens", **dict.fromkeys(names, "a\0"))
            assert answer.status_code == 400, path
            assert "A field of the form contains the character NUL." in answer.text
            tried += 1
    assert tried > 10
