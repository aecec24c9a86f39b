"""The live page of a tournament."""

from __future__ import annotations

import itertools
import json
from collections.abc import Callable

import pytest
from flask.testing import FlaskClient
from playwright.sync_api import Browser, expect

from card_arena.leaderboard.web.pages import live
from card_arena.leaderboard.web.pages.live import BETWEEN, CARD, HELD, Show, times_of, turned
from card_arena.leaderboard.web.pages.site import Site
from card_arena.results.store import Store
from card_arena.tables.seating import seating_plan
from card_arena.tests.leaderboard.web.house import begin, play_tables, submitted


def test_a_show_goes_from_turn_to_turn_from_game_to_game_and_waits_for_the_next_match(
    new_store: Store,
) -> None:
    bots = [submitted(new_store, name) for name in ("davey", "lim17")]
    season = begin(new_store, "friday", bots)
    play_tables(new_store, season, range(1, 2), [bots])
    seen, clock = Site(new_store), [100.0]
    show = Show("friday", lambda: clock[0])

    def shown() -> tuple[str, int, bool]:
        now = show.now(seen)
        assert now is not None
        return now.match.key, now.turn, now.waiting

    key, opening, waiting = shown()
    replay = seen.replay(key, 0)
    assert (opening, waiting) == (replay.opening, False)
    times = times_of(replay)
    clock[0] += times[opening + 1] + 0.01
    assert shown() == (key, opening + 1, False)
    clock[0] = 100 + times[-1] + 0.01
    assert shown() == (key, len(replay.turns) - 1, False)
    clock[0] += BETWEEN
    assert shown() == (key, len(replay.turns) - 1, True)
    play_tables(new_store, season, range(2, 3), [bots])
    following, turn, waiting = shown()
    assert following > key
    assert not waiting
    assert turn == seen.replay(following, 0).opening
    assert {round(b - a, 2) for a, b in itertools.pairwise(times)} <= {0, CARD, HELD}


def test_no_entrant_moves_on_the_page_when_the_seats_are_rotated() -> None:
    plan = seating_plan(((0,), (1,), (2,)), duplicate=True)
    for game, seating in enumerate(plan.seatings, start=1):
        places = turned(plan.seatings, game)
        at = {entrant: (seat + places) % 3 for seat, entrant in enumerate(seating)}
        assert at == {0: 0, 1: 1, 2: 2}


def test_a_live_page_shows_a_stored_game_and_tells_where_it_is(client: FlaskClient) -> None:
    page = client.get("/live/spades")
    assert page.status_code == 200
    assert "spades, live" in page.text.partition("</title>")[0]
    answer = client.get("/live/spades/events", buffered=False)
    told = b""
    for piece in answer.response:
        told += piece
        if b"event: at\ndata: " in told:
            break
    answer.close()
    at = json.loads(told.partition(b"event: at\ndata: ")[2].partition(b"\n")[0])
    assert at["game"].startswith("spades/0001/")
    assert client.get("/live/nothing").status_code == 404


@pytest.mark.browser
def test_a_reader_who_steps_leaves_the_live_game_and_comes_back(
    browser: Browser, address: str
) -> None:
    context = browser.new_context(reduced_motion="reduce")
    page = context.new_page()
    page.goto(f"{address}/live/spades")
    expect(page.locator("#slider")).to_be_visible()
    first = page.locator("#slider").input_value()
    expect(page.locator("#slider")).not_to_have_value(first)
    page.keyboard.press("Home")
    expect(page.locator("#follow")).to_be_visible()
    expect(page.locator("#slider")).to_have_value("0")
    page.locator("#follow").click()
    expect(page.locator("#slider")).not_to_have_value("0")
    context.close()


@pytest.mark.browser
def test_the_next_game_comes_to_all_spectators_without_another_request(
    browser: Browser,
    new_store: Store,
    open_server: Callable[[str], str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    for pause in ("CARD", "HELD", "BETWEEN"):
        monkeypatch.setattr(live, pause, 0.01)
    bots = [submitted(new_store, name) for name in ("davey", "lim17")]
    season = begin(new_store, "friday", bots)
    play_tables(new_store, season, range(1, 2), [bots])
    address = open_server(new_store.database.url.render_as_string())
    context = browser.new_context()
    page = context.new_page()
    page.goto(f"{address}/live/friday")
    table = page.locator("#play")
    first = table.get_attribute("data-game")
    assert first is not None
    requested: list[str] = []
    page.on("request", lambda request: requested.append(request.url))
    play_tables(new_store, season, range(2, 3), [bots])
    expect(table).not_to_have_attribute("data-game", first)
    expect(page.locator("#frame .felt")).to_be_visible()
    key = json.loads(table.get_attribute("data-game") or "").split()[0]
    assert not [url for url in requested if key in url or "/live/" in url]
    context.close()
