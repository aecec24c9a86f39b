"""The pages of authors in a real browser: on a phone in the dark, on a desktop, without scripts."""

from __future__ import annotations

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Page, expect

from card_arena.tests.accounts.served import Served
from card_arena.tests.leaderboard.web.visiting import fits, on_a_phone_and_on_a_desktop
from card_arena.tests.tournament import stage
from card_arena.tournament.play.steps import finish

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
