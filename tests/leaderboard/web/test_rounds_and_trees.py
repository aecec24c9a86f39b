"""The pictures of a Swiss tournament, of a knockout and of stages."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe
from flask.testing import FlaskClient

from card_arena.formats.registry import FORMATS
from card_arena.results.store import Store
from card_arena.tests.formats.fields import by_strength, field, told
from card_arena.tests.leaderboard.web.house import begin, submitted
from card_arena.tests.leaderboard.web.visiting import fits, on_a_phone_and_on_a_desktop, visit

NAMES = ("davey", "lim17", "chatty", "a-name-of-thirty-two-characters-", "silent", "lim15")

PICTURES: dict[str, tuple[str, Any, int, int]] = {
    "rounds of pairs": ("swiss", {"rounds": 5}, 2, 99),
    "rounds of tables": ("swiss", {"rounds": 3}, 4, 99),
    "a tree of pairs": ("knockout", {"boards": 31, "batch": 31, "seeds": "entrants"}, 2, 999),
    "a tree that is half drawn": ("knockout", {"boards": 40, "batch": 10}, 2, 25),
    "tables of which half go on": ("knockout", {"boards": 2, "until": "boards"}, 3, 99),
    "stages": ("stages", [{"swiss": {}, "best": 4}, {"swiss": {"rounds": 2}}], 2, 99),
}
"""A format with its options, the seats at a table, and how many matches are played."""


def draw(store: Store, kind: str) -> None:
    """Store a season's standings and pictures as they are after some matches."""
    name, options, seats, most = PICTURES[kind]
    bots = [submitted(store, bot) for bot in NAMES]
    season = begin(store, "drawn", bots)
    chosen = FORMATS[name]
    schedule = chosen.schedule(
        field([bot.id for bot in bots], seats), chosen.options.model_validate(options)
    )
    strengths = {bot.id: 3.0 * place for place, bot in enumerate(bots)}
    for _ in range(most):
        if schedule.ready:
            schedule.tell(told(schedule.ready[0], by_strength(strengths, 8)))
    drawn = [panel.to_data() for panel in schedule.panels]
    store.save_standings(season.id, schedule.standings, drawn)


def text(store: Store, open_site: Any, kind: str) -> str:
    draw(store, kind)
    site: FlaskClient = open_site(str(store.database.url))
    answer = site.get("/t/drawn")
    assert answer.status_code == 200
    return " ".join(answer.text.split())


@pytest.mark.browser
@pytest.mark.parametrize("kind", PICTURES)
def test_a_picture_fits_the_screen_and_is_open_to_everybody(browser, new_store, open_server, kind):
    draw(new_store, kind)
    address = open_server(str(new_store.database.url))
    with visit(browser, address, "/t/drawn", width=360, scripts=False) as page:
        for screen in on_a_phone_and_on_a_desktop(page):
            assert fits(page), screen
    with visit(browser, address, "/t/drawn", width=360, scheme="dark") as page:
        for screen in on_a_phone_and_on_a_desktop(page):
            found = Axe().run(page, options={"resultTypes": ["violations"]})
            assert found.violations_count == 0, f"{screen}: {found.generate_report()}"


def tops(page: Any, titles: Sequence[str]) -> list[float]:
    return [page.get_by_role("heading", name=title).bounding_box()["y"] for title in titles]


@pytest.mark.browser
def test_the_rounds_of_a_tree_are_side_by_side_on_a_desktop_and_a_list_on_a_phone(
    browser, new_store, open_server
):
    draw(new_store, "a tree of pairs")
    address = open_server(str(new_store.database.url))
    titles = ("Quarter-finals", "Semi-finals")
    with visit(browser, address, "/t/drawn", width=1280) as page:
        first, second = tops(page, titles)
        assert first == second
    with visit(browser, address, "/t/drawn", width=360) as page:
        first, second = tops(page, titles)
        assert first < second
        frame = page.locator(".tree-frame")
        assert frame.evaluate("sandbox => sandbox.scrollWidth <= sandbox.clientWidth")


def test_rounds_say_who_met_whom_and_what_it_came_to(new_store, open_site):
    found = text(new_store, open_site, "rounds of pairs")
    for word in ("beat davey", "lost to lim15", "a game", "Buchholz", "Round 5"):
        assert word in found


def test_a_tree_says_why_every_tie_ended_and_who_goes_on(new_store, open_site):
    found = text(new_store, open_site, "a tree of pairs")
    for word in ("Quarter-finals", "advances with a bye", "after 31 boards", "Final", " to +"):
        assert word in found
    assert found.count('<span class="sr">advances</span>') == 2 + 2 + 1
    assert "not drawn yet" not in found


def test_a_tree_names_the_rounds_that_are_not_drawn_yet(new_store, open_site):
    found = text(new_store, open_site, "a tree that is half drawn")
    assert "of at most 40 played" in found
    assert found.count("not drawn yet") == 3


def test_stages_have_headings_and_say_who_went_on(new_store, open_site):
    found = text(new_store, open_site, "stages")
    assert "Stage 1 of 2: swiss" in found
    _, went_on = found.split("4 advanced, the best first: ")
    assert went_on.split(".")[0].count(" v1") == 4
    assert "Rounds, stage 2" in found
    assert "The final order is that of the season" in found
