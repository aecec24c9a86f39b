"""The admin pages as a whole: its links, its log, and what is typed there."""

from __future__ import annotations

import re
from itertools import pairwise

from card_arena.tests.accounts.browser import Browser, archive
from card_arena.tests.accounts.porch import Porch
from card_arena.tests.season_settings import season_settings

ATTACK = "<script>alert(1)</script>\"'&\u202e"


def test_everything_on_the_admin_pages_margins_somewhere(boss: Browser, ann: Browser, porch: Porch):
    ann.send("/submit", bundle=archive())
    porch.store.announce({"friday": season_settings({"game": "blackjack"})}, all_there_are=True)
    porch.accounts.send_message("Hello")
    to_see, seen = ["/mine"], set()
    while to_see:
        path = to_see.pop()
        if path not in seen and not path.startswith("/static/"):
            seen.add(path)
            with boss.get(path) as answer:
                assert answer.status_code == 200, path
                if answer.mimetype == "text/html":
                    to_see += re.findall(r'href="(/(?:admin|upload)[^"#]*)', answer.text)
    assert {"/admin", "/admin/people", "/admin/log", "/admin/t/friday", "/admin/person/1"} <= seen


def test_what_is_typed_stands_on_pages_as_text(boss: Browser, ann: Browser, porch: Porch):
    boss.send("/admin/messages", text=ATTACK, team="")
    boss.send(f"/admin/person/{porch.ann.id}", what="suspend", reason=ATTACK[:-1])
    boss.send(f"/admin/person/{porch.ann.id}", what="restore", reason=ATTACK[:-1])
    boss.send("/admin/limits", reason=ATTACK[:-1], team="Red", page="/admin/team/1")
    boss.send("/admin/invite", name="<b>x</b>", email="x@example.org", team="<i>y</i>")
    for path in (
        "/admin",
        "/admin/log",
        "/admin/messages",
        "/admin/people",
        "/admin/teams",
        "/admin/limits",
        "/admin/team/1",
        f"/admin/log?q={ATTACK}",
        "/mine",
    ):
        page = boss.get(path).text
        for tag in ("<script>alert", "<b>x", "<i>y", "\u202e"):
            assert tag not in page, path
    assert "&lt;script&gt;" in boss.get("/admin/log").text


def test_the_log_is_found_by_word_and_page_by_page(boss: Browser, porch: Porch):
    for number in range(120):
        porch.accounts.send_message(f"message {number}", "Red" if number % 2 else None)
    pages, path = [], "/admin/log?q=tell"
    while path:
        page = boss.get(path).text
        pages.append(re.findall(r"message: (\d+)", page))
        older = re.search(r'href="([^"]+)">Older entries', page)
        path = older[1].replace("&amp;", "&") if older else ""
    numbers = [int(number) for page in pages for number in page]
    assert numbers == [*range(120, 0, -1)]
    assert len(pages) == 3
    assert all(newer > older for newer, older in pairwise(numbers))
    assert boss.get("/admin/log?q=Red").text.count('data-label="What"') == 50
    assert "No entries found" in boss.get("/admin/log?q=%25").text
