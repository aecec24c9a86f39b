"""A season's page says whether those who sit at one table could talk, and claims no more."""

from __future__ import annotations

from typing import Any

import pytest

from leaderboard.web import separation
from leaderboard.web.separation import has_partners
from sandbox.guarantees import GUARANTEES
from tests.season_settings import season_settings
from tests.web.test_pages import text

OWN = ["usual", "own-system"]


def said(**settings: Any) -> str:
    return separation.separation(season_settings({"same_author": "together", **settings}))


def test_the_guarantee_goes_by_the_name_that_boxes_know():
    assert separation.OWN_SYSTEM in GUARANTEES


@pytest.mark.parametrize("game", ["spades", "blot"])
def test_partners_are_said_not_to_be_separated_unless_that_was_required(game):
    partners = {"game": game, "seats": 4}
    assert said(**partners) == separation.PARTNERS_SHARE
    assert said(**partners, require=["memory"]) == separation.PARTNERS_SHARE
    assert said(**partners, require=OWN) == separation.PARTNERS_APART
    assert said(**partners, require="all") == separation.PARTNERS_APART


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
    assert said(**settings) == separation.BOTS_SHARE
    assert said(**settings, require=OWN) == separation.BOTS_APART


def test_where_authors_are_kept_apart_it_says_so():
    apart = {"same_author": "apart"}
    assert said(game="durak", seats=4, **apart) == separation.AUTHORS_APART
    assert said(game="durak", seats=4, same_author="together") == separation.BOTS_SHARE
    assert said(game="durak", seats=2, **apart) == separation.BOTS_SHARE
    assert said(game="durak", seats=4, options={"open_hands": True}, **apart) == (
        separation.BOTS_SHARE
    )
    assert said(game="spades", seats=4, **apart) == separation.PARTNERS_SHARE


def test_partners_at_durak_are_a_matter_of_its_options():
    partners = {"game": "durak", "seats": 4, "options": {"partners": True}}
    assert has_partners(season_settings(partners))
    assert not has_partners(season_settings({"game": "durak", "seats": 3}))


def test_without_walls_nothing_is_claimed_and_alone_nobody_is_told():
    assert said(game="spades", box="bare", require=OWN) == separation.UNWALLED
    assert said(game="blackjack", seats=1) == ""


def test_the_page_of_a_season_says_it(client):
    assert separation.PARTNERS_SHARE in text(client, "/t/spades")
    assert separation.BOTS_SHARE in text(client, "/t/friday")
    assert separation.PARTNERS_SHARE not in text(client, "/t/friday")


def test_the_calls_are_named_that_an_organiser_allows() -> None:
    text = said(game="blackjack", seats=1, limits={"calls": ["flock", "utime"]})
    assert text == "Bots may also make the system calls flock, utime."
    assert said(game="blackjack", seats=1, limits={"calls": []}) == ""
