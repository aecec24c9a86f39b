"""Pages that are kept for a moment."""

from __future__ import annotations

import time
from collections.abc import Iterator

import pytest
from flask.testing import FlaskClient

from card_arena.leaderboard import bots
from card_arena.leaderboard.web import caches
from card_arena.leaderboard.web.app import create_app


@pytest.fixture
def kept(url: str, monkeypatch: pytest.MonkeyPatch) -> Iterator[FlaskClient]:
    """A visitor of a site whose pages are kept for longer than a test takes."""
    monkeypatch.setattr(caches, "LONGEST", 1e9)
    app = create_app(url, patience=1e9)
    yield app.test_client()
    app.extensions["arena"].store.close()


@pytest.fixture
def written(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The bots whose pages are written meanwhile."""
    names: list[str] = []
    bot = bots.bot

    def noted(store, name, *more):
        names.append(name)
        return bot(store, name, *more)

    monkeypatch.setattr(bots, "bot", noted)
    return names


def test_a_page_is_written_once_for_many_readers(kept, written):
    pages = [kept.get("/bot/davey") for _ in range(5)]
    assert written == ["davey"]
    assert {page.data for page in pages} == {pages[0].data}
    assert {page.headers["Content-Security-Policy"] for page in pages} == {
        "default-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'"
    }
    assert len({page.headers["ETag"] for page in pages}) == 1


def test_a_reader_who_has_the_page_is_told_so(kept, written):
    tag = kept.get("/bot/davey").headers["ETag"]
    again = kept.get("/bot/davey", headers={"If-None-Match": tag})
    assert (again.status_code, again.data) == (304, b"")
    whole = kept.get("/bot/davey")
    assert (whole.status_code, written) == (200, ["davey"])
    assert b"<h1" in whole.data


def test_every_address_has_a_page_of_its_own(kept, written):
    one, two = kept.get("/bot/davey"), kept.get("/bot/davey?page=2")
    assert kept.get("/bot/lim17").data != one.data
    assert written == ["davey", "davey", "lim17"]
    assert two.status_code == 200


def test_a_page_is_written_anew_after_a_while(kept, written, monkeypatch):
    monkeypatch.setattr(caches, "LONGEST", 0.2)
    kept.get("/bot/davey")
    time.sleep(0.3)
    kept.get("/bot/davey")
    assert written == ["davey", "davey"]


def test_what_is_not_there_is_looked_for_each_time(kept, written):
    assert [kept.get("/bot/nobody").status_code for _ in range(2)] == [404, 404]
    assert written == ["nobody", "nobody"]


def test_no_more_pages_are_kept_than_there_is_room_for(kept, written, monkeypatch):
    monkeypatch.setattr(caches, "PAGES", 2)
    for name in ("davey", "lim17", "lim15", "davey"):
        kept.get(f"/bot/{name}")
    assert written == ["davey", "lim17", "lim15", "davey"]
