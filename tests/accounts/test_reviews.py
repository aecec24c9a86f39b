"""Reviews that authors ask for."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

import pytest

from card_arena.accounts.administration import Arena, NotPermitted, carry_out
from card_arena.accounts.entries import AuditEntry, Quota
from card_arena.accounts.operations import OPERATIONS
from card_arena.tests.accounts.browser import Browser
from card_arena.tests.accounts.porch import Porch
from card_arena.tests.accounts.sites import open_site
from card_arena.tests.tournament import stage
from card_arena.tournament import operations as carried
from card_arena.tournament.challenges import begin_challenge
from card_arena.tournament.play.runner import run
from card_arena.tournament.reviews import NoReviewer

KEY = "challenges-lim14/0001/t01/r1/a"


@pytest.fixture
def house(porch: Porch, tmp_path: Path) -> Porch:
    """A match of a bot of Ann's team and one of another author, and a bot that did not play."""
    for name, limit, author in (("lim14", 14, "Red"), ("lim17", 17, "Red"), ("lim19", 19, "Blue")):
        version = stage.submit(porch.store, stage.shell(name, limit).write(tmp_path), author)
        porch.store.note_build(version.id, True, "", "")
    porch.accounts.give_author(porch.ann.teams[0].id)
    own, other = porch.store.version("lim14"), porch.store.version("lim19")
    begin_challenge(porch.store, own, other, "", 1, datetime(2026, 11, 27, tzinfo=UTC))
    run(porch.store, [], stage.Notes(), wait=False)
    return porch


def ask(house: Porch, bot: str, key: str = KEY) -> AuditEntry:
    arena = Arena(house.accounts, house.store, Quota(), None)
    ann = house.accounts.person(house.ann.id)
    return carry_out(arena, OPERATIONS["review"], bot, {"match": key}, ann)


def test_an_author_has_a_match_of_a_bot_reviewed(house: Porch) -> None:
    ask(house, "lim14")
    assert house.carry_out() == f"the review of {KEY}: /match/{KEY}#review"
    waiting = house.store.next_review()
    assert waiting is not None
    assert waiting.match == KEY


@pytest.mark.parametrize(("bot", "key"), [("lim17", KEY), ("lim14", "ghost/0001/t01/r1/a")])
def test_a_match_in_which_the_bot_did_not_play_is_declined(
    house: Porch, bot: str, key: str
) -> None:
    ask(house, bot, key)
    assert house.carry_out() == f"{bot} played in no match '{key}'"
    assert house.store.next_review() is None


def test_nobody_asks_for_the_bots_of_others(house: Porch) -> None:
    with pytest.raises(NotPermitted):
        ask(house, "lim19")


def test_a_game_without_a_reviewer_is_declined(
    house: Porch, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(game: str) -> None:
        raise NoReviewer(f"nobody reviews {game}")

    monkeypatch.setattr(carried, "usual_reviewer", refuse)
    ask(house, "lim14")
    assert house.carry_out() == "nobody reviews blackjack"
    assert house.store.next_review() is None


def test_the_page_of_ones_own_match_has_the_button(house: Porch) -> None:
    with open_site(house) as app:
        browser = Browser(app)
        browser.enter(house.accounts.invite("Ann", "ann@example.org")[1])
        own = f"/mine/match/{KEY}"
        assert "Nobody has asked for a review" in browser.get(f"/match/{KEY}").text
        sent = {"what": "review", "match": KEY}
        assert 'value="review"' in browser.get(own).text
        assert browser.send("/mine/bot/lim14", own, **sent).status_code == 303
        house.carry_out()
        assert f"/match/{KEY}#review" in browser.get("/mine/bot/lim14").text
        assert 'value="review"' not in browser.get(own).text
        assert "A review was asked for" in browser.get(f"/match/{KEY}?turn=1").text
