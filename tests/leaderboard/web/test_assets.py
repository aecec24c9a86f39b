"""Static files, and what browsers may keep."""

from __future__ import annotations

import re

import pytest

from card_arena.leaderboard.web.assets import SHEETS, STATIC

TEMPLATES = STATIC.parent / "templates"


def test_a_page_that_did_not_change_is_not_sent_again(client):
    first = client.get("/t/friday/1")
    again = client.get("/t/friday/1", headers={"If-None-Match": first.headers["ETag"]})
    assert again.status_code == 304
    assert not again.data


def test_static_files_keep_for_ever_under_an_address_that_knows_their_contents(client):
    sheet = re.search(r'href="(/static/style\.css\?v=\w+)"', client.get("/").text)
    with client.get(sheet[1]) as answer:
        assert answer.status_code == 200
        assert answer.cache_control.immutable
        assert answer.cache_control.max_age > 30_000_000
        assert not answer.cache_control.no_cache
        etag = answer.headers["ETag"]
    with client.get(sheet[1], headers={"If-None-Match": etag}) as answer:
        assert answer.status_code == 304


def test_the_style_sheet_is_one_file_made_of_every_part_there_is(client):
    page = client.get("/").text
    assert page.count('rel="stylesheet"') == 1
    with client.get(re.search(r'href="(/static/style\.css\?v=\w+)"', page)[1]) as answer:
        assert answer.mimetype == "text/css"
        sheet = answer.text
    parts = sorted(path.stem for path in (STATIC / "css").iterdir())
    assert parts == sorted(SHEETS)
    for part in parts:
        assert (STATIC / "css" / f"{part}.css").read_text() in sheet


@pytest.mark.parametrize(
    "asked", ["?v=", "?v=0", "?v=zz", "?v={other}", "?v={v}&v=0", "?w={v}", ""]
)
def test_under_any_other_address_a_static_file_is_asked_for_again(asked, client):
    page = client.get("/").text
    sheet, v = re.search(r'href="(/static/style\.css)\?v=(\w+)"', page).groups()
    other = re.search(r"/static/icon\.svg\?v=(\w+)", page)[1]
    with client.get(sheet + asked.format(v=v, other=other)) as answer:
        assert answer.status_code == 200
        assert answer.cache_control.no_cache
        assert not answer.cache_control.immutable
        assert answer.cache_control.max_age is None


def test_on_a_phone_every_figure_of_a_table_says_what_it_is():
    """There a row is a card without the table's head; `data-label` names each cell."""
    cells = [
        f"{path.name}: {cell}"
        for path in sorted(TEMPLATES.rglob("*.html"))
        for cell in re.findall(r'<td role="cell"[^>]*>', path.read_text())
    ]
    assert len(cells) > 40
    assert not [cell for cell in cells if "data-label=" not in cell]
