"""The whole site as files: what is in it, where its links lead, and replays in a real browser."""

from __future__ import annotations

import functools
import html
import io
import json
import re
import threading
from collections.abc import Iterator
from contextlib import suppress
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlsplit

import pytest
from flask.testing import FlaskClient
from playwright.sync_api import Browser, Page, expect

from card_arena.leaderboard.web.archive.files import NotAnArchive, new_folder
from card_arena.leaderboard.web.archive.site import Source, write_site
from card_arena.results.store import Store
from card_arena.results.visibility import Masked, VisibilityPolicy
from card_arena.tests.leaderboard.web.archive_files import unpacked, whole
from card_arena.tests.leaderboard.web.visiting import fits, visit
from card_arena.tests.tournament import stage

GAMES = ("blackjack", "spades", "blot", "tarot", "durak")
MATCHES = {game: f"match/{game}/0001/t01/r1/a.html" for game in GAMES} | {
    "blackjack": "match/friday/0001/t01/r2/a.html"
}
"""A match of each game."""

DRAWN = """(pieces) => {
  const told = (node) => {
    if (node.nodeType === Node.TEXT_NODE) return node.textContent.replace(/\\s+/g, " ").trim();
    const names = [...node.attributes].filter(({ name }) => !["href", "id"].includes(name));
    const inside = [...node.childNodes].map(told).filter((text) => text);
    const attributes = names.map(({ name, value }) => `${name}=${value.trim()}`);
    return [node.nodeName, attributes.sort(), inside];
  };
  const drawn = (html) => {
    const piece = document.createElement("div");
    piece.innerHTML = html;
    piece.querySelectorAll(".next, .faults").forEach((part) => part.remove());
    const words = piece.querySelectorAll(".remark a, .why a");
    words.forEach((link) => link.replaceWith(...link.childNodes));
    piece.normalize();
    return [...piece.childNodes].map(told).filter((text) => text);
  };
  return pieces.map(drawn);
}"""
"""All that is drawn of a game, without what an archive lacks: questions, times, links of words."""

STEPS = """async () => {
  const parts = JSON.parse(document.getElementById("timeline").textContent).parts;
  const loaded = await Promise.all(parts.map((_, number) => window.tableSource(number)));
  return loaded.flatMap((part) => part.steps);
}"""
"""The steps of a game in an archive."""


class Quiet(SimpleHTTPRequestHandler):
    """Any server of files."""

    def log_message(self, *_: object) -> None:
        """Keep quiet."""


@pytest.fixture(scope="module")
def archive(url: str, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An archive of the furnished store."""
    folder = tmp_path_factory.mktemp("archive") / "of" / "ours"
    with new_folder(folder) as new:
        write_site(Source(url, season_files=True), new, lambda *_: None)
    return folder


@pytest.fixture(scope="module")
def archived_at(archive: Path) -> Iterator[str]:
    """Where it is served, in a folder of a site."""
    handler = functools.partial(Quiet, directory=str(archive.parent.parent))
    server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
    threading.Thread(target=server.serve_forever).start()
    yield f"http://127.0.0.1:{server.server_port}/of/ours/"
    server.shutdown()
    server.server_close()


def open_replay(page: Page) -> None:
    expect(page.locator("#slider")).to_be_visible()


def test_every_link_of_an_archive_margins_to_a_file_and_a_place_in_it(archive: Path) -> None:
    pages = {path: whole(archive, path) for path in archive.rglob("*.html")}
    assert {(archive / match) for match in MATCHES.values()} <= {*pages}
    for path, text in pages.items():
        for address in re.findall(r'(?:href|src)="([^"]*)"', text):
            parts = urlsplit(html.unescape(address))
            if parts.scheme:
                continue
            assert not parts.query, (path, address)
            to = (path.parent / unquote(parts.path)).resolve() if parts.path else path
            assert to.is_file(), (path, address)
            assert to.is_relative_to(archive), (path, address)
            if parts.fragment and not re.match("(game|turn)-|play$", parts.fragment):
                assert re.search(f'id="{re.escape(parts.fragment)}"', pages[to]), (path, address)


def test_an_archive_has_the_rules_of_every_game(archive: Path) -> None:
    for game in GAMES:
        assert f'href="rules/{game}.html"' in (archive / "rules.html").read_text()
        assert 'id="the-words"' in (archive / "rules" / f"{game}.html").read_text()


def test_an_archive_has_no_forms_and_updates_nothing(archive: Path) -> None:
    for path in archive.rglob("*.html"):
        text = whole(archive, path)
        assert "<form" not in text, path
        assert "hx-get" not in text, path
        assert "htmx" not in text, path


def test_the_files_of_seasons_are_those_of_the_site(archive: Path, store: Store) -> None:
    exported = io.BytesIO()
    store.export("two-halls", 1, exported)
    assert (archive / "t/two-halls/1/two-halls-0001.zip").read_bytes() == exported.getvalue()


@pytest.mark.parametrize("game", GAMES)
def test_an_archived_replay_draws_what_the_site_draws(
    game: str, archived_at: str, client: FlaskClient, browser: Browser
) -> None:
    match = MATCHES[game]
    key = match.removeprefix("match/").removesuffix(".html")
    for number in (1, 2) if game != "blackjack" else (1,):
        expected = steps_on_the_site(client, key, number)
        address = f"/match/{key}?game={number}"
        glance = re.search('<table class="glance".*?</table>', client.get(address).text, re.DOTALL)
        with visit(browser, archived_at, f"{match}#game-{number}") as page:
            open_replay(page)
            steps = page.evaluate(STEPS)
            assert [step["hold"] for step in steps] == [step["hold"] for step in expected]
            ours, theirs = (
                page.evaluate(DRAWN, [step["html"] for step in both]) for both in (steps, expected)
            )
            for turn, (one, other) in enumerate(zip(ours, theirs, strict=True)):
                assert one == other, turn
            assert len(ours) > 4
            drawn = page.locator("table.glance").evaluate("(table) => table.outerHTML")
            if glance:
                assert page.evaluate(DRAWN, [drawn]) == page.evaluate(DRAWN, [glance[0]])


def steps_on_the_site(client: FlaskClient, key: str, number: int) -> list[dict[str, Any]]:
    steps: list[dict[str, Any]] = []
    for part in range(100):
        answer = client.get(f"/frames/{key}?game={number}&part={part}")
        if answer.status_code == 404:
            break
        steps += answer.json["steps"]
    return steps


@pytest.mark.parametrize("width", [360, 1280])
def test_a_replay_moves_and_leads_to_another_game(
    width: int, archived_at: str, browser: Browser
) -> None:
    with visit(browser, archived_at, f"{MATCHES['tarot']}#turn-1", width=width) as page:
        open_replay(page)
        assert fits(page)
        page.keyboard.press("ArrowRight")
        expect(page).to_have_url(re.compile("#turn-2$"))
        expect(page.locator("#slider")).to_have_value("2")
        with page.expect_event("load"):
            page.locator("table.paired a", has_text="rotation 2").first.click()
        open_replay(page)
        assert page.url.endswith("#game-2") or "#game-2-turn-" in page.url
        page.keyboard.press("End")
        page.reload()
        open_replay(page)
        expect(page.locator("[data-go=on]")).not_to_have_attribute("href", re.compile("."))


def test_an_archive_can_be_opened_as_files(archive: Path, browser: Browser) -> None:
    page = browser.new_page()
    page.goto((archive / "index.html").as_uri())
    page.wait_for_timeout(1000)  # what plays on the site is a picture here
    page.locator("#decisive + ul a").first.click()
    open_replay(page)
    step = page.locator("#slider").input_value()
    page.keyboard.press("ArrowRight")
    expect(page.locator("#slider")).to_have_value(str(int(step) + 1))
    page.close()


def test_a_match_takes_at_most_ten_kilobytes(archive: Path) -> None:
    sizes = {path: path.stat().st_size for path in (archive / "match").rglob("*.html")}
    assert max(sizes.values()) <= 10_000, max(sizes.items(), key=lambda item: item[1])


def test_what_is_hidden_from_visitors_is_in_no_file(url: str, store: Store, tmp_path: Path) -> None:
    season = next(each for each in store.seasons("spades") if each.number == 1)
    hidden = Masked("spades", {"davey": "bot 1", "lim17": "bot 2"}, frozenset())
    friday = {each.id for each in store.seasons("friday")}
    policy = VisibilityPolicy(
        masked={season.id: hidden},
        unnamed=frozenset({"spades"}),
        seasons={"spades": {season.id}, "friday": friday},
        key=1,
    )
    folder = tmp_path / "archive"
    with new_folder(folder) as new:
        write_site(Source(url, policy, season_files=True), new, lambda *_: None)
    text = whole(folder, folder / MATCHES["spades"])
    assert "bot 1" in text
    assert "davey" not in text + json.dumps(unpacked((folder / MATCHES["spades"]).read_text()))


def test_the_logs_of_builds_are_in_no_archive(new_store: Store, tmp_path: Path) -> None:
    version = stage.submit(new_store, stage.shell("broken", 15).write(tmp_path / "bots"))
    new_store.note_build(version.id, False, "its build failed", "key = 'an author's secret'")
    folder = tmp_path / "archive"
    with new_folder(folder) as new:
        write_site(Source(new_store.database.address), new, lambda *_: None)
    text = (folder / "bot" / "broken.html").read_text()
    assert "its build failed" in text
    assert "secret" not in text


def test_a_folder_that_is_no_archive_stays_as_it_is(tmp_path: Path) -> None:
    place = tmp_path / "papers"
    place.mkdir()
    (place / "thesis.txt").write_text("mine")
    with pytest.raises(NotAnArchive, match="is not an archive"), new_folder(place):
        pass
    assert (place / "thesis.txt").read_text() == "mine"


def test_an_archive_is_replaced_when_the_new_one_is_complete(tmp_path: Path) -> None:
    place = tmp_path / "archive"
    with new_folder(place) as new:
        (new / "index.html").write_text("old")
    with suppress(KeyboardInterrupt), new_folder(place) as new:
        (new / "index.html").write_text("half")
        raise KeyboardInterrupt
    assert (place / "index.html").read_text() == "old"
    with new_folder(place) as new:
        (new / "index.html").write_text("new")
        assert (place / "index.html").read_text() == "old"
    assert (place / "index.html").read_text() == "new"
    assert [*tmp_path.iterdir()] == [place]
