"""A pasted program: it comes back to be mended, to whoever pasted it and to nobody else."""

from __future__ import annotations

import re
from html import unescape

from card_arena.tests.accounts.browser import Browser
from card_arena.tests.accounts.porch import Porch, bot
from card_arena.tests.tournament import stage
from card_arena.tournament.play.steps import finish

BROKEN = "import sys\nsys.exit('</textarea><b>no cards today')\n"
FORM = {
    "name": "davey",
    "language": "python",
    "protocol": "argv",
    "game": ["blackjack"],
    "source": BROKEN,
}


def pasted(browser: Browser, **fields: object) -> str:
    """Paste a program; return the path of its upload."""
    answer = browser.send("/submit", **{**FORM, **fields})
    assert answer.status_code == 303, answer.text
    return str(answer.headers["Location"])


def program(page: str) -> str:
    found = re.search(r"<textarea[^>]*>(.*?)</textarea>", page, re.DOTALL)
    assert found
    return unescape(found[1])


def test_a_refused_program_is_mended_where_it_was_pasted(ann: Browser, porch: Porch):
    path = pasted(ann)
    finish(porch.intake().take_all(stage.Here()))
    page = ann.get(path).text
    assert "Rejected: " in page
    (back,) = re.findall(r'href="(/submit\?again=\d+)#program">Fix your program', page)
    form = ann.get(back).text
    assert program(form) == BROKEN
    assert 'id="name" name="name"' in form
    assert 'value="davey"' in form
    for choice in ("python", "argv"):
        assert f'<option value="{choice}" selected>' in form
    assert 'value="blackjack" checked' in form
    assert 'value="spades" checked' not in form


def test_a_program_that_is_in_becomes_a_new_version_the_same_way(ann: Browser, porch: Porch):
    path = pasted(ann, source=stage.PYTHON_STDIN.format(limit=16), protocol="")
    finish(porch.intake().take_all(stage.Here()))
    page = ann.get(path).text
    assert "Accepted as" in page
    assert "submit a new version" in page
    assert '<option value="">as in the starter' in ann.get("/submit?again=1").text


def test_only_the_last_paste_of_a_person_is_kept(ann: Browser):
    first, second = pasted(ann), pasted(ann, source="print('S')\n")
    assert program(ann.get("/submit?again=1").text) == ""
    assert program(ann.get("/submit?again=2").text) == "print('S')\n"
    assert "again=" not in ann.get(first).text
    assert "again=2" not in ann.get(second).text, "it waits, so there is nothing to mend yet"


def test_nobody_else_sees_what_somebody_pasted(ann: Browser, bob: Browser):
    pasted(ann)
    for number in ("1", "99", "x", "-1"):
        page = bob.get(f"/submit?again={number}")
        assert page.status_code == 200
        assert program(page.text) == ""


def test_files_are_no_paste(ann: Browser, porch: Porch):
    porch.add_upload(porch.ann, bot("davey", source="#!/bin/sh\nexit 1\n"))
    finish(porch.intake().take_all(stage.Here()))
    assert "again=" not in ann.get("/upload/1").text


def test_a_name_of_another_team_is_refused_before_anything_is_built(ann: Browser, porch: Porch):
    porch.add_upload(porch.bob, bot("davey"))
    finish(porch.intake().take_all(stage.Here()))
    answer = ann.send("/submit", **FORM)
    assert answer.status_code == 400
    assert "another team&#39;s bot is called davey: choose another name" in answer.text
    assert program(answer.text) == BROKEN, "nothing is typed twice"
    assert porch.accounts.upload(1).bot == "davey"
