"""A match from its player's side: questions, answers, standard error, and a question again."""

from __future__ import annotations

from pathlib import Path

import pytest
from flask import Flask

from card_arena.leaderboard.bots import debut, decisions
from card_arena.leaderboard.matches import match
from card_arena.leaderboard.question_file import QuestionFile, read_question
from card_arena.sandbox.bundles.bundle import Bundle
from card_arena.tests.accounts.browser import Browser
from card_arena.tests.accounts.porch import Porch, bot
from card_arena.tests.accounts.talking_bot import played
from card_arena.tests.tournament import stage
from card_arena.tournament.play.runner import run
from card_arena.verify.repro import put, same_answer

KEY = stage.KEY
PAGE = f"/mine/match/{KEY}"

FAULTY = """\
#!/bin/sh
if [ "$1" -gt 14 ] && [ "$1" -lt 21 ]; then echo '<i>'
elif [ "$1" -lt {limit} ]; then echo H; else echo S; fi
"""
"""Answers some questions with what no rule allows."""


def test_its_author_sees_what_it_was_asked_and_what_it_wrote(ann: Browser, porch: Porch):
    played(porch)
    page = ann.get(PAGE).text
    assert "&lt;b&gt;secret plan&lt;/b&gt;" in page
    assert "arena repro FILE my_bot/" in page
    assert '<span class="good">fine</span>' in page
    assert "rival v1, seat" not in page, "what the others decided is for them"


def test_every_page_of_its_decisions_is_there(ann: Browser, porch: Porch):
    played(porch, hands=150, start_chips=9000)
    pages = [ann.get(f"{PAGE}?page={number}") for number in (1, 2)]
    assert [page.status_code for page in pages] == [200, 200]
    assert f'<a href="{PAGE}?page=2#decisions">' in pages[0].text
    assert "Download this question" in pages[1].text


def test_others_see_neither_the_page_nor_its_files(
    ann: Browser, bob: Browser, boss: Browser, app: Flask, porch: Porch
):
    played(porch)
    theirs = bob.get(PAGE).text
    assert "secret plan" not in theirs
    assert "rival v1, seat" in theirs
    turn = asked(porch)
    assert bob.get(f"/mine/repro/{KEY}?game=1&turn={turn}").status_code == 404
    cid = Browser(app)
    cid.enter(porch.accounts.invite("Cid", "cid@example.org")[1])
    for path in ("/mine/match/", "/mine/repro/"):
        found, none = cid.get(path + KEY), cid.get(f"{path}no/such")
        assert (found.status_code, none.status_code) == (404, 404)
        assert found.text == none.text
    assert "secret plan" in boss.get(PAGE).text
    assert "secret plan" not in Browser(app).get(f"/match/{KEY}").text


def asked(porch: Porch) -> int:
    """The number of the first turn of the first game in which Ann's bot was asked."""
    return next(decisions(match(porch.store, KEY), ["davey"])).turn


def question(browser: Browser, turn: int) -> QuestionFile:
    answer = browser.get(f"/mine/repro/{KEY}?game=1&turn={turn}")
    assert answer.status_code == 200
    assert answer.headers["Content-Disposition"].endswith(f'-1-{turn}.json"')
    return read_question(answer.data, "it")


def test_a_question_is_played_again_from_the_file(ann: Browser, porch: Porch):
    played(porch)
    found = question(ann, asked(porch))
    assert found.bot == "davey v1"
    assert "secret plan" in found.stderr
    bundle = Bundle.from_archive(porch.store.archive(porch.store.version("davey").id))
    again = put(found, bundle, "bare")
    assert same_answer(again.answer, found.then)


@pytest.mark.parametrize("query", ["game=9&turn=1", "game=1&turn=0", "game=1&turn=9999", "turn=x"])
def test_a_turn_without_a_question_of_ones_own_is_not_there(ann: Browser, porch: Porch, query: str):
    played(porch)
    assert ann.get(f"/mine/repro/{KEY}?{query}").status_code == 404


def test_only_faults_and_only_a_game_can_be_seen(ann: Browser, porch: Porch):
    played(porch)
    assert "None." in ann.get(f"{PAGE}?faults=").text
    assert '<span class="good">fine</span>' in ann.get(f"{PAGE}?game=1").text


def test_a_fault_is_shown_with_what_was_played_for_the_bot(
    ann: Browser, porch: Porch, tmp_path: Path
):
    for name, author, source in (("davey", "Red", FAULTY), ("rival", "Blue", stage.SHELL_ARGV)):
        archive = tmp_path / f"{name}.tar.gz"
        archive.write_bytes(bot(name, 15, source))
        stage.submit(porch.store, archive, author)
    porch.accounts.give_author(porch.ann.teams[0].id)
    settings = stage.tournament(sandbox="bare", legs=2, rounds=3)
    run(porch.store, [settings], stage.Notes(), wait=False, pool=stage.Here())
    wrong = next(each for each in debut(porch.store, "davey", 1).latest if each.faults)
    page = ann.get(f"/mine/match/{wrong.match.key}?faults=").text
    assert '<span class="tag fault">' in page
    assert "&lt;i&gt;" in page
    assert "played for it:" in page
    assert '<span class="good">fine</span>' not in page
