"""A season's page says whether those who sit at one table could talk, and claims no more."""

from __future__ import annotations

from typing import Any

import pytest

from card_arena.leaderboard.web import season_notes
from card_arena.leaderboard.web.season_notes import has_partners
from card_arena.sandbox.guarantees import GUARANTEES
from card_arena.tests.leaderboard.web.page_texts import text
from card_arena.tests.season_settings import season_settings

OWN = ["usual", "own-system"]


def said(**settings: Any) -> str:
    return season_notes.separation(season_settings({"same_author": "together", **settings}))


def test_the_guarantee_goes_by_the_name_that_sandboxes_know():
    assert season_notes.OWN_SYSTEM in GUARANTEES


@pytest.mark.parametrize("game", ["spades", "blot"])
def test_partners_are_said_not_to_be_separated_unless_that_was_required(game):
    partners = {"game": game, "seats": 4}
    assert said(**partners) == season_notes.PARTNERS_SHARE
    assert said(**partners, require=["memory"]) == season_notes.PARTNERS_SHARE
    assert said(**partners, require=OWN) == season_notes.PARTNERS_APART
    assert said(**partners, require="all") == season_notes.PARTNERS_APART


@pytest.mark.parametrize(
    "settings",
    [
        {"game": "blackjack", "seats": 4},
        {"game": "tarot", "seats": 3},
        {"game": "durak", "seats": 4},
        {"game": "spades", "seats": 4, "partners": "different"},
    ],
)
def test_where_every_seat_is_another_bots_it_is_about_two_of_one_author(settings):
    assert said(**settings) == season_notes.BOTS_SHARE
    assert said(**settings, require=OWN) == season_notes.BOTS_APART


def test_where_authors_are_kept_apart_it_says_so():
    apart = {"same_author": "apart"}
    assert said(game="durak", seats=4, **apart) == season_notes.AUTHORS_APART
    assert said(game="durak", seats=4, same_author="together") == season_notes.BOTS_SHARE
    assert said(game="durak", seats=2, **apart) == season_notes.BOTS_SHARE
    assert said(game="durak", seats=4, options={"open_hands": True}, **apart) == (
        season_notes.BOTS_SHARE
    )
    assert said(game="spades", seats=4, **apart) == season_notes.PARTNERS_SHARE


def test_partners_at_durak_are_a_matter_of_its_options():
    partners = {"game": "durak", "seats": 4, "options": {"partners": True}}
    assert has_partners(season_settings(partners))
    assert not has_partners(season_settings({"game": "durak", "seats": 3}))


def test_without_walls_nothing_is_claimed_and_alone_nobody_is_told():
    assert said(game="spades", sandbox="bare", require=OWN) == season_notes.UNSANDBOXED
    assert said(game="blackjack", seats=1) == ""


def test_the_page_of_a_season_says_it(client):
    assert season_notes.PARTNERS_SHARE in text(client, "/t/spades")
    assert season_notes.BOTS_SHARE in text(client, "/t/friday")
    assert season_notes.PARTNERS_SHARE not in text(client, "/t/friday")


def test_the_calls_are_named_that_an_organiser_allows() -> None:
    text = said(game="blackjack", seats=1, limits={"calls": ["flock", "utime"]})
    assert text == "Bots may also make the system calls flock, utime."
    assert said(game="blackjack", seats=1, limits={"calls": []}) == ""
