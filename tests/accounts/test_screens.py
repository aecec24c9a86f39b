"""The pages of authors in a real browser: on a phone in the dark, on a desktop, without scripts."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Page, expect

from tests.accounts.porch import Porch, bot
from tests.accounts.served import Served, served
from tests.accounts.test_my_bot import played
from tests.leaderboard.web.visiting import fits, on_a_phone_and_on_a_desktop
from tests.tournament import stage
from tournament.play.steps import finish

pytestmark = pytest.mark.browser

PATHS = (
    "/mine",
    "/submit",
    "/upload/1",
    "/upload/3",
    "/upload/4",
    "/mine/bot/davey",
    "/mine/bot/davey/faults",
    "/mine/bot/davey/matches",
    f"/mine/match/{stage.KEY}",
    "/mine/team/1",
    "/mine/tokens",
    "/mine/challenge/davey",
)


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """Ann's bot has played; of her other uploads one failed and one waits."""
    folder: Path = tmp_path_factory.mktemp("accounts")
    porch = Porch(folder)
    played(porch)
    porch.add_upload(porch.ann, bot("wrong", source="#!/bin/sh\necho my mistake >&2\n"))
    finish(porch.intake().take_all(stage.Here()))
    porch.add_upload(porch.ann, bot("later"))
    porch.accounts.make_token(porch.ann.id, "CI " + "x" * 70, "submit", timedelta(days=30))
    porch.accounts.invite_member(porch.bob.id, porch.bob.teams[0].id, "ann@example.org", 4)
    porch.accounts.invite_member(porch.ann.id, 1, f"{'long' * 30}@example.org", 4)
    with served(porch) as found:
        yield found
    porch.accounts.close()
    porch.store.close()


def window(chromium: Browser, site: Served, *, scripts: bool = True) -> Page:
    """A window in which Ann has signed in with the button behind her link."""
    _, secret = site.porch.accounts.invite("Ann", "ann@example.org", team="Red")
    page = chromium.new_context(java_script_enabled=scripts, reduced_motion="reduce").new_page()
    page.goto(f"{site.site}/sign-in/{secret}")
    page.get_by_role("main").get_by_role("button", name="Sign in").click()
    expect(page.locator("h1")).to_have_text("My bots")
    return page


@pytest.fixture(scope="module")
def ann(chromium: Browser, site: Served) -> Page:
    return window(chromium, site)


@pytest.mark.parametrize("path", PATHS)
def test_a_page_of_authors_fits_the_screen_and_is_open_to_everybody(
    ann: Page, site: Served, path: str
):
    complaints: list[str] = []
    ann.on("console", lambda message: complaints.append(message.text))
    answer = ann.goto(site.site + path)
    assert answer is not None
    assert answer.status == 200
    for screen in on_a_phone_and_on_a_desktop(ann):
        assert fits(ann), screen
        found = Axe().run(ann, options={"resultTypes": ["violations"]})
        assert found.violations_count == 0, f"{screen}: {found.generate_report()}"
    assert complaints == []


def test_an_upload_is_seen_to_move_without_a_reload(ann: Page, site: Served):
    ann.goto(f"{site.site}/upload/4")
    expect(ann.get_by_role("status")).to_contain_text("It is the next one.")
    finish(site.porch.intake().take_all(stage.Here()))
    expect(ann.get_by_role("status")).to_contain_text("Accepted as")


def test_everything_works_without_scripts(chromium: Browser, site: Served):
    page = window(chromium, site, scripts=False)
    page.goto(f"{site.site}/mine/bot/davey")
    page.get_by_label("Title, up to").fill("The Great Davey")
    page.get_by_role("button", name="Set the title").click()
    expect(page.get_by_role("status")).to_contain_text("Requested")
    page.goto(f"{site.site}/mine/tokens")
    page.get_by_label("Name", exact=True).fill("my laptop")
    page.get_by_role("button", name="Create").click()
    expect(page.get_by_role("status")).to_contain_text("Copy it now")
