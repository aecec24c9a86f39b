"""What gets past a visibility policy at the moment of a change, or beside the standings."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from types import SimpleNamespace

import pytest

from card_arena.accounts import visibility
from card_arena.accounts.entries import Visibility
from card_arena.accounts.web import readers
from card_arena.formats.field import Listed
from card_arena.formats.interventions import Intervention
from card_arena.leaderboard.standings import Span
from card_arena.results.interventions import record
from card_arena.results.models import SeasonRow
from card_arena.results.proof.manifest import utc
from card_arena.results.visibility import NOT_TOLD, SOMEBODY
from card_arena.tests.accounts.hidden_arena import BOTS, TEAMS, Arena, arena, everything, play
from card_arena.tests.leaderboard.web.house import SETTINGS, begin, placed, play_tables, submitted
from card_arena.tests.season_settings import season_settings


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Arena]:
    """An arena with a season, whose site looks up only once what is to be hidden."""
    monkeypatch.setattr(readers, "FRESH", math.inf)
    with arena(tmp_path) as found:
        bots = [submitted(found.store, name) for name in BOTS]
        play(found.store, begin(found.store, "friday", bots), range(1, 4), [])
        yield found


def new_season(here: Arena) -> None:
    """Another season begins, and is played."""
    bots = [here.store.version(name) for name in BOTS]
    season = begin(here.store, "friday", bots)
    played = play_tables(here.store, season, range(1, 3), [bots])
    here.store.save_standings(season.id, placed(played))


@pytest.mark.parametrize(
    "wanted",
    [
        Visibility("friday", names="own"),
        Visibility("friday", frozen=datetime(2026, 1, 1, tzinfo=UTC)),
    ],
    ids=["anonymous", "frozen"],
)
def test_a_season_that_has_just_begun_tells_nothing_yet(here: Arena, wanted: Visibility):
    here.store.finish_season(here.store.seasons("friday")[-1].id)
    here.accounts.set_visibility(wanted)
    stranger = here.browser()
    before = everything(here, stranger)
    new_season(here)
    after = everything(here, here.browser())
    for path in sorted(after):
        if "/2" in path or "/0002/" in path:
            assert after[path].startswith("404"), path
        about = ("/t/", "/match/", "/api/v1/tournaments", "/api/v1/matches")
        if wanted.names == "own" and path.startswith(about) and "friday" in path:
            assert not [name for name in BOTS if name in after[path]], path
    assert before["/t/friday"] == after["/t/friday"]
    assert before["/"] == after["/"]


def test_a_bot_that_is_admitted_late_is_not_called_by_its_name_for_a_moment(here: Arena):
    here.accounts.set_visibility(Visibility("friday", names="own"))
    stranger = here.browser()
    stranger.get("/how")
    new = submitted(here.store, "newcomer")
    season = here.store.seasons("friday")[0]
    listed = Listed(new.id, new.bot, new.number, new.author, new.digest, utc(new.submitted), "")
    with here.store.database.writing() as session:
        row = session.get_one(SeasonRow, season.id)
        now = datetime.now(UTC).replace(microsecond=0)
        what = Intervention(1, 0, now, "admit", "the mail was late", new.id, entrant=listed)
        record(session, row, what)
    for path in ("/t/friday/1", "/api/v1/tournaments/friday/standings"):
        page = stranger.get(path).text
        assert re.search(f'[>"]{SOMEBODY}[<"]', page), path
        assert "newcomer" not in page
    onlookers = here.app.extensions["arena"].readers
    onlookers.look_again()
    page = stranger.get("/t/friday/1").text
    assert not re.search(f">{SOMEBODY}<", page)
    assert "newcomer" not in page
    assert len({*re.findall(r"bot \d+", page)}) >= len(BOTS) + 1


def test_the_references_of_a_gauntlet_keep_their_names(here: Arena):
    """They are the organiser's, and a mark against "bot 3" would say nothing."""
    gauntlet = {"format": {"gauntlet": {"against": ["lim17@1"]}}}
    bots = [here.store.version(name) for name in BOTS]
    season = begin(here.store, "marks", bots, settings=gauntlet)
    here.store.announce(
        {"marks": season_settings(SETTINGS | {"name": "marks"}, references=("lim17@1",))},
        all_there_are=True,
    )
    play(here.store, season, range(1, 3), [])
    here.accounts.set_visibility(Visibility("marks", names="own"))
    for browser in (here.browser(), here.browser(TEAMS["silent"])):
        for path in (
            *("/t/marks/1", "/t/marks/next", "/match/marks/0001/t01/r1/a"),
            *("/api/v1/tournaments/marks/standings", "/api/v1/matches/marks/0001/t01/r1/a"),
        ):
            page = browser.get(path).text
            assert "lim17" in page, path
            assert "lim15" not in page, path
        assert "marks" in browser.get("/bot/lim17").text
    assert "bot " in here.browser().get("/t/marks/1").text


def test_a_freeze_begins_when_it_is_said_to_and_not_when_somebody_looks_again(
    here: Arena, monkeypatch: pytest.MonkeyPatch
):
    frozen = datetime.now(UTC)
    here.accounts.set_visibility(Visibility("friday", frozen=frozen))
    stranger = here.browser()
    for now, has_begun in ((frozen - timedelta(microseconds=1), False), (frozen, True)):
        monkeypatch.setattr(readers, "datetime", SimpleNamespace(now=lambda _: now))  # noqa: B023
        assert ("frozen since" in stranger.get("/t/friday/1").text) == has_begun


def test_beside_the_standings_no_more_places_are_told_than_on_them(here: Arena):
    boss = here.browser("staff", "organiser")
    order = re.findall(
        r'rowheader" class="who"><a href="/bot/([^"]+)', boss.get("/t/friday/1").text
    )
    versus = boss.get("/t/friday/versus").text
    assert all(name in versus for name in order)
    here.accounts.set_visibility(Visibility("friday", names="top", top=1))
    here.app.extensions["arena"].readers.look_again()
    stranger = here.browser()
    for path in ("/", "/t/friday/versus", "/api/v1/tournaments/friday/versus"):
        page = stranger.get(path).text
        assert not re.findall(r"bot \d+", page), path
        assert not [name for name in order[1:] if name in page], path
    mine = here.browser(TEAMS["silent"]).get("/t/friday/versus").text
    assert "silent" in mine


def test_who_is_first_alone_is_not_named_with_those_who_shared_the_first_place(
    here: Arena, monkeypatch: pytest.MonkeyPatch
):
    """Whatever is hidden, policies that hide something else have different keys."""
    here.accounts.set_visibility(Visibility("friday", names="top", top=1))
    (season,) = here.store.seasons("friday")[-1:]
    keys = set()
    for ranks in ((1, 1, 1), (2, 2, 1), (2, 1, 1), (None, None, None)):
        entrants = {bot: ("Red", rank) for bot, rank in zip("abz", ranks, strict=True)}
        span = Span(season.id, 1, season.started, None, entrants)
        monkeypatch.setattr(visibility, "spans", lambda *_: [span])  # noqa: B023
        keys.add(visibility.policy_for(here.store, here.accounts, set(), datetime.now(UTC)).key)
    assert len(keys) == 4


def test_a_reason_tells_nobody_which_bot_has_which_alias(here: Arena):
    """What organisers and the arena give as reasons, in the season, at a match and for a pause."""
    reason = "davey of ada copied from lim17 of grace"
    key = "friday/0001/t01/r1/a"
    season = here.store.seasons("friday")[0]
    davey = here.store.version("davey").id
    now = datetime.now(UTC).replace(microsecond=0)
    with here.store.database.writing() as session:
        row = session.get_one(SeasonRow, season.id)
        record(session, row, Intervention(1, 0, now, "expel", reason, davey))
        record(session, row, Intervention(2, 0, now, "probation", reason, davey))
        record(session, row, Intervention(3, 0, now, "annul", reason, key=key))
    here.store.pause("friday", reason)
    paths = ("/t/friday/1", "/api/v1/tournaments/friday/seasons/1/interventions")
    paths += (f"/match/{key}", f"/api/v1/matches/{key}")
    assert all(reason in here.browser().get(path).text for path in paths)
    here.accounts.set_visibility(Visibility("friday", names="own"))
    here.app.extensions["arena"].readers.look_again()
    for who in ("", "grace"):
        own = {bot for bot, team in TEAMS.items() if team == who}
        for path, page in everything(here, here.browser(who)).items():
            assert reason not in page, path
            if path in paths:
                assert not [name for name in {*BOTS} - own if name in page], path
                assert NOT_TOLD in page, path
    assert reason in here.browser("ada").get("/t/friday/1").text, "of her own bot"
    assert reason in here.browser("staff", "organiser").get(f"/match/{key}").text
