"""A name that nobody has, and what may have been meant."""

from __future__ import annotations

from card_arena.common.text import did_you_mean, nearest, suggestion

GAMES = ("blackjack", "spades", "blot", "tarot", "durak")


def test_the_most_similar_names_come_first_and_strangers_not_at_all():
    assert nearest("blott", GAMES, 3) == ["blot"]
    assert nearest("davy", ["dave", "davey", "ann"], 2) == ["davey", "dave"]
    assert nearest("zzz", GAMES, 3) == []


def test_one_name_is_asked_for_several_are_joined_and_none_is_no_question():
    assert did_you_mean(["blot"]) == "did you mean blot?"
    assert did_you_mean(["blot", "tarot"]) == "did you mean blot or tarot?"
    assert did_you_mean([]) == ""


def test_where_no_name_is_near_all_are_listed():
    assert suggestion("spade", GAMES) == "did you mean spades?"
    assert suggestion("go", ("blot", "tarot")) == "there are blot, tarot"
    assert suggestion("go", ()) == "there are none"
