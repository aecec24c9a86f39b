"""The page of an upload on its way: what it says at each step, and when it stops asking."""

from __future__ import annotations

from card_arena.tests.accounts.browser import Browser
from card_arena.tests.accounts.porch import Porch, bot
from card_arena.tests.accounts.talking_bot import played
from card_arena.tests.tournament import stage
from card_arena.tournament.play.steps import finish


def test_an_upload_is_followed_from_its_place_to_its_rating(ann: Browser, porch: Porch):
    porch.add_upload(porch.bob, bot("other"))
    upload = porch.add_upload(porch.ann, bot("davey"))
    waiting = ann.get("/upload/2").text
    assert "1 is before it." in waiting
    assert "data-hx-get" in waiting
    assert '<a href="/upload/2">Reload</a>' in waiting
    porch.accounts.build_began(upload.id)
    porch.accounts.note_progress(upload.id, "cc <b>bot.c</b>", [])
    building = ann.get("/upload/2").text
    assert "The bot is being built and checked." in building
    assert "cc &lt;b&gt;bot.c&lt;/b&gt;" in building
    finish(porch.intake().take_all(stage.Here()))
    admitted = ann.get("/upload/2").text
    assert "step 3, starts" in admitted
    assert "with the next season of its games" in admitted


def test_matches_and_standard_error_are_linked_and_nothing_is_asked_when_it_is_rated(
    ann: Browser, porch: Porch
):
    played(porch)
    page = ann.get("/upload/1").text
    assert "its ratings" in page
    assert "/mine/match/small/0001/" in page
    assert "standard error" in page
    assert "data-hx-get" not in page


def test_a_bot_that_can_not_answer_is_told_the_step_and_how_to_repeat_it(
    ann: Browser, porch: Porch
):
    porch.add_upload(porch.ann, bot("davey", source="#!/bin/sh\necho '<b>my mistake' >&2\n"))
    finish(porch.intake().take_all(stage.Here()))
    page = ann.get("/upload/1").text
    assert "Rejected: it can&#39;t answer at blackjack, step" in page
    assert "Failed step" in page
    assert "&lt;b&gt;my mistake" in page
    assert "arena check davey/ --game blackjack" in page
    assert "data-hx-get" not in page


def test_a_name_that_is_taken_needs_nothing_repeated(ann: Browser, porch: Porch):
    porch.add_upload(porch.bob, bot("davey"))
    porch.add_upload(porch.ann, bot("davey", 12))
    finish(porch.intake().take_all(stage.Here()))
    page = ann.get("/upload/2").text
    assert "belongs to another team" in page
    assert "arena check" not in page
