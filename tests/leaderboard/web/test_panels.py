"""Pictures beside the standings: the cross table and the thresholds."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from axe_playwright_python.sync_playwright import Axe
from flask.testing import FlaskClient

from card_arena.formats.field import Placing
from card_arena.formats.panels import Panel
from card_arena.results.entries import Version
from card_arena.results.store import Store
from card_arena.tests.leaderboard.web.house import begin, submitted
from card_arena.tests.leaderboard.web.panel_examples import cross_table, thresholds
from card_arena.tests.leaderboard.web.visiting import fits, on_a_phone_and_on_a_desktop, visit

NAMES = ("davey", "lim17", "chatty", "a-name-of-thirty-two-characters-")


def season(store: Store, bots: list[Version], panel: Panel) -> None:
    found = begin(store, "drawn", bots)
    placed = [Placing(bot.id, place, -1.0 * place) for place, bot in enumerate(bots[:-1], 1)]
    store.save_standings(found.id, placed, [panel.to_data()])
    store.finish_season(found.id)


def panels(store: Store) -> dict[str, Callable[[], None]]:
    def draw(of: Callable[[list[int]], Panel], names: tuple[str, ...]) -> None:
        bots = [submitted(store, name) for name in names]
        season(store, bots, of([bot.id for bot in bots]))

    return {
        "cross table": lambda: draw(cross_table, NAMES),
        "large cross table": lambda: draw(cross_table, tuple(f"bot{n}" for n in range(14))),
        "thresholds": lambda: draw(thresholds, NAMES),
    }


@pytest.mark.parametrize("kind", ["cross table", "large cross table", "thresholds"])
def test_a_picture_fits_the_screen_and_is_open_to_everybody(browser, new_store, open_server, kind):
    panels(new_store)[kind]()
    address = open_server(str(new_store.database.url))
    with visit(browser, address, "/t/drawn", width=360, scripts=False) as page:
        for screen in on_a_phone_and_on_a_desktop(page):
            assert fits(page), screen
    with visit(browser, address, "/t/drawn", width=360, scheme="dark") as page:
        for screen in on_a_phone_and_on_a_desktop(page):
            for summary in page.locator(".cross-lists summary").all():
                if summary.is_visible():
                    summary.click()
            assert fits(page), screen
            found = Axe().run(page, options={"resultTypes": ["violations"]})
            assert found.violations_count == 0, f"{screen}: {found.generate_report()}"


def drawn(store: Store, open_site: Callable[[str], FlaskClient], kind: str) -> str:
    panels(store)[kind]()
    answer = open_site(str(store.database.url)).get("/t/drawn")
    assert answer.status_code == 200
    return " ".join(answer.text.split())


def test_the_cross_table_says_who_is_surely_ahead_and_who_never_met(new_store, open_site):
    text = drawn(new_store, open_site, "cross table")
    assert "Every two bots that met have 20 boards in common." in text
    assert text.count("never met") == 2
    assert '<td class="num verdict ahead">' in text
    assert "significantly ahead of 2, behind 0 of 2" in text
    assert "too few boards" in text


def test_a_phone_has_a_list_for_each_bot_and_a_desktop_the_table(browser, new_store, open_server):
    panels(new_store)["cross table"]()
    address = open_server(str(new_store.database.url))
    for width, table in ((360, False), (1280, True)):
        with visit(browser, address, "/t/drawn", width=width) as page:
            assert page.locator("table.cross").is_visible() == table
            assert page.locator(".cross-lists").is_visible() != table


def test_of_many_bots_a_list_is_shown_for_those_that_are_looked_for(new_store, open_site):
    bots = [submitted(new_store, f"bot{number:02}") for number in range(40)]
    season(new_store, bots, cross_table([bot.id for bot in bots]))
    site = open_site(str(new_store.database.url))
    whole = " ".join(site.get("/t/drawn").text.split())
    assert "40 bots make 780 pairs" in whole
    assert whole.count("<details id=") == 0
    one = site.get("/t/drawn?bot=bot07").text
    assert one.count("<details id=") == 1


def test_thresholds_say_what_they_ask_and_who_reached_them(new_store, open_site):
    text = drawn(new_store, open_site, "thresholds")
    assert "pass &lt;b&gt;" in text
    assert "pass <b>" not in text
    assert "−2.5 or more" in text
    assert "as good as a-name-of-thirty-two-characters- v1: a margin of 0 or more over it" in text
    for word in ("✓ reached", "? perhaps", "✗ not reached"):
        assert word in text
    assert "Earlier seasons had 60 of these boards." in text
    assert "davey leads by" in text  # whoever has no rank is not the first
