"""Tables on the site: a person sits down in a browser, and others watch."""

from __future__ import annotations

import json
import math
import random
import re
import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from dataclasses import replace
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread

import pytest
from axe_playwright_python.sync_playwright import Axe
from flask import Flask
from flask.testing import FlaskClient
from playwright.sync_api import Browser, BrowserContext, Page, expect

from card_arena.exhibitions.settings import PlaySettings
from card_arena.leaderboard.web.app import create_app
from card_arena.leaderboard.web.live_tables import SPECTATOR, LiveTables, own_turn
from card_arena.tables.game import Terminal
from card_arena.tables.registry import GAMES
from card_arena.tests.cli.home import Home
from card_arena.tests.cli.serving import answers
from card_arena.tests.exhibitions.house import (
    LIMITS,
    House,
    asked,
    check_record,
    hosting,
    line_of,
    wait_for,
)
from card_arena.tests.leaderboard.web.serving import served
from card_arena.tests.ports import free_port

PLAY = PlaySettings(who="everybody", per_address=20)
BRIEF = {"spades": {"max_rounds": 1}, "blot": {"max_deals": 1}, "tarot": {"deals": 1}}
"""The options that make a game one deal long."""

TAP = {"x": 12, "y": 16}
"""Where a card is tapped: its corner."""


@pytest.fixture
def app(house: House) -> Iterator[Flask]:
    app = create_app(house.url, play=PLAY)
    yield app
    app.extensions["arena"].store.close()
    app.extensions["tables"].store.close()


@pytest.fixture
def client(app: Flask) -> FlaskClient:
    return app.test_client()


def begun(house: House, game: str = "spades") -> tuple[str, str]:
    """A table whose person is asked; its key and the secret of seat 0."""
    new = house.new_table(game)
    table, secret = house.tables.create(
        replace(new, options={**new.options, **BRIEF.get(game, {})})
    )
    wait_for(lambda: asked(house, table.key))
    return table.key, secret


def drawn(html: str) -> set[str]:
    """The cards that are drawn in a position."""
    return set(re.findall(r'<use href="#([^"]+)"/></svg>', html))


def test_nobody_plays_where_the_organiser_has_not_allowed_it(house: House) -> None:
    app = create_app(house.url)
    with closing(app.extensions["arena"].store):
        client = app.test_client()
        answer = client.get("/play")
        assert answer.status_code == 404
        assert "Nobody may play here." in answer.text
        assert "/play" not in client.get("/").text


def test_a_guest_sits_down_with_two_clicks_and_has_the_seat_in_a_cookie(
    house: House, client: FlaskClient
) -> None:
    house.bot("spades")
    assert 'href="/play"' in client.get("/").text
    assert 'value="spades-first v1"' in client.get("/play").text
    answer = client.post("/play", data={"game": "spades"})
    assert answer.status_code == 303
    cookie = answer.headers["Set-Cookie"]
    assert "HttpOnly" in cookie
    assert "SameSite=Strict" in cookie
    assert f"Path={answer.location}" in cookie
    assert "The table is being made ready." in client.get(answer.location).text


@pytest.mark.parametrize(
    "headers", [{"Sec-Fetch-Site": "cross-site"}, {"Origin": "https://evil.example"}]
)
def test_another_site_sends_no_forms_in_a_readers_name(
    client: FlaskClient, headers: dict[str, str]
) -> None:
    answer = client.post("/play", data={"game": "spades"}, headers=headers)
    assert answer.status_code == 403
    assert "sent by another site" in answer.text


def test_a_seat_sees_its_own_hand_and_a_spectator_none(house: House, client: FlaskClient) -> None:
    with hosting(house):
        key, secret = begun(house)
        phase = house.tables.position(key).phase
        assert not isinstance(phase, Terminal)
        hand = {*map(str, phase.hands[0])}
        assert drawn(client.get(f"/table/{key}").text) == set()
        client.set_cookie("seat", secret, path=f"/table/{key}")
        assert drawn(client.get(f"/table/{key}").text) == hand
        assert client.get(f"/table/{key}/frames").status_code == 404
        stream = client.get(f"/table/{key}/events", buffered=False)
        told = b""
        for piece in stream.response:
            told += piece
            if b"event: state" in told:
                break
        stream.close()
        shown = [json.loads(line[6:]) for line in told.decode().splitlines() if "html" in line]
        assert {card for event in shown for card in drawn(event["html"])} <= hand


def test_forged_and_late_answers_are_refused_with_a_sentence(
    house: House, client: FlaskClient
) -> None:
    def answer(**fields: object) -> tuple[int, str]:
        headers = {"Accept": "application/json"}
        told = client.post(f"/table/{key}/answer", data=fields, headers=headers)
        return told.status_code, told.json.get("error", "")

    with hosting(house):
        key, secret = begun(house)
        turn, listed = asked(house, key) or (0, ())
        line = line_of(listed[0], random.Random(1))
        assert answer(turn=turn, line=line) == (
            403,
            "You have no seat at this table. Join it by its code, or watch.",
        )
        client.set_cookie("seat", secret, path=f"/table/{key}")
        assert answer(turn=turn, line="KH")[0] == 409
        assert "is not allowed: expected" in answer(turn=turn, line="99")[1]
        assert "It is not your turn." in answer(turn=turn + 1, line=line)[1]
        assert answer(turn=turn)[1].startswith("No answer was given.")
        assert answer(turn=turn, line=line) == (200, "")
        late = answer(turn=turn, line=line)
        assert late[0] == 409
        assert "has been" in late[1]


def test_a_thousand_tables_of_one_address_end_at_the_quota(
    house: House, client: FlaskClient
) -> None:
    house.bot("spades")
    statuses = [client.post("/play", data={"game": "spades"}).status_code for _ in range(25)]
    assert statuses == [303] * 20 + [429] * 5


def test_what_can_be_tapped_is_what_is_allowed(house: House) -> None:
    tables = LiveTables(house.tables, PLAY)
    with hosting(house):
        for game in GAMES:
            key, _ = begun(house, game)
            live = tables.at(key, now=True)
            turn = own_turn(live, 0)
            phase = live.phase
            assert turn is not None
            assert not isinstance(phase, Terminal)
            assert own_turn(live, 1) is None
            legal = phase.legal_actions(0)
            for option in turn.words:
                if option.answer:
                    assert phase.read(option.answer) in legal
            for card in turn.cards:
                assert phase.read(str(card)) in legal or turn.picks
            for option in (one for group in turn.numbers for one in group):
                assert option.number is not None
                assert phase.read(option.number.answer(option.number.low)) in legal
            assert SPECTATOR not in {seat.number for seat in live.table.seats}


def test_a_board_that_is_not_stored_can_not_be_played(client: FlaskClient) -> None:
    answer = client.post("/play/board", data={"match": "friday/0001/t01/r1/a", "seat": "0"})
    assert answer.status_code == 404
    assert "match" in answer.text


# In a browser.


@pytest.fixture
def address(house: House) -> Iterator[str]:
    with served(house.url, play=PLAY) as address:
        yield address


@pytest.fixture
def at_table(chromium: Browser, address: str) -> Iterator[Callable[..., Page]]:
    """Open a table in the seat of its secret."""
    contexts: list[BrowserContext] = []

    def open_(key: str, secret: str = "", width: int = 1280) -> Page:
        height = 740 if width < 500 else 800
        context = chromium.new_context(viewport={"width": width, "height": height})
        contexts.append(context)
        if secret:
            context.add_cookies(
                [{"name": "seat", "value": secret, "url": f"{address}/table/{key}"}]
            )
        page = context.new_page()
        page.on("pageerror", lambda error: pytest.fail(str(error)))
        page.goto(f"{address}/table/{key}")
        if secret:
            page.locator("#pace").select_option("0")
        return page

    yield open_
    for context in contexts:
        context.close()


def played_past(house: House, key: str, turn: int) -> None:
    """Wait until a turn has been played."""
    wait_for(lambda: house.tables.position(key).number > turn)


def tap_through(
    page: Page, house: House, key: str, rng: random.Random, most: float = math.inf
) -> int:
    """Answer by taps, until the game is over if need be; return how many answers were given."""
    answers, end = 0, time.monotonic() + 150
    form = page.locator("#answer")
    while answers < most and not house.tables.table(key).is_over:
        assert time.monotonic() < end, "the game did not end"
        turn = asked(house, key)
        if turn is None or not form.count():
            page.wait_for_timeout(15)
            continue
        if form.get_attribute("data-turn") != str(turn[0]):
            page.wait_for_timeout(15)
            continue
        cards, words = page.locator("button.card"), page.locator(".choices button[name]:visible")
        picks, pick = page.locator(".own input"), page.locator("[data-pick]")
        if pick.count():
            count = int(pick.get_attribute("data-pick") or 0)
            for at in rng.sample(range(picks.count()), count):
                picks.nth(at).check(force=True)
            pick.click()
        elif cards.count() and (not words.count() or rng.random() < 0.8):
            card = cards.nth(rng.randrange(cards.count()))
            value = card.get_attribute("value")
            card.click(position=TAP)
            assert asked(house, key) == turn, "the first tap only lifts a card"
            page.locator(f'button.card.lifted[value="{value}"]').click(position=TAP)
            played_past(house, key, turn[0])
            assert house.tables.turns(key)[turn[0]].answer == value, "a misplay"
        else:
            words.nth(rng.randrange(words.count())).click()
        played_past(house, key, turn[0])
        answers += 1
    return answers


@pytest.mark.browser
@pytest.mark.parametrize("width", [360, 1280])
@pytest.mark.parametrize("game", GAMES)
def test_a_whole_game_is_played_by_taps_without_a_misplay(
    house: House, at_table: Callable[..., Page], game: str, width: int
) -> None:
    with hosting(house):
        key, secret = begun(house, game)
        page = at_table(key, secret, width)
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
        assert tap_through(page, house, key, random.Random(5)) > 2
        over = re.compile("The game is over. (You win|You lose|It is a draw|You are)")
        expect(page.locator("#state")).to_contain_text(over)
        check_record(house, key)
        page.locator("#check").click()
        expect(page.locator("#fair-result")).to_contain_text("was dealt as it was fixed")
        expect(page.locator("#fair-result")).not_to_contain_text("NOT")
        page.get_by_role("link", name="Watch it again").click()
        expect(page.locator("#slider")).to_be_visible()


@pytest.mark.browser
def test_the_pages_of_tables_are_open_to_everybody(
    house: House, at_table: Callable[..., Page], address: str
) -> None:
    house.bot("spades")
    with hosting(house):
        for game in ("spades", "blot", "blackjack"):
            key, secret = begun(house, game)
            for width in (360, 1280):
                page = at_table(key, secret, width)
                for path in (f"/table/{key}", "/play"):
                    page.goto(f"{address}{path}")
                    page.emulate_media(color_scheme="dark" if width == 360 else "light")
                    result = Axe().run(page, options={"resultTypes": ["violations"]})
                    assert result.violations_count == 0, result.generate_report()
                    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


@pytest.mark.browser
@pytest.mark.parametrize(("game", "cards"), [("spades", 13), ("tarot", 24)])
def test_every_card_of_an_own_hand_can_be_hit_with_a_thumb(
    house: House, at_table: Callable[..., Page], game: str, cards: int
) -> None:
    free = """(card) => {
      const { left, right, top, bottom } = card.getBoundingClientRect();
      let most = 0;
      for (let x = left; x + 43 <= right + 1; x += 3) {
        for (let y = top; y + 43 <= bottom + 1; y += 3) {
          const corners = [[x + 1, y + 1], [x + 42, y + 1], [x + 1, y + 42], [x + 42, y + 42]];
          if (corners.every(([a, b]) => card.contains(document.elementFromPoint(a, b)))) most = 43;
        }
      }
      return most;
    }"""
    with hosting(house):
        key, secret = begun(house, game)
        page = at_table(key, secret, 360)
        own = page.locator(".own .card")
        expect(own).to_have_count(cards)
        page.wait_for_timeout(400)
        assert [card.evaluate(free) for card in own.all()] == [43] * cards


@pytest.mark.browser
def test_a_seat_survives_a_reload_and_a_second_browser_can_not_answer_twice(
    house: House, at_table: Callable[..., Page]
) -> None:
    with hosting(house):
        key, secret = begun(house)
        first, second = at_table(key, secret), at_table(key, secret)
        first.reload()
        expect(first.locator("#answer")).to_be_visible()
        second.locator(".choices button").first.click()
        wait_for(lambda: house.tables.position(key).number > 5)
        watcher = at_table(key)
        expect(watcher.locator(".own")).to_have_count(0)
        assert watcher.locator(".hand use").count() == 0


@pytest.mark.browser
def test_a_person_who_was_away_takes_the_seat_back_with_a_tap(
    house: House, at_table: Callable[..., Page]
) -> None:
    with hosting(house, LIMITS.model_copy(update={"away": 12.0})):
        key, secret = begun(house)
        page = at_table(key, secret)
        expect(page.locator("#state")).to_contain_text("plays for you", timeout=60_000)
        page.get_by_role("button", name="I am back").click()
        expect(page.locator("#state")).not_to_contain_text("plays for you")
        assert house.tables.table(key).seats[0].away_since is None
        assert tap_through(page, house, key, random.Random(5), most=1) == 1


@contextmanager
def site_process(folder: Path, url: str, port: int) -> Iterator[None]:
    """The site in a process of its own, which is killed at the end."""
    home = Home(folder)
    with home.said.open("a") as said:
        process = home.start("serve", "--port", port, "--database", url, into=said)
    try:
        wait_for(lambda: answers(port))
        yield
    finally:
        process.kill()
        process.wait()


@contextmanager
def bad_gateway(port: int) -> Iterator[set[str]]:
    """A proxy whose site is down; gives the paths that it was asked for."""
    paths: set[str] = set()

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            paths.add(self.path)
            self.send_error(502)

        def log_message(self, *_: object) -> None:
            pass

    with ThreadingHTTPServer(("127.0.0.1", port), Handler) as server:
        thread = Thread(target=server.serve_forever)
        thread.start()
        yield paths
        server.shutdown()
        thread.join()


@pytest.mark.browser
def test_a_seat_goes_on_by_itself_after_the_site_was_killed(
    house: House, chromium: Browser, tmp_path: Path
) -> None:
    (tmp_path / "arena.yaml").write_text("play:\n  who: everybody\n")
    port, rng = free_port(), random.Random(5)
    context = chromium.new_context()
    page, button = context.new_page(), ".choices button:visible"
    page.on("pageerror", lambda error: pytest.fail(str(error)))
    with hosting(house):
        key, secret = begun(house, "blackjack")
        address = f"http://127.0.0.1:{port}/table/{key}"
        with site_process(tmp_path, house.url, port):
            context.add_cookies([{"name": "seat", "value": secret, "url": address}])
            page.goto(address)
            page.locator("#pace").select_option("0")
            expect(page.locator(button).first).to_be_visible()
        page.locator(button).first.click()
        expect(page.locator(".prompt")).to_have_text("The arena could not answer. Try again.")
        with site_process(tmp_path, house.url, port):
            assert tap_through(page, house, key, rng, most=2) == 2
        with bad_gateway(port) as paths:
            wait_for(lambda: paths >= {f"/table/{key}/events", f"/table/{key}"})
        with site_process(tmp_path, house.url, port):
            assert tap_through(page, house, key, rng, most=2) == 2
    context.close()


@pytest.mark.browser
def test_a_number_is_stepped_with_a_thumb(house: House, at_table: Callable[..., Page]) -> None:
    with hosting(house):
        page = at_table(*begun(house, "blackjack"), 360)
        number = page.locator(".stepper input")
        for name, value in (("One more", "2"), ("One more", "3"), ("One less", "2")):
            page.get_by_role("button", name=name).click()
            expect(number).to_have_value(value)


@pytest.mark.browser
def test_a_hint_names_an_answer_that_is_allowed(
    house: House, at_table: Callable[..., Page]
) -> None:
    new = house.new_table("spades", hints=house.bot("spades"))
    with hosting(house):
        table, secret = house.tables.create(new)
        wait_for(lambda: asked(house, table.key))
        page = at_table(table.key, secret)
        page.locator("#hint").click()
        expect(page.locator(".hinted")).to_have_count(1, timeout=30_000)
        expect(page.locator(".prompt")).to_have_text(re.compile(r"It would answer \d+\."))


@pytest.mark.browser
def test_two_people_meet_by_a_code(house: House, address: str, chromium: Browser) -> None:
    house.bot("spades")
    with hosting(house):
        one, other = (chromium.new_context().new_page() for _ in range(2))
        one.goto(f"{address}/play")
        form = one.locator("form[data-remember=spades]")
        form.locator("[name=people]").select_option("2")
        form.get_by_role("button").click()
        code = one.locator(".code").text_content()
        other.goto(f"{address}/play")
        other.get_by_label("Code", exact=True).fill(code or "")
        other.get_by_label("Your name").fill("ada")
        other.get_by_role("button", name="Join").click()
        expect(one.locator("#state")).to_contain_text("ada")
        one.get_by_role("button", name="Begin").click()
        expect(one.locator(".own")).to_be_visible(timeout=30_000)
        expect(other.locator(".own")).to_be_visible(timeout=30_000)
        expect(one.locator(".p2 .name")).to_contain_text("ada")
        for page in (one, other):
            page.context.close()
