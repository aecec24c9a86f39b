"""The pages in a real browser: on a phone and on a desktop, in the light and in the dark."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator
from datetime import UTC, datetime

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page, expect

from results.store import Store
from tables.registry import GAMES, game
from tests.leaderboard.web.conftest import served
from tests.leaderboard.web.house import begin, crowd, play_duplicate, play_tables, submitted
from tests.leaderboard.web.visiting import fits, on_a_phone_and_on_a_desktop, visit
from tests.results.fresh import fresh_store

pytestmark = pytest.mark.browser

MATCH = "/match/friday/0001/t01/r1/a"
TRICKS = "/match/spades/0001/t01/r1/a"
PAGES = (
    "/all-games",
    "/t/friday/versus",
    "/t/spades/versus",
    "/",
    "/t/friday",
    "/t/friday/1?by=rating",
    "/t/two-halls",
    "/t/sunday",
    "/t/named",
    "/t/cup",
    "/t/ladder",
    "/t/awaited",
    "/bots",
    "/bots?bot=lim",
    "/bot/davey",
    "/bot/chatty",
    MATCH,
    *(f"/match/{name}/0001/t01/r1/a#turn-20" for name, rules in GAMES.items() if not rules.carries),
    "/t/mixed",
    "/how",
    "/bot/davy",
)

COUNT_LINE = """() => {
  const canvas = document.querySelector(".plot[aria-label*='in friday'] canvas");
  const root = getComputedStyle(document.documentElement);
  const parts = root.getPropertyValue("--accent").trim().match(/\\w\\w/g);
  const line = parts.map((part) => parseInt(part, 16));
  const { width, height } = canvas;
  const { data } = canvas.getContext("2d").getImageData(0, 0, width, height);
  let many = 0;
  for (let at = 0; at < data.length; at += 4) {
    const near = line.every((part, i) => Math.abs(data[at + i] - part) < 12);
    many += near && data[at + 3] > 200;
  }
  return many;
}"""
"""Counts the dots of a plot that have the colour of its line."""


@pytest.mark.parametrize("path", PAGES)
def test_a_page_fits_the_screen_and_is_open_to_everybody(browser, address, path):
    with visit(browser, address, path, width=360, scheme="dark") as page:
        for screen in on_a_phone_and_on_a_desktop(page):
            assert fits(page), screen
            found = Axe().run(page, options={"resultTypes": ["violations"]})
            assert found.violations_count == 0, f"{screen}: {found.generate_report()}"


@pytest.mark.parametrize("path", PAGES)
def test_a_page_can_be_read_without_scripts(browser, address, path):
    with visit(browser, address, path, width=360, scripts=False) as page:
        assert fits(page)
        expect(page.locator("h1")).to_be_visible()
        expect(page.locator("#controls")).not_to_be_visible()


def test_without_scripts_all_steps_stand_one_under_another(browser, address, store: Store):
    (record,) = store.records("friday/0001/t01/r1/a")
    with visit(browser, address, MATCH, scripts=False) as page:
        steps = page.locator(".step")
        expect(steps).to_have_count(len(record.turns))
        assert all(step.is_visible() for step in steps.all())


def test_a_game_is_stepped_through_with_buttons_keys_and_slider(browser, address, store: Store):
    (record,) = store.records("friday/0001/t01/r1/a")
    last = len(record.turns) - 1
    with visit(browser, address, MATCH) as page:

        def at(number: int) -> None:
            expect(page.locator(".step:visible")).to_have_count(1)
            expect(page.locator(".step:visible")).to_have_attribute("id", f"turn-{number}")
            expect(page.locator("#count")).to_have_text(f"{number + 1} of {last + 1}")
            expect(page.locator("#slider")).to_have_value(str(number))

        at(0)
        expect(page.locator("[data-go=back]")).to_be_disabled()
        page.locator("[data-go=on]").click()
        at(1)
        page.keyboard.press("ArrowRight")
        at(2)
        page.keyboard.press("ArrowLeft")
        at(1)
        page.locator("#slider").focus()
        page.keyboard.press("End")
        at(last)
        page.keyboard.press("ArrowLeft")
        at(last - 1)
        page.locator("[data-go=part-back]").click()
        expect(page.locator(".part:visible h3")).to_have_text("Hand 5 of 5")
        page.locator("[data-go=part-back]").click()
        expect(page.locator(".part:visible h3")).to_have_text("Hand 4 of 5")
        page.locator("[data-go=all]").click()
        expect(page.locator(".step:visible")).to_have_count(last + 1)


def test_a_trick_is_played_to_the_middle_of_the_table_step_by_step(browser, address):
    with visit(browser, address, f"{TRICKS}#turn-5") as page:
        shown = page.locator(".step:visible")
        for cards in (1, 2, 3, 4):
            expect(shown.locator(".played use")).to_have_count(cards)
            expect(shown.locator(".fan use")).to_have_count(52 - cards)
            expect(shown.locator(".played .fresh")).to_have_count(1)
            page.keyboard.press("ArrowRight")
        expect(shown.locator(".played use")).to_have_count(1)


def test_a_long_film_goes_on_on_the_next_page_and_back(browser, new_store, open_server):
    key = long_match(new_store)
    address = open_server(new_store.database.url.render_as_string())
    with visit(browser, address, f"/match/{key}#turn-56") as page:
        page.keyboard.press("ArrowRight")
        expect(page.locator(".step:visible").first).to_have_attribute("id", "turn-57")
        expect(page.locator(".part:visible h3").first).to_have_text("Round 2")
        page.locator("[data-go=back]").click()
        expect(page.locator(".step:visible").first).to_have_attribute("id", "turn-56")
    with visit(browser, address, f"/match/{key}", scripts=False) as page:
        page.get_by_role("link", name="Continue with round 2").click()
        expect(page.locator("#turn-57")).to_be_in_viewport()


def long_match(store: Store) -> str:
    """Two rounds of spades, each too long to share a page; its key."""
    bots = [submitted(store, "davey"), submitted(store, "lim17")]
    play_duplicate(store, "spades", game("spades"), bots, max_rounds=2, lose=-10_000)
    return "spades/0001/t01/r1/a"


def test_the_slider_says_the_name_of_the_card(browser, address):
    with visit(browser, address, f"{TRICKS}#turn-5") as page:
        card = page.locator(".step:visible .said .chip").get_attribute("aria-label")
        expect(page.locator("#slider")).to_have_attribute(
            "aria-valuetext", re.compile(rf"Step 6: Round 1, .* plays {card}")
        )


def test_the_seats_are_round_the_table_on_a_desktop_and_a_list_on_a_phone(browser, address):
    def tops(page: Page) -> list[float]:
        seats = page.locator(".step:visible .seat")
        return [seats.nth(seat).bounding_box()["y"] for seat in range(4)]

    with visit(browser, address, f"{TRICKS}#turn-5") as page:
        south, west, north, east = tops(page)
        assert north < west == east < south
    with visit(browser, address, f"{TRICKS}#turn-5", width=360) as page:
        assert tops(page) == sorted(tops(page))
        assert len(set(tops(page))) == 4


@pytest.mark.parametrize("name", ["spades", "tarot"])
@pytest.mark.parametrize("width", [360, 1280])
def test_every_card_of_a_hand_shows_its_corner(browser, address, name, width):
    with visit(browser, address, f"/match/{name}/0001/t01/r1/a#turn-1", width=width) as page:
        fan = page.locator(".step:visible .seat .fan").first
        boxes = [card.bounding_box() for card in fan.locator("svg").all()]
        assert len(boxes) in (13, 24, 30)
        for left, right in itertools.pairwise(boxes):
            if left["y"] == right["y"]:
                assert right["x"] - left["x"] >= 0.5 * left["width"]
        edge = page.locator(".step:visible .scene").bounding_box()
        assert all(box["x"] + box["width"] <= edge["x"] + edge["width"] for box in boxes)


def test_a_link_to_a_fault_margins_to_the_step_where_it_happened(browser, address, store: Store):
    (record,) = store.records("friday/0001/t01/r1/a")
    first, second, *_ = [number for number, _, _ in record.faults]
    with visit(browser, address, f"{MATCH}#turn-{first}") as page:
        shown = page.locator(".step:visible")
        expect(shown).to_have_attribute("id", f"turn-{first}")
        expect(shown.locator(".faultbox")).to_contain_text("Question")
        expect(shown.locator(".said")).to_be_in_viewport()
        page.locator("[data-go=fault]").click()
        expect(shown).to_have_attribute("id", f"turn-{second}")
        assert page.url.endswith(f"#turn-{second}")


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_rating_is_drawn_as_a_line(browser, address, scheme):
    with visit(browser, address, "/bot/davey", scheme=scheme) as page:
        expect(page.locator(".plot canvas")).to_have_count(page.locator(".plot").count())
        drawn = page.evaluate(COUNT_LINE)
        assert drawn > 500


def test_the_legend_of_the_rating_names_a_match_and_its_numbers_before_anything_is_pointed_at(
    browser, address
):
    newest = "Leg 2, round 2, table A"
    with visit(browser, address, "/bot/davey") as page:
        holder = page.locator(".plot[aria-label*='in friday']")
        legend = holder.locator(".u-legend .u-value")
        expect(legend.first).to_have_text(newest)
        assert all(re.fullmatch(r"-?[\d.]+", value) for value in legend.all_inner_texts()[1:])
        holder.locator(".u-over").hover(position={"x": 2, "y": 50})
        expect(legend.first).not_to_have_text(newest)
        page.mouse.move(0, 0)
        expect(legend.first).to_have_text(newest)


def test_without_scripts_the_rating_is_a_sentence_and_a_table(browser, address):
    with visit(browser, address, "/bot/davey", scripts=False) as page:
        expect(page.locator(".plot").first).not_to_be_visible()
        expect(page.get_by_text("after its first match").first).to_be_visible()
        page.locator("summary").first.click()
        expect(page.locator("#ratings-1")).to_be_visible()


def test_what_a_bot_wrote_does_not_become_part_of_the_page(browser, address):
    with visit(browser, address, "/bot/chatty") as page:
        page.on("dialog", lambda dialog: pytest.fail("a bot's script ran"))
        expect(page.locator("main img, main script")).to_have_count(0)
        expect(page.locator(".faultbox").first).to_contain_text('<script>alert("&")</script>')


def test_the_keyboard_reaches_the_content_past_the_header(browser, address):
    with visit(browser, address, "/") as page:
        page.keyboard.press("Tab")
        expect(page.locator(".skip")).to_be_focused()
        expect(page.locator(".skip")).to_be_in_viewport()
        page.keyboard.press("Enter")
        expect(page.locator("#main")).to_be_focused()


def test_a_running_season_follows_what_is_played_and_rests_when_it_is_over(
    browser, new_store, open_server
):
    bots = [submitted(new_store, "davey"), submitted(new_store, "lim17")]
    season = begin(new_store, "friday", bots)
    address = open_server(new_store.database.url.render_as_string())
    context = browser.new_context()
    page = context.new_page()
    page.clock.install(time=datetime(2026, 3, 6, tzinfo=UTC))
    page.goto(f"{address}/t/friday")
    expect(page.get_by_text("No match is finished yet.")).to_be_visible()
    play_tables(new_store, season, range(1, 2), [bots])
    page.clock.run_for(10_000)
    expect(page.get_by_role("link", name="Leg 1, round 1").first).to_be_visible()
    new_store.finish_season(season.id)
    page.clock.run_for(10_000)
    expect(page.get_by_text("secret until the season ends")).not_to_be_visible()
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.clock.run_for(60_000)
    assert asked == []
    context.close()


@pytest.fixture(scope="module")
def crowded(tmp_path_factory) -> Iterator[str]:
    """Where a store with a season of sixty bots is served."""
    store = fresh_store(tmp_path_factory.mktemp("crowd") / "arena.sqlite")
    crowd(store, 60, 2)
    store.close()
    with served(store.database.url.render_as_string()) as address:
        yield address


@pytest.mark.parametrize(("width", "most"), [(360, 9000), (1280, 5000)])
@pytest.mark.parametrize("path", ["/t/crowd", "/bots", "/"])
def test_a_season_of_sixty_bots_stays_a_page_that_a_thumb_can_scroll(
    browser, crowded, path, width, most
):
    with visit(browser, crowded, path, width=width) as page:
        assert page.evaluate("document.documentElement.scrollHeight") < most
        assert fits(page)


def test_a_bot_is_found_with_the_keyboard_alone(browser, new_store, open_server):
    crowd(new_store, 20, 2)
    address = open_server(new_store.database.url.render_as_string())
    with visit(browser, address, "/t/crowd", scripts=False) as page:
        page.get_by_label("Find a bot").fill("crowd-013")
        page.keyboard.press("Enter")
        expect(page.get_by_role("rowheader")).to_have_count(1)
        expect(page.get_by_role("status")).to_contain_text("1 of 20 bots matches")
        page.get_by_label("Order by").select_option("rating")
        page.get_by_role("button", name="Show").click()
        expect(page.get_by_label("Find a bot")).to_have_value("crowd-013")
        page.get_by_role("link", name="Show all").click()
        expect(page.get_by_role("rowheader")).to_have_count(15)


@pytest.mark.parametrize("path", ["/t/friday/1", "/bots", MATCH, "/bot/davey", "/t/sunday"])
def test_no_column_of_a_table_about_bots_is_out_of_sight_on_a_phone(browser, address, path):
    with visit(browser, address, path, width=360, scripts=False) as page:
        cells = page.locator(".reflow td:visible")
        assert cells.count() > 5
        for cell in cells.all():
            box = cell.bounding_box()
            assert box["x"] >= 0
            assert box["x"] + box["width"] <= 360
        labels = cells.evaluate_all("cells => cells.map((cell) => cell.dataset.label)")
        assert all(labels)


@pytest.mark.parametrize("scripts", [True, False])
def test_a_table_with_columns_beyond_the_edge_says_so(browser, address, scripts):
    say = "(scroll) => getComputedStyle(scroll, '::before').visibility"
    hidden = "(scroll) => scroll.scrollWidth > scroll.clientWidth"
    seen = set()
    for path in (MATCH, TRICKS, "/match/tarot/0001/t01/r1/a"):
        with visit(browser, address, path, width=360, scripts=scripts) as page:
            for table in page.locator(".scroll:not(.reflow)").all():
                found = table.evaluate(hidden)
                seen.add(found)
                assert table.evaluate(say) == ("visible" if found else "hidden")
                assert table.get_attribute("tabindex") == "0"
    assert True in seen
    with visit(browser, address, MATCH, width=1280, scripts=scripts) as page:
        for table in page.locator(".scroll").all():
            assert table.evaluate(say) == "hidden"
