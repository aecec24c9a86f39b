"""The admin pages in a real browser: on a dark phone, on a wide screen, and open to everybody."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Page, expect

from card_arena.accounts.entries import Limits, Visibility
from card_arena.tests.accounts.served import Served
from card_arena.tests.leaderboard.web.visiting import fits, on_a_phone_and_on_a_desktop

pytestmark = pytest.mark.browser

PATHS = (
    "/admin",
    "/admin/people",
    "/admin/person/1",
    "/admin/invite",
    "/admin/bots",
    "/admin/teams",
    "/admin/team/1",
    "/admin/limits",
    "/admin/messages",
    "/admin/log",
    "/admin/t/small",
    "/t/small",
)


@pytest.fixture(scope="module")
def boss(chromium: Browser, site: Served) -> Page:
    """An organiser's window, of an arena in which something has been decided about everything."""
    accounts = site.porch.accounts
    _, secret = accounts.invite("Boss", "boss@example.org", role="organiser")
    accounts.send_message("A message of\nseveral lines, one with aLongWord" + "x" * 200)
    accounts.set_limits(
        Limits(deadline=datetime.now(UTC) + timedelta(days=1), grace=timedelta(hours=2))
    )
    accounts.set_limits(Limits(a_day=50, reason="was ill " + "y" * 150), "Red")
    accounts.set_visibility(
        Visibility("small", "own", None, datetime.now(UTC) - timedelta(hours=1))
    )
    page = chromium.new_context(reduced_motion="reduce").new_page()
    page.goto(f"{site.site}/sign-in/{secret}")
    page.get_by_role("main").get_by_role("button", name="Sign in").click()
    expect(page.locator("h1")).to_have_text("My bots")
    return page


@pytest.mark.parametrize("path", PATHS)
def test_a_page_of_the_admin_pages_fits_the_screen_and_is_open_to_everybody(
    boss: Page,
    site: Served,
    path: str,
):
    complaints: list[str] = []
    boss.on("console", lambda message: complaints.append(message.text))
    answer = boss.goto(site.site + path)
    assert answer is not None
    assert answer.status == 200
    for screen in on_a_phone_and_on_a_desktop(boss):
        assert fits(boss), screen
        found = Axe().run(boss, options={"resultTypes": ["violations"]})
        assert found.violations_count == 0, f"{screen}: {found.generate_report()}"
    assert complaints == []


def test_a_message_is_read_and_dismissed_with_a_button(
    chromium: Browser,
    site: Served,
    boss: Page,
):
    _, secret = site.porch.accounts.new_link("bob@example.org")
    page = chromium.new_context(java_script_enabled=False).new_page()
    page.goto(f"{site.site}/sign-in/{secret}")
    page.get_by_role("main").get_by_role("button", name="Sign in").click()
    told = page.get_by_role("region", name="Messages of the organisers")
    expect(told).to_contain_text("several lines")
    told.get_by_role("button", name="Dismiss").click()
    expect(page.locator("h1")).to_have_text("My bots")
    expect(told).to_have_count(0)


def test_an_organiser_opens_what_is_frozen_and_a_stranger_sees_it(
    chromium: Browser,
    site: Served,
    boss: Page,
):
    stranger = chromium.new_context().new_page()
    stranger.goto(f"{site.site}/t/small")
    expect(stranger.get_by_text("The standings have been frozen since")).to_be_visible()
    expect(stranger.get_by_role("link", name="davey")).to_have_count(0)
    boss.goto(f"{site.site}/admin/t/small")
    boss.get_by_label("Names", exact=True).select_option("all")
    boss.get_by_role("button", name="Set and unfreeze").click()
    expect(boss.get_by_role("status")).to_contain_text("It is in the log")
    stranger.goto(f"{site.site}/t/small?by=rank")
    expect(stranger.get_by_text("The standings have been frozen since")).to_have_count(0)
    expect(stranger.get_by_role("row").get_by_role("link", name="davey")).to_be_visible()
