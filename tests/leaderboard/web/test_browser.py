"""The pages in a real browser: on a phone and on a desktop, in the light and in the dark."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Page, expect

from card_arena.results.store import Store
from card_arena.tables.registry import GAMES
from card_arena.tests.leaderboard.web.house import begin, crowd, play_tables, submitted
from card_arena.tests.leaderboard.web.serving import served
from card_arena.tests.leaderboard.web.visiting import fits, on_a_phone_and_on_a_desktop, visit
from card_arena.tests.results.fresh import fresh_store

pytestmark = pytest.mark.browser

MATCH = "/match/friday/0001/t01/r1/a"
TRICKS = "/match/spades/0001/t01/r1/a"
PAGES = (
    "/all-games",
    "/rules",
    *(f"/rules/{name}" for name in GAMES),
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
    *(f"/match/{name}/0001/t01/r1/a" for name, rules in GAMES.items() if not rules.carries),
    "/match/spades/0001/t01/r1/a?turn=20",
    "/match/spades/0001/t01/r1/a?beside=2&turn=10",
    "/tournaments",
    "/queue",
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
        expect(page.locator("#slider")).not_to_be_visible()
        expect(page.locator("[data-go=play]")).not_to_be_visible()


def test_without_scripts_links_lead_from_position_to_position(browser, address):
    with visit(browser, address, f"{MATCH}?turn=3", scripts=False) as page:
        page.locator("[data-go=on]").click()
        expect(page).to_have_url(re.compile(r"turn=4$"))
        page.locator("[data-go=stage-on]").click()
        expect(page.locator(".where b").first).to_have_text("Hand 2 of 5")
        page.locator(".chapters .part a", has_text="Hand 1 of 5").click()
        expect(page).to_have_url(re.compile(r"turn=0$"))


@contextmanager
def stepping(browser: Browser, address: str, path: str, **options: Any) -> Iterator[Page]:
    """A match page whose script is ready."""
    with visit(browser, address, path, **options) as page:
        expect(page.locator("#slider")).to_be_visible()
        yield page


def at(page: Page, turn: int) -> None:
    """Expect the page to show a turn."""
    expect(page).to_have_url(re.compile(rf"[?&]turn={turn}$"))
    expect(page.locator("#slider")).to_have_value(str(turn))


def test_a_game_is_stepped_through_with_buttons_keys_and_slider(browser, address, store: Store):
    (record,) = store.records("friday/0001/t01/r1/a")
    last = len(record.turns) - 1
    with stepping(browser, address, f"{MATCH}?turn=0") as page:
        at(page, 0)
        expect(page.locator("[data-go=back]")).not_to_have_attribute("href", re.compile("."))
        page.locator("[data-go=on]").click()
        at(page, 1)
        page.keyboard.press("ArrowRight")
        at(page, 2)
        page.keyboard.press("ArrowLeft")
        at(page, 1)
        page.keyboard.press("End")
        at(page, last)
        page.keyboard.press("ArrowLeft")
        at(page, last - 1)
        page.keyboard.press(",")
        expect(page.locator(".where b").first).to_have_text("Hand 5 of 5")
        page.keyboard.press(",")
        expect(page.locator(".where b").first).to_have_text("Hand 4 of 5")
        page.locator("#slider").focus()
        page.keyboard.press("Home")
        at(page, 0)
        page.locator("[data-go=stage-on]").click()
        expect(page.locator(".where b").first).to_have_text("Hand 2 of 5")
        page.locator(".chapters .part a", has_text="Hand 5 of 5").click()
        expect(page.locator(".where b").first).to_have_text("Hand 5 of 5")
        expect(page.locator(".chapters [aria-current]")).to_contain_text("Hand 5 of 5")


def test_a_game_plays_by_itself_until_it_is_stopped(browser, address):
    with stepping(browser, address, f"{TRICKS}?turn=5") as page:
        button = page.locator("[data-go=play]")
        page.locator("#speed").select_option("10")
        button.click()
        expect(page).to_have_url(re.compile(r"turn=1\d$"))
        page.locator("h1").click()
        page.keyboard.press(" ")
        expect(button).to_have_attribute("aria-label", "Play")
        stopped = page.url
        page.wait_for_timeout(500)
        assert page.url == stopped
        page.keyboard.press(" ")
        expect(page.locator("[data-go=on]")).not_to_have_attribute(
            "href", re.compile("."), timeout=20_000
        )
        expect(button).to_have_attribute("aria-label", "Play")


def test_a_swipe_steps_on_a_phone(browser, address):
    swipe = """([from, to]) => {
      const felt = document.querySelector(".felt");
      const touch = (x) => new Touch({ identifier: 1, target: felt, clientX: x, clientY: 300 });
      const fire = (kind, x) => felt.dispatchEvent(new TouchEvent(kind, {
        bubbles: true, changedTouches: [touch(x)], touches: kind === "touchend" ? [] : [touch(x)],
      }));
      fire("touchstart", from);
      fire("touchend", to);
    }"""
    with stepping(browser, address, f"{TRICKS}?turn=5", width=360) as page:
        page.evaluate(swipe, [300, 100])
        at(page, 6)
        page.evaluate(swipe, [100, 300])
        at(page, 5)
        page.evaluate(swipe, [100, 120])
        page.wait_for_timeout(200)
        at(page, 5)


def test_a_trick_is_played_to_the_middle_of_the_table_step_by_step(browser, address):
    with stepping(browser, address, f"{TRICKS}?turn=5") as page:
        for cards in (1, 2, 3, 4):
            expect(page.locator(".slot use")).to_have_count(cards)
            expect(page.locator(".hand use")).to_have_count(52 - cards)
            expect(page.locator(".slot .fresh")).to_have_count(1)
            page.keyboard.press("ArrowRight")
        expect(page.locator(".slot use")).to_have_count(1)


def test_cards_move_unless_the_reader_asks_for_stillness_and_never_fade(browser, address):
    # An animation may be over before a test looks at it, so each is written down as it begins.
    noted = """window.begun = [];
      const { animate } = Element.prototype;
      Element.prototype.animate = function (...given) {
        begun.push(animate.apply(this, given));
        return begun.at(-1);
      };"""
    moving = """() => [...begun, ...document.getAnimations()].map((one) =>
      one.effect.getKeyframes().map((frame) => [frame.transform, frame.opacity]))"""
    for motion, expected in (("no-preference", True), ("reduce", False)):
        context = browser.new_context(reduced_motion=motion)
        page = context.new_page()
        page.add_init_script(noted)
        page.goto(f"{address}{TRICKS}?turn=5")
        expect(page.locator("#slider")).to_be_visible()
        page.evaluate("document.querySelector('[data-go=on]').click()")
        expect(page.locator("#slider")).to_have_value("6")
        animations = page.evaluate(moving)
        moves = [frames for frames in animations if any(transform for transform, _ in frames)]
        assert bool(moves) is expected
        assert all(opacity is None for frames in animations for _, opacity in frames)
        context.close()


def test_the_view_of_a_seat_keeps_the_position(browser, address):
    with stepping(browser, address, f"{TRICKS}?turn=5") as page:
        page.keyboard.press("ArrowRight")
        at(page, 6)
        page.get_by_role("link", name="seat 3", exact=True).click()
        expect(page.locator(".back")).not_to_have_count(0)
        assert "turn=6" in page.url
        page.keyboard.press("ArrowRight")
        expect(page.locator("#slider")).to_have_value("7")
        expect(page.locator(".back")).not_to_have_count(0)
        expect(page.locator(".p3 .back")).to_have_count(0)


def test_two_tables_step_together_and_show_where_they_part(browser, address):
    with stepping(browser, address, f"{TRICKS}?beside=2") as page:
        expect(page.locator(".board")).to_have_count(2)
        page.locator(".chapters .parted a").first.click()
        expect(page.locator(".said.parted")).to_contain_text("part")
        parted = page.url
        page.reload()
        expect(page.locator(".said.parted")).to_contain_text("part")
        assert page.url == parted


@pytest.mark.parametrize(("width", "height"), [(360, 740), (1280, 800)])
@pytest.mark.parametrize("name", [*GAMES])
def test_the_whole_table_is_on_the_first_screen(browser, address, name, width, height):
    key = "friday" if GAMES[name].carries else name
    path = f"/match/{key}/0001/t01/r1/a?turn=4"
    with stepping(browser, address, path, width=width, height=height) as page:
        edge = page.locator(".felt").bounding_box()
        for part in (".score", ".felt", ".said", ".controls"):
            box = page.locator(part).first.bounding_box()
            assert box["y"] >= 0
            assert box["y"] + box["height"] <= height, part
        for card in page.locator(".felt .cards svg").all():
            box = card.bounding_box()
            assert box["x"] >= edge["x"] - 1
            assert box["x"] + box["width"] <= edge["x"] + edge["width"] + 1
            assert box["y"] + box["height"] <= edge["y"] + edge["height"] + 1


@pytest.mark.parametrize(("width", "height"), [(360, 740), (1280, 800)])
def test_the_front_page_plays_a_game_above_the_fold(browser, address, width, height):
    context = browser.new_context(viewport={"width": width, "height": height})
    page = context.new_page()
    page.goto(address)
    # at once, since another position may take the place of this one
    bottom = page.evaluate("document.querySelector('.felt').getBoundingClientRect().bottom")
    assert 100 < bottom <= height
    first = page.locator("#slider").input_value()
    expect(page.locator("#slider")).not_to_have_value(first)
    assert page.url.rstrip("/") == address
    page.locator(".result a").click()
    expect(page).to_have_url(re.compile("/match/"))
    context.close()


def test_the_first_control_is_three_tabs_away(browser, address):
    with stepping(browser, address, TRICKS) as page:
        for _ in range(3):
            page.keyboard.press("Tab")
        assert page.evaluate("document.activeElement.closest('.controls') !== null")


def test_the_slider_says_the_name_of_the_card(browser, address):
    with stepping(browser, address, f"{TRICKS}?turn=5") as page:
        card = page.locator(".said .chip").get_attribute("aria-label")
        expect(page.locator("#slider")).to_have_attribute(
            "aria-valuetext", re.compile(rf"Step 6: round 1, .* plays {card}")
        )


@pytest.mark.parametrize("width", [360, 1280])
def test_the_seats_are_around_the_table(browser, address, width):
    with visit(browser, address, f"{TRICKS}?turn=5", width=width) as page:
        south, west, north, east = (
            page.locator(f".seat.p{seat}").bounding_box()["y"] for seat in range(4)
        )
        assert north < west < south
        assert abs(west - east) < 60


@pytest.mark.parametrize("name", ["spades", "tarot", "blot"])
@pytest.mark.parametrize("width", [360, 1280])
def test_every_card_of_a_hand_shows_its_corner(browser, address, name, width):
    with visit(browser, address, f"/match/{name}/0001/t01/r1/a?turn=1", width=width) as page:
        for hand in page.locator(".hand").all():
            boxes = [card.bounding_box() for card in hand.locator("svg").all()]
            assert len(boxes) in (8, 13, 24)
            for left, right in itertools.pairwise(boxes):
                if abs(left["y"] - right["y"]) < 2:
                    assert right["x"] - left["x"] >= 0.53 * left["width"]
                else:
                    assert right["y"] - left["y"] >= 0.7 * left["width"]


def test_every_card_of_a_trick_shows_its_corner_on_a_phone(browser, address):
    corner = """(card) => {
      const { x, y, width } = card.getBoundingClientRect();
      return [.12, .4].every((part) => {
        return card.contains(document.elementFromPoint(x + .2 * width, y + part * width));
      });
    }"""
    with visit(browser, address, f"{TRICKS}?turn=8", width=360, height=740) as page:
        cards = page.locator(".slot svg").all()
        assert [card.evaluate(corner) for card in cards] == [True] * 4


def test_a_link_leads_to_a_part_of_a_match(browser, address):
    with visit(browser, address, f"{MATCH}#parts", width=360) as page:
        expect(page.locator("#slider")).to_be_visible()
        expect(page.locator("#parts")).to_be_in_viewport()
        assert page.url.endswith("#parts")


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
