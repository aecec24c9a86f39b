"""What a turn is called."""

from __future__ import annotations

from types import SimpleNamespace

from card_arena.leaderboard.web import replays
from card_arena.leaderboard.web.card_svg import chip
from card_arena.tables.cards import card, cards
from card_arena.tables.legal_actions import OneOf, Pick
from card_arena.tables.registry import game

HELD = frozenset(cards("7H 7S 8H 9H A7 A1 EX"))


def said(action: str, *left: str, rules=None, choice=OneOf(())):  # noqa: B008 - a constant
    """What is said of an action after which these cards have left the hand."""
    rules = rules or explaining()
    return replays.describe_action(rules, choice, action, HELD, frozenset(map(card, left)))


def explaining(**answers: str):
    """A game whose manual explains these answers."""
    return SimpleNamespace(answers=answers, presentation=SimpleNamespace(suit_bid=lambda _: None))


def test_actions_are_told_in_the_words_of_the_manual():
    assert said("H", rules=game("blackjack")) == ("", "hit")
    assert said("B 15", rules=game("blackjack")) == ("", "bet 15")


def test_a_word_that_the_manual_explains_in_a_sentence_is_said():
    rules = explaining(n="in phase `bid`: that you will take n", take="take it all, and more")
    assert said("4", rules=rules) == ("says", "4")
    assert said("take", rules=rules) == ("says", "take")


def test_a_word_of_the_manual_may_stand_behind_the_phase():
    rules = explaining(P="in the auction: pass; you may bid later")
    assert said("P", rules=rules) == ("", "pass")
    assert said("<b>") == ("says", "&lt;b&gt;")


def test_a_card_that_is_played_is_a_picture():
    assert said("7H", "7H", rules=explaining(**{"7H": "card: any"})) == ("plays", chip(card("7H")))
    assert said("7H+7S", "7H", "7S")[1].count("<svg") == 2
    assert said("7H+T", "7H") == ("plays", chip(card("7H")) + "+T")
    verb, text = said("A7 show A1,EX", "A7")
    assert verb == "plays"
    assert text.striptags().split() == ["7", "show", "1", "Ex"]
    assert said("pass 8H", "8H") == ("says", "pass " + chip(card("8H")))


def test_cards_that_are_picked_in_secret_are_told_in_the_word_of_the_choice():
    picked = Pick(2, cards("7H 7S 8H"), verb="puts away")
    verb, text = said("7H,7S", "7H", "7S", choice=picked)
    assert verb == "puts away"
    assert text.count("<svg") == 2


def test_a_bid_that_reads_like_a_card_is_no_card():
    verb, text = said("9H", rules=game("blot"))
    assert verb == "says"
    assert 'aria-label="9 hearts"' in text
    assert 'aria-label="24 spades"' in said("24S", rules=game("blot"))[1]


def test_a_bid_of_all_tricks_or_without_trumps_is_told_in_words():
    _, text = said("25Hc", rules=game("blot"))
    assert 'aria-label="25 hearts"' in text
    assert text.endswith("</span> capot")
    assert said("10N", rules=game("blot")) == ("says", "10 no-trump")
    assert said("25Nc", rules=game("blot")) == ("says", "25 no-trump capot")
