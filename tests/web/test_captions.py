"""What a turn is called."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from leaderboard.web import captions
from leaderboard.web.card_svg import chip
from tables.cards import card, cards
from tables.registry import game

HELD = frozenset(cards("7H 7S 8H 9H A7 A1 EX"))


def said(action: str, *left: str, answers: Mapping[str, str] = MappingProxyType({})):
    """What is said of an action after which these cards have left the hand."""
    return captions.said(answers, action, HELD, frozenset(map(card, left)))


def test_actions_are_told_in_the_words_of_the_manual():
    answers = game("blackjack").answers
    assert said("H", answers=answers) == ("", "hit")
    assert said("B 15", answers=answers) == ("", "bet 15")


def test_a_word_that_the_manual_explains_in_a_sentence_is_said():
    answers = {"n": "in phase `bid`: that you will take n", "take": "take it all, and more"}
    assert said("4", answers=answers) == ("says", "4")
    assert said("take", answers=answers) == ("says", "take")


def test_a_word_of_the_manual_may_stand_behind_the_phase():
    meaning = "in the auction: pass; you may bid later"
    assert said("P", answers={"P": meaning}) == ("", "pass")
    assert said("<b>") == ("says", "&lt;b&gt;")


def test_a_card_that_is_played_is_a_picture():
    assert said("7H", "7H", answers={"7H": "card: any"}) == ("plays", chip(card("7H")))
    assert said("7H+7S", "7H", "7S")[1].count("<svg") == 2
    assert said("7H+T", "7H") == ("plays", chip(card("7H")) + "+T")
    verb, text = said("A7 show A1,EX", "A7")
    assert verb == "plays"
    assert text.striptags().split() == ["7", "show", "1", "Ex"]
    assert said("pass 8H", "8H") == ("says", "pass " + chip(card("8H")))


def test_a_bid_that_reads_like_a_card_is_no_card():
    verb, text = said("9H")
    assert verb == "says"
    assert 'aria-label="9 hearts"' in text
    assert 'aria-label="24 spades"' in said("24S")[1]


def test_a_bid_of_all_tricks_or_without_trumps_is_told_in_words():
    _, text = said("25Hc")
    assert 'aria-label="25 hearts"' in text
    assert text.endswith("</span> capot")
    assert said("10N") == ("says", "10 no-trump")
    assert said("25Nc") == ("says", "25 no-trump capot")
