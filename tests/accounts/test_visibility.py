"""Frozen and anonymous standings: whatever others may not see, no page tells them.

Two arenas are alike up to the freeze; only one of them plays on. To a stranger, every page of the
one has to be every page of the other.
"""

from __future__ import annotations

import re
import shutil
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from sqlalchemy import update

from card_arena.accounts.entries import Visibility
from card_arena.accounts.storage.account_store import AccountStore
from card_arena.accounts.visibility import snapshot_standings
from card_arena.formats.interventions import Intervention
from card_arena.leaderboard.web.pages import previews
from card_arena.results.entries import Season
from card_arena.results.interventions import record
from card_arena.results.models import SeasonRow
from card_arena.results.store import Store
from card_arena.tests.accounts.hidden_arena import (
    BOTS,
    HEAD,
    MATCHES,
    Arena,
    arena,
    everything,
    first_event,
    play,
)
from card_arena.tests.coach.records import store_review
from card_arena.tests.leaderboard.web.house import SETTINGS, begin, placed, play_tables, submitted
from card_arena.tests.season_settings import season_settings


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
