"""A course as it is held: an organiser and two students, each with a browser and nothing else."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from card_arena.tests.cli.home import PATIENCE, QUICK, ROOT, Home, wait_for
from card_arena.tests.cli.serving import serving
from card_arena.tests.needs import need
from card_arena.tests.ports import free_port

pytestmark = pytest.mark.browser

LINK = re.compile(r"http\S+/sign-in/[\w-]+")
STARTER = (ROOT / "bots/starters/c/bot.c").read_text()
COUNTING = '    static int asked;\n    fprintf(stderr, "asked %d times\\n", ++asked);\n'
"""What the student's bot says on standard error."""


def enter(chromium: Browser, link: str) -> Page:
    """A window of somebody who has opened their link and pressed its button."""
    page = chromium.new_context(accept_downloads=True).new_page()
    page.set_default_timeout(PATIENCE * 1000)
    page.goto(link)
    page.get_by_role("main").get_by_role("button", name="Sign in").click()
    expect(page.locator("h1")).to_have_text("My bots")
    return page


def submit_program(page: Page, program: str, name: str = "davey") -> None:
    page.get_by_role("link", name=re.compile("^Submit")).first.click()
    page.get_by_label("The bot’s name").fill(name)
    page.get_by_label("Its language").select_option("c")
    page.get_by_label("Blackjack").check()
    page.get_by_label("The program").fill(program)
    page.get_by_role("button", name="Submit").click()
    expect(page.locator("h1")).to_have_text(re.compile("Upload"))


@pytest.mark.timeout(300)
def test_a_course_from_its_invitations_to_its_results(house: Home, chromium: Browser) -> None:
    need("bwrap")
    need("gcc")
    house.tournament(QUICK + "schedule: new bots\n")
    (house.folder / "arena.yaml").write_text("accounts: {}\n")
    port = free_port()
    said = house.done(
        "people", "invite", "--organiser", "--email", "boss@example.org", "--port", port
    )
    (link,) = LINK.findall(said)
    with serving(house, port=port):
        boss = enter(chromium, link)
        ann, bob = (enter(chromium, each) for each in invited(boss))
        fails_and_is_mended(ann)
        match = plays_and_tells_its_author(ann)
        stays_her_own(bob, match)
        is_withdrawn(ann)
        plays_behind_a_policy(boss, ann, bob)
        takes_everything_out(boss)
        finds_it_all_in_the_log(boss)


def invited(boss: Page) -> list[str]:
    """The organiser invites two students of different teams, and sees their links."""
    boss.get_by_role("link", name="Admin").first.click()
    boss.get_by_role("link", name="Invite", exact=True).click()
    boss.get_by_label(re.compile("A CSV list")).fill(
        "name,email,team\nAnn,ann@example.org,Red\nBob,bob@example.org,Blue\n"
    )
    boss.get_by_role("button", name="Invite").click()
    expect(boss.locator("h1")).to_have_text("Links")
    links = LINK.findall(boss.locator("main").inner_text())
    assert len(links) == 2
    return links


def fails_and_is_mended(ann: Page) -> None:
    submit_program(ann, STARTER.replace("argv + 1", "argv +"))
    expect(ann.locator("main")).to_contain_text("Rejected: ", timeout=PATIENCE * 1000)
    expect(ann.locator("main")).to_contain_text("error: expected expression")
    submit_program(ann, STARTER.replace("{\n    if (count", "{\n" + COUNTING + "    if (count", 1))
    expect(ann.locator("main")).to_contain_text("Accepted as davey v1", timeout=PATIENCE * 1000)


def plays_and_tells_its_author(ann: Page) -> str:
    """Her match has every question, and what her bot wrote on standard error."""
    ann.get_by_role("link", name=re.compile("small, leg")).first.click()
    expect(ann.locator("main")).to_contain_text("asked 1 times")
    expect(ann.get_by_role("link", name=re.compile("Download this question")).first).to_be_visible()
    return ann.url


def stays_her_own(bob: Page, match: str) -> None:
    address = match.partition("#")[0]
    answer = bob.goto(address)
    assert answer is not None
    assert answer.status == 404
    public = bob.goto(address.replace("/mine/match/", "/match/"))
    assert public is not None
    assert public.status == 200
    assert "asked 1 times" not in bob.content()


def is_withdrawn(ann: Page) -> None:
    ann.get_by_role("link", name="My bots").first.click()
    ann.get_by_role("link", name="davey", exact=True).first.click()
    with ann.expect_navigation():  # a page that is on its way can't be loaded again
        ann.get_by_role("button", name="Withdraw davey").click()

    def done() -> bool:
        ann.reload()
        return "davey has been withdrawn since" in ann.locator("main").inner_text()

    wait_for(done)


def plays_behind_a_policy(boss: Page, ann: Page, bob: Page) -> None:
    """After a freeze a team sees its own matches, and others nothing until it is opened."""
    boss.get_by_role("link", name="Admin").first.click()
    boss.get_by_role("link", name="small").first.click()
    boss.get_by_role("button", name="Set and freeze now").click()
    site = boss.url.partition("/admin")[0]
    bob.goto(f"{site}/mine")
    submit_program(bob, STARTER, "late")
    expect(bob.locator("main")).to_contain_text("Accepted as late v1", timeout=PATIENCE * 1000)
    expect(bob.get_by_role("link", name=re.compile("small, leg")).first).to_be_visible(
        timeout=PATIENCE * 1000
    )
    ann.goto(f"{site}/t/small")
    expect(ann.locator("main")).to_contain_text("The standings have been frozen since")
    ann.goto(f"{site}/bot/late")
    expect(ann.locator("h1")).to_contain_text("late")
    assert "/match/" not in ann.content()
    boss.get_by_role("button", name="Set and unfreeze").click()
    ann.goto(f"{site}/t/small")
    expect(ann.locator("main")).not_to_contain_text("The standings have been frozen since")


def takes_everything_out(boss: Page) -> None:
    with boss.expect_download() as started:
        boss.get_by_role("link", name=re.compile("csv of the standings")).first.click()
    text = Path(started.value.path()).read_text()
    assert "late" in text


def finds_it_all_in_the_log(boss: Page) -> None:
    boss.get_by_role("link", name="Log", exact=True).click()
    log = boss.locator("main").inner_text()
    for each in ("invite", "sign in", "withdraw", "Ann", "davey"):
        assert each in log
