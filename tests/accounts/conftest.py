"""AccountStores for tests, on SQLite and on PostgreSQL."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from flask import Flask
from werkzeug.routing import Rule as Route

from card_arena.accounts.storage.account_store import AccountStore
from card_arena.leaderboard.web.app import create_app
from card_arena.tests.accounts.anns_site import site
from card_arena.tests.accounts.browser import Browser
from card_arena.tests.accounts.porch import Porch
from card_arena.tests.accounts.sites import opened_app
from card_arena.tests.cli.patient import be_patient

__all__ = ["site"]


@pytest.fixture(autouse=True)
def _patient(monkeypatch: pytest.MonkeyPatch) -> None:
    be_patient(monkeypatch)


@pytest.fixture
def accounts(url: str) -> Iterator[AccountStore]:
    accounts = AccountStore(url)
    yield accounts
    accounts.close()


@pytest.fixture
def porch(tmp_path: Path) -> Iterator[Porch]:
    porch = Porch(tmp_path)
    yield porch
    porch.accounts.close()
    porch.store.close()


@pytest.fixture
def app(porch: Porch) -> Iterator[Flask]:
    app = opened_app(porch)
    yield app
    app.extensions["arena"].store.close()


@pytest.fixture
def ann(app: Flask, porch: Porch) -> Browser:
    """Ann's browser; she is in the teams Ann and Red."""
    browser = Browser(app)
    assert browser.enter(porch.accounts.invite("Ann", "ann@example.org")[1]).status_code == 303
    return browser


@pytest.fixture
def bob(app: Flask, porch: Porch) -> Browser:
    """Bob's browser; he is in the teams Blue and Bob."""
    browser = Browser(app)
    browser.enter(porch.accounts.invite("Bob", "bob@example.org")[1])
    return browser


@pytest.fixture
def boss(app: Flask, porch: Porch) -> Browser:
    """An organiser's browser."""
    browser = Browser(app)
    browser.enter(porch.accounts.invite("Boss", "boss@example.org", role="organiser")[1])
    return browser


@pytest.fixture
def routes(app: Flask, porch: Porch) -> list[Route]:
    """The routes of accounts: those that the site alone, which only reads, does not have."""
    site = create_app(porch.url)
    public = {route.endpoint for route in site.url_map.iter_rules()}
    site.extensions["arena"].store.close()
    return [route for route in app.url_map.iter_rules() if route.endpoint not in public]
