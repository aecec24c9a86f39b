"""Frozen and anonymous standings: whatever others may not see, no page tells them.

Two arenas are alike up to the freeze; only one of them plays on. To a stranger, every page of the
one has to be every page of the other.
"""

from __future__ import annotations

import re
import shutil
import zlib
from base64 import b64decode
from collections import Counter
from collections.abc import Hashable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from itertools import product
from pathlib import Path

import pytest
from flask import Flask
from sqlalchemy import update
from werkzeug.test import TestResponse

from accounts.entries import Visibility
from accounts.storage.account_store import AccountStore
from accounts.submission import Spool
from accounts.visibility import snapshot_standings
from formats.interventions import Intervention
from leaderboard.web.app import create_app
from leaderboard.web.pages import previews
from leaderboard.web.pages.live import Show
from results.entries import Season
from results.interventions import record
from results.models import SeasonRow
from results.store import Store
from tests.accounts.browser import Browser
from tests.accounts.sites import app_of
from tests.coach.records import store_review
from tests.leaderboard.web.house import SETTINGS, begin, placed, play_tables, submitted
from tests.season_settings import season_settings

HEAD = re.compile(r"[0-9a-f]{64}")
LINK = re.compile(r'href="(/[^"#]*)')

BOTS = ("davey", "lim17", "lim15", "silent")
TEAMS = {"davey": "ada", "silent": "ada", "lim17": "grace"}


@dataclass
class Arena:
    """An arena in a folder of its own, and its site."""

    folder: Path
    store: Store
    accounts: AccountStore
    app: Flask

    def browser(self, team: str = "", role: str = "author") -> Browser:
        browser = Browser(self.app)
        if team:
            mail = f"{team}-{role}@example.org"
            _, secret = self.accounts.invite(team, mail, team, role)  # type: ignore[arg-type]
            self.accounts.give_author(self.accounts.team_named(team).id)
            assert browser.enter(secret).status_code == 303
        return browser


class Still(dict[Hashable, Show]):
    """Live pages that show the first turn of a game for ever."""

    def setdefault(self, key: Hashable, show: Show, /) -> Show:  # type: ignore[override]
        return super().setdefault(key, Show(key[0], lambda: 0.0))  # type: ignore[index]


@contextmanager
def arena(folder: Path) -> Iterator[Arena]:
    url = f"sqlite:///{folder / 'arena.db'}"
    store, accounts = Store(url), AccountStore(url)
    app = app_of(url, accounts, Spool(folder / "s"))
    app.extensions["shows"] = Still()
    yield Arena(folder, store, accounts, app)
    app.extensions["arena"].store.close()
    store.close()
    accounts.close()


def play(store: Store, season: Season, legs: range, before: list[object]) -> list[object]:
    bots = [store.version(name) for name in BOTS]
    played = [*before, *play_tables(store, season, legs, [bots])]
    store.save_standings(season.id, placed(played))  # type: ignore[arg-type]
    store.refresh_ratings("friday")
    store.plan_season(season.id, 12 + len(played))
    coming = [f"friday/0001/t{leg:02}/r9/a" for leg in legs]
    store.note_queue(season.id, [(key, [bot.id for bot in bots], True) for key in coming])
    return played


def intervene(store: Store, season: Season, version: int) -> None:
    """Put a bot on probation, which follows from results."""
    with store.database.writing() as session:
        row = session.get_one(SeasonRow, season.id)
        now = datetime.now(UTC).replace(microsecond=0)
        what = Intervention(1, 0, now, "probation", "ten timeouts in a row", version)
        record(session, row, what)


@pytest.fixture
def arenas(tmp_path: Path) -> Iterator[tuple[Arena, Arena]]:
    """Two arenas that freeze `friday`; the second one plays on, and begins another season."""
    (tmp_path / "still").mkdir()
    url = f"sqlite:///{tmp_path / 'still' / 'arena.db'}"
    store, accounts = Store(url), AccountStore(url)
    bots = [submitted(store, name) for name in BOTS]
    season = begin(store, "friday", bots, seed=None)
    store.announce({"friday": season_settings(SETTINGS | {"probation": True})}, all_there_are=True)
    played = play(store, season, range(1, 4), [])
    frozen = datetime.now(UTC)
    accounts.set_visibility(Visibility("friday", frozen=frozen))
    snapshot_standings(store, accounts, frozen)
    store.close()
    accounts.close()
    shutil.copytree(tmp_path / "still", tmp_path / "moving")
    moving = Store(f"sqlite:///{tmp_path / 'moving' / 'arena.db'}")
    play(moving, season, range(4, 7), played)
    intervene(moving, season, bots[0].id)
    moving.close()
    with arena(tmp_path / "still") as one, arena(tmp_path / "moving") as other:
        yield one, other


MATCHES = [f"friday/0001/t{leg:02}/r{number}/a" for leg in range(1, 7) for number in (1, 2)]

QUERIES = 6
"""How many pages are read that differ by their query alone."""

THINGS = {"name": ("friday", *BOTS), "key": MATCHES, "number": (1, 2), "turn": (1,)}
"""What stands in addresses of the site, by the name of the parameter."""


def addresses(app: Flask) -> list[str]:
    """Every address that the site can be asked for about these things, made from its routes."""
    site = create_app(f"sqlite:///{app.extensions['arena'].store.database.url.database}")
    site.extensions["arena"].store.close()
    found = []
    for route in site.url_map.iter_rules():
        about_results = route.endpoint != "api.description" and "filename" not in route.arguments
        if "GET" in route.methods and about_results:
            names = sorted(route.arguments)
            for values in product(*(THINGS[name] for name in names)):
                adapter = site.url_map.bind("localhost")
                found.append(adapter.build(route.endpoint, dict(zip(names, values, strict=True))))
    return found


def first_event(answer: TestResponse) -> bytes:
    """The first event of a stream that never ends; its id, which is a time, is left out.

    That of a live page is a game, and packed.
    """
    chunks = iter(answer.response)
    text = b""
    while b"data:" not in text:
        text += next(chunks)
    text = re.sub(rb"id: \d+\n", b"", text)
    return re.sub(
        rb"(?<=event: game\ndata: )\S+", lambda data: zlib.decompress(b64decode(data[0])), text
    )


def everything(here: Arena, browser: Browser) -> dict[str, str]:
    """Every answer about these things, and every page that links lead to.

    Of pages that differ by a query alone, such as the positions of a game, only some are read.
    Hashes are made alike: these may change.
    """
    found: dict[str, str] = {}
    queries = Counter[str]()
    to_see = addresses(here.app)
    to_see += [f"/t/friday/1?leg={leg}" for leg in range(1, 7)]
    to_see += [f"/repro/{key}?game=1&turn=1" for key in MATCHES]
    while to_see:
        path = to_see.pop().replace("&amp;", "&")
        page, _, query = path.partition("?")
        if path in found or path.startswith("/static/") or queries[page] >= QUERIES:
            continue
        queries[page] += query != ""
        with browser.get(path) as answer:
            pages = answer.mimetype == "text/html"
            tag = answer.headers.get("ETag", "") if answer.mimetype == "application/zip" else ""
            live = answer.mimetype == "text/event-stream"
            data = first_event(answer) if live else answer.data
            text = data.decode(errors="backslashreplace")  # some are pictures
            found[path] = f"{answer.status_code} {HEAD.sub('#', text)} {tag}"
        if pages:
            to_see += LINK.findall(found[path])
    return found


def test_a_freeze_tells_strangers_nothing_of_what_is_played_after_it(arenas):
    still, moving = arenas
    before, after = everything(still, still.browser()), everything(moving, moving.browser())
    assert before.keys() == after.keys()
    assert len(before) > 25
    for path in before:
        assert before[path] == after[path], path
    assert before["/match/friday/0001/t03/r1/a"].startswith("200")
    assert after["/match/friday/0001/t04/r1/a"].startswith("404")
    assert "frozen since" in after["/t/friday/1"]
    assert "The standings have been frozen" in after["/t/friday"]


def test_a_frozen_board_is_the_one_of_that_moment_and_the_commitment_goes_on(arenas):
    still, moving = arenas
    page = still.browser().get("/t/friday/1").text
    assert "They are shown as they were then" in page
    for name in BOTS:
        assert f"/bot/{name}" in page
    heads = {HEAD.findall(each.browser().get("/t/friday/1").text)[2] for each in arenas}
    assert len(heads) == 2, "the head of the ledger is never hidden"
    assert moving.browser().get("/t/friday/1/season.zip").status_code == 404


def test_a_team_sees_its_own_matches_and_an_organiser_everything(arenas):
    _, moving = arenas
    hidden = "/match/friday/0001/t05/r1/a"
    others, own = moving.browser("nobody-s"), moving.browser("ada")
    boss = moving.browser("staff", "organiser")
    assert [each.get(hidden).status_code for each in (others, own, boss)] == [404, 200, 200]
    assert "frozen since" in own.get("/t/friday/1").text
    page = boss.get("/t/friday/1").text
    assert "You see this as an organiser" in page
    assert "frozen since" not in page
    with boss.get("/t/friday/1/season.zip") as file:
        assert file.status_code == 200


def test_each_reader_has_a_live_page_of_their_own(arenas):
    _, moving = arenas
    readers = moving.browser("staff", "organiser"), moving.browser("grace"), moving.browser()
    for path in ("/live/friday", "/live/friday/events"):
        told = []
        for reader in readers:
            with reader.get(path) as answer:
                live = answer.mimetype == "text/event-stream"
                text = first_event(answer).decode() if live else answer.text
                told += re.findall("friday/0001/(t[0-9]+)", text)[:1]
        assert told == ["t06", "t06", "t03"], path


def test_what_somebody_sees_with_more_on_it_is_kept_for_nobody_else(arenas):
    _, moving = arenas
    boss, stranger = moving.browser("staff", "organiser"), moving.browser()
    for _ in range(2):
        assert "You see this" in (page := boss.get("/t/friday/1")).text
        assert "private" in page.headers["Cache-Control"]
        assert "Cookie" in page.headers["Vary"]
        assert "frozen since" in stranger.get("/t/friday/1").text
    tag = boss.get("/t/friday/1").headers["ETag"]
    assert stranger.get("/t/friday/1", headers={"If-None-Match": tag}).status_code == 200
    with boss.get("/t/friday/1/season.zip") as file:
        zipped = file.headers["ETag"]
    known = stranger.get("/t/friday/1/season.zip", headers={"If-None-Match": zipped})
    assert known.status_code == 404


def test_opening_shows_everything_to_everybody(arenas):
    _, moving = arenas
    boss = moving.browser("staff", "organiser")
    answer = boss.send("/admin/t/friday/visibility", page="/admin/t/friday", what="open")
    assert answer.status_code == 303
    stranger = moving.browser()
    assert stranger.get("/match/friday/0001/t05/r1/a").status_code == 200
    assert "frozen since" not in stranger.get("/t/friday/1").text


def test_a_season_that_begins_after_the_freeze_is_hidden_with_its_standings(arenas, tmp_path):
    still, _ = arenas
    still.store.finish_season(still.store.seasons("friday")[0].id)
    bots = [still.store.version(name) for name in BOTS]
    second = begin(still.store, "friday", bots, seed=None)
    shutil.copytree(still.folder, tmp_path / "later")
    with arena(tmp_path / "later") as later:
        played = play_tables(later.store, second, range(1, 3), [bots])
        later.store.save_standings(second.id, placed(played))
        before, after = everything(still, still.browser()), everything(later, later.browser())
        assert {path for path in before if before[path] != after[path]} == set()
        assert "Later results are hidden" in after["/t/friday"]


def test_standings_that_were_copied_too_late_are_not_shown_at_all(tmp_path: Path):
    with arena(tmp_path) as here:
        bots = [submitted(here.store, name) for name in BOTS]
        play(here.store, begin(here.store, "friday", bots), range(1, 4), [])
        past = datetime.now(UTC) + timedelta(seconds=1) - timedelta(hours=1)
        with here.store.database.writing() as session:
            session.execute(update(SeasonRow).values(started=past - timedelta(hours=1)))
        here.accounts.set_visibility(Visibility("friday", frozen=past))
        page = here.browser().get("/t/friday/1").text
        assert "Later results are hidden" in page
        assert not [name for name in BOTS if name in page]


def test_anonymous_bots_have_one_alias_and_no_name_on_any_page_of_their_tournament(arenas):
    still, _ = arenas
    still.accounts.set_visibility(Visibility("friday", names="own"))
    stranger, grace = still.browser(), still.browser("grace")
    for browser, told in ((stranger, set()), (grace, {"lim17"})):
        pages = everything(still, browser)
        aliases = set()
        for path, page in pages.items():
            about = ("/t/", "/match/", "/repro/", "/api/v1/tournaments", "/api/v1/matches")
            if path.startswith(about) and page.startswith("200"):
                assert {name for name in BOTS if name in page} <= told, path
                aliases |= {*re.findall(r"bot \d+", page)}
        assert len(aliases - {"bot 7"}) >= len(BOTS) - len(told) - 1
        assert "/match/friday" not in pages["/bot/davey"], "it would say which alias is davey's"
    mine = grace.get("/bot/lim17").text
    assert "/match/friday" in mine
    assert "davey" not in mine
    assert "davey" in still.browser("staff", "organiser").get("/t/friday/1").text


def test_the_picture_of_a_position_has_the_names_that_its_reader_sees(arenas, monkeypatch):
    monkeypatch.setattr(previews, "png", str.encode)  # the drawing instead of its pixels
    previews._picture.cache_clear()
    still, _ = arenas
    still.accounts.set_visibility(Visibility("friday", names="own"))
    boss, stranger = still.browser("staff", "organiser"), still.browser()
    for browser, shown in ((boss, True), (stranger, False), (boss, True)):
        picture = browser.get("/preview/friday/0001/t01/r1/a.png?turn=8")
        assert picture.status_code == 200
        assert [name in picture.text for name in ("davey", "lim17")] == [shown, shown]
        assert "public" not in picture.headers["Cache-Control"]
    previews._picture.cache_clear()


def test_of_the_top_only_the_first_places_are_told(arenas):
    still, _ = arenas
    still.accounts.set_visibility(Visibility("friday", names="top", top=2))
    boss, stranger = still.browser("staff", "organiser"), still.browser()
    order = re.findall(
        r'rowheader" class="who"><a href="/bot/([^"]+)', boss.get("/t/friday/1").text
    )
    shown = stranger.get("/t/friday/1").text
    assert re.findall(r'rowheader" class="who"><a href="/bot/([^"]+)', shown) == order[:2]
    assert not [name for name in order[2:] if name in shown]


def test_an_alias_is_kept_and_says_nothing_of_who_came_first(arenas):
    still, _ = arenas
    first = still.accounts.aliases("friday", BOTS)
    later = still.accounts.aliases("friday", [*BOTS, "newcomer"])
    assert first.items() <= later.items()
    assert len({*later.values()}) == len(later)
    draws = {still.accounts.aliases(f"t{n}", ["davey"])["davey"] for n in range(20)}
    assert len(draws) > 5


def test_a_review_is_as_hidden_as_its_match_and_has_no_more_names(arenas):
    still, moving = arenas
    before, after = MATCHES[0], MATCHES[-1]
    review = "/api/v1/matches/{}/review".format
    for key in (before, after):
        store_review(moving.store, key)
    stranger, ada = moving.browser(), moving.browser("ada")
    assert [stranger.get(review(key)).status_code for key in (before, after)] == [200, 404]
    assert "of the match" in ada.get(f"/match/{after}").text.partition('id="review"')[2]
    store_review(still.store, before)
    still.accounts.set_visibility(Visibility("friday", names="own"))
    stranger = still.browser()
    data = stranger.get(review(before)).json
    assert data["marks"]
    assert not {each["bot"] for each in (*data["marks"], *data["accounts"])} & {*BOTS}
    assert not any(bot in stranger.get(f"/match/{before}").text for bot in BOTS)
    assert "No match of davey was reviewed" in stranger.get("/bot/davey/reviews").text
