"""What is announced, who would play, and how many matches a season comes to."""

from __future__ import annotations

import re

import pytest

from card_arena.leaderboard.plans import (
    NotAnnounced,
    announcement,
    announcements,
    candidates,
    reference_bots,
)
from card_arena.leaderboard.standings import standings
from card_arena.leaderboard.tournaments import tournament_names, tournaments
from card_arena.results.season_settings import SeasonSettings
from card_arena.results.store import Store
from card_arena.tests.results.made import made_bots, made_season, made_submission
from card_arena.tests.season_settings import season_settings

WEEKLY = season_settings({"name": "weekly"})


def entered(entrants: object) -> SeasonSettings:
    return season_settings({"name": "weekly", "entrants": entrants})


def test_what_is_announced_is_known_before_the_first_season(store: Store):
    store.announce({"weekly": WEEKLY}, all_there_are=False)
    (announced,) = announcements(store)
    assert (announced.name, announced.settings, announced.seasons) == ("weekly", WEEKLY, 0)
    assert re.fullmatch("[0-9a-f]{64}", announced.commitment)
    assert announcement(store, "weekly").game == "snap"
    assert tournaments(store) == ()
    with pytest.raises(NotAnnounced, match="no tournament 'friday' is announced"):
        announcement(store, "friday")


def test_the_newest_word_on_a_tournament_counts_and_its_seasons_stay(store: Store):
    made_season(store, made_bots(store, "ann"))
    store.announce({"friday": WEEKLY, "sunday": WEEKLY}, all_there_are=True)
    store.announce({"friday": season_settings({"boards": 2})}, all_there_are=False)
    friday, sunday = announcements(store)
    assert (friday.settings.boards, friday.seasons) == (2, 1)
    assert sunday.seasons == 0


def test_a_tournament_whose_file_is_gone_is_announced_no_more(store: Store):
    made_season(store, made_bots(store, "ann"))
    store.announce({"friday": WEEKLY, "never": WEEKLY, "sunday": WEEKLY}, all_there_are=True)
    store.announce({"sunday": WEEKLY}, all_there_are=True)
    assert [each.name for each in announcements(store)] == ["sunday"]
    assert tournament_names(store) == ("friday", "sunday")
    assert standings(store, "friday").season.number == 1


def test_all_bots_of_the_game_would_play_but_those_that_are_withdrawn(store: Store):
    made_bots(store, "ann", "bob", "cid")
    store.submit(made_submission("dan", games=("whist",)), "ada")
    store.withdraw("bob")
    store.note_build(store.version("cid").id, False, "it lacks a compiler", "")
    found = candidates(store, WEEKLY)
    assert [(each.bot, each.version, each.sits_out) for each in found] == [
        ("ann", 1, ""),
        ("cid", 1, "it lacks a compiler"),
    ]
    assert candidates(store, entered({"tags": ["x"]})) == ()
    for name in ("ann", "bob", "cid"):
        store.tag(name, ["mine"])
    assert candidates(store, entered({"tags": ["mine", "x"]})) == found


def test_bots_that_are_named_are_told_with_what_keeps_them(store: Store):
    made_bots(store, "ann", "bob")
    store.submit(made_submission("ann", "d2"), "ada")
    store.submit(made_submission("dan", games=("whist",)), "ada")
    store.withdraw("bob")
    named = entered(["ann@1", "ann", "bob", "dan", "ghost", "ann@9"])
    found = candidates(store, named)
    assert [(each.bot, each.version, each.sits_out) for each in found] == [
        ("ann", 1, ""),
        ("ann", 2, ""),
        ("bob", 1, "it is withdrawn"),
        ("dan", 1, "it does not play this game"),
        ("ghost", None, "it has not been submitted yet"),
        ("ann@9", None, "it has not been submitted yet"),
    ]


def test_a_season_says_how_many_matches_it_comes_to(store: Store):
    season = made_season(store, made_bots(store, "ann"))
    assert standings(store, "friday").season.planned is None
    store.plan_season(season.id, 192)
    assert standings(store, "friday").season.planned == 192
    assert tournaments(store)[0].planned == 192


def test_a_season_whose_end_nobody_can_tell_says_so_or_gives_a_bound(store: Store):
    season = made_season(store, made_bots(store, "ann", "bob"))
    store.plan_season(season.id, 12, at_most=True)
    facts = standings(store, "friday").season
    assert (facts.planned, facts.at_most) == (12, True)
    store.plan_season(season.id, None)
    facts = standings(store, "friday").season
    assert (facts.planned, facts.at_most) == (None, False)


def test_reference_bots_are_told_apart_from_the_entrants(store: Store):
    made_bots(store, "ann", "bob", "cid")
    store.withdraw("bob")
    weekly = season_settings({"name": "weekly"}, references=("cid@1", "bob", "ghost"))
    store.announce({"weekly": weekly}, all_there_are=True)
    announced = announcement(store, "weekly")
    found = candidates(store, announced.settings)
    assert [each.bot for each in found] == ["ann"]
    told = reference_bots(store, announced.settings)
    assert [(each.bot, each.version, each.sits_out) for each in told] == [
        ("cid", 1, ""),
        ("bob", 1, "it is withdrawn"),
        ("ghost", None, "it has not been submitted yet"),
    ]
    store.announce({"weekly": WEEKLY}, all_there_are=True)
    assert reference_bots(store, announcement(store, "weekly").settings) == ()
