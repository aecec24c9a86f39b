"""How fast somebody may read: what comes too fast is refused, and others are not in its way."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from flask.testing import FlaskClient

from card_arena.leaderboard.web.app import create_app


@pytest.fixture
def slow_site(url: str) -> Iterator[FlaskClient]:
    """A site of which anybody may ask four pages a minute."""
    app = create_app(url, rate="4/minute")
    yield app.test_client()
    app.extensions["arena"].store.close()


def ask(site: FlaskClient, path: str, address: str = "192.0.2.1") -> int:
    return site.get(path, environ_base={"REMOTE_ADDR": address}).status_code


def test_pages_and_answers_for_programs_are_counted_together(slow_site: FlaskClient) -> None:
    paths = ("/", "/bots", "/api/v1/bots", "/how", "/api/v1/tournaments", "/bots")
    assert [ask(slow_site, path) for path in paths] == [200] * 4 + [429] * 2
    refused = slow_site.get("/api/v1/bots", environ_base={"REMOTE_ADDR": "192.0.2.1"})
    assert refused.is_json
    assert 0 < int(refused.headers["Retry-After"]) <= 61


def test_another_visitor_may_still_ask(slow_site: FlaskClient) -> None:
    for _ in range(5):
        ask(slow_site, "/")
    assert ask(slow_site, "/") == 429
    assert ask(slow_site, "/", "192.0.2.2") == 200


def test_addresses_that_one_visitor_can_choose_among_are_one(slow_site: FlaskClient) -> None:
    answers = [ask(slow_site, "/", f"2001:db8:1:2::{number}") for number in range(1, 7)]
    assert answers == [200] * 4 + [429] * 2
    assert ask(slow_site, "/", "2001:db8:1:3::1") == 200


def test_the_files_of_a_page_are_not_counted(slow_site: FlaskClient) -> None:
    for _ in range(8):
        with slow_site.get("/static/icon.svg") as answer:
            assert answer.status_code == 200
    assert ask(slow_site, "/", "127.0.0.1") == 200
