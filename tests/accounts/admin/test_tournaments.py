"""Tournaments and bots on the admin pages: plans, tags, and operations on seasons."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime

from flask import Flask

from card_arena.tests.accounts.browser import Browser
from card_arena.tests.accounts.porch import Porch, bot
from card_arena.tests.season_settings import season_settings
from card_arena.tests.tournament import stage
from card_arena.tournament.plans import dry_run_announced


def test_tags_is_requested_and_given_between_matches(boss: Browser, porch: Porch):
    porch.settled(porch.add_upload(porch.ann, bot("davey")))
    tagging = {"what": "tag", "subject": "davey"}
    assert boss.send("/admin/bots", **tagging, tags="student fast").status_code == 303
    assert "requested: tag davey" in boss.get("/admin").text
    porch.carry_out()
    assert porch.store.version("davey").organiser_tags == ("fast", "student")
    assert '<span class="tag">student</span>' in boss.get("/admin/bots").text
    assert "davey is tagged fast, student" in boss.get("/admin/log").text
    assert boss.send("/admin/bots", what="tag", subject="nobody", tags="x").status_code == 404
    assert boss.send("/admin/bots", **tagging, tags=" ").status_code == 400


def test_the_page_of_a_tournament_says_what_its_next_season_would_be(
    boss: Browser, app: Flask, porch: Porch
):
    settings = stage.tournament(sandbox="bare")
    porch.store.announce({"small": settings.freeze()}, all_there_are=True)
    porch.settled(porch.add_upload(porch.ann, bot("davey")))
    asked = lambda name, cores: dry_run_announced(porch.store, name, cores, datetime.now(UTC))  # noqa: E731
    app.extensions["accounts"] = replace(app.extensions["accounts"], dry_run=asked)
    page = boss.get("/admin/t/small?cores=7").text
    assert "unknown: no similar match has been played here yet" in page
    assert '<a href="/bot/davey">davey</a>' in page
    porch.store.withdraw("davey")
    assert "It cannot begin: no bot is entered in small" in boss.get("/admin/t/small").text
    assert porch.store.seasons("small") == []


def test_a_tournament_is_paused_from_the_admin_pages_and_a_bot_is_moved(
    boss: Browser, porch: Porch
):
    porch.store.announce({"friday": season_settings({"game": "blackjack"})}, all_there_are=True)
    page, path = "/admin/t/friday", "/admin/t/friday/intervene"
    for said in ({"what": "pause"}, {"what": "expel", "reason": "x"}, {"what": "dance"}):
        assert boss.send(path, page=page, **said).status_code == 400
    long = boss.send(path, page=page, what="pause", reason="x" * 301)
    assert "A reason must have 1 to 300 characters" in long.text
    wrong = {"what": "annul", "place": "other/0001/a", "reason": "x"}
    assert boss.send(path, page=page, **wrong).status_code == 400
    assert boss.send(path, page=page, what="pause", reason="an exam").status_code == 303
    porch.settled(porch.add_upload(porch.ann, bot("davey")))
    moved = {"what": "move", "subject": "davey", "name": "dave", "author": "Team B"}
    long = boss.send("/admin/bots", **moved, reason="x" * 301)
    assert "A reason must have 1 to 300 characters" in long.text
    assert boss.send("/admin/bots", **moved, reason="a typo").status_code == 303
    porch.carry_out()
    assert porch.store.paused() == {"friday": "an exam"}
    assert "Paused: an exam" in boss.get(page).text
    assert porch.store.version("dave").author == "Team B"
