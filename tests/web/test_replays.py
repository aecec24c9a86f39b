"""A record as a film of frames."""

from __future__ import annotations

from dataclasses import replace

import pytest

from leaderboard.store import Store
from leaderboard.web import replays
from leaderboard.web.faces import card_name, face
from tables.cards import Card, card
from tables.record import Record
from tables.registry import game
from tables.scene import Shown


@pytest.fixture
def record(store: Store) -> Record:
    return store.records("friday/0001/t01/r1/a")[0]


@pytest.fixture
def hands(record: Record) -> tuple[replays.Hand, ...]:
    return replays.film(game(record.game), record)


def test_a_film_has_a_frame_for_every_turn_in_hands_by_their_titles(record, hands):
    frames = [frame for hand in hands for frame in hand.frames]
    assert [frame.number for frame in frames] == list(range(len(record.turns)))
    titles = [f"hand {number} of 5" for number in range(1, 6)]
    assert [hand.title for hand in hands] == [*titles, "the end"]


def test_a_struck_out_bot_is_not_said_to_have_moved(record, hands):
    (seat,) = record.struck_out
    last = max(number for number, who, fault in record.faults if who == seat)
    kinds = {
        frame.kind
        for hand in hands
        for frame in hand.frames
        if frame.seat == seat and frame.number > last
    }
    assert kinds == {replays.Kind.STAND_IN}


def test_what_a_turn_changed_stands_out(hands):
    bet = next(frame for hand in hands for frame in hand.frames if frame.action == "B 15")
    spot = bet.spots[bet.seat + 1]
    assert {fact.label for fact in spot.facts if fact.changed} == {"stake", "chips"}
    hit = next(frame for hand in hands for frame in hand.frames if frame.action == "H")
    assert hit.spots[hit.seat + 1].cards.count("fresh") == 1
    assert "fresh" not in hands[0].frames[0].spots[1].cards


def test_actions_are_told_in_the_words_of_the_manual():
    answers = game("blackjack").answers
    assert replays.said(answers, "H") == "hit"
    assert replays.said(answers, "B 15") == "bet 15"
    assert replays.said(answers, "KS") == "KS"


def test_the_glance_sums_up_what_the_last_scene_names_first(record, hands):
    glance = replays.glance(hands)
    assert glance is not None
    assert glance.label == "chips"
    assert [value for value, _ in glance.rows[-1][1]] == [str(p) for p in record.over.purses]


def test_a_long_film_is_cut_between_hands_and_every_turn_is_on_one_page(hands):
    frame = hands[0].frames[0]
    long = [
        replays.Hand(f"hand {hand}", tuple(replace(frame, number=hand * 60 + n) for n in range(60)))
        for hand in range(6)
    ]
    cut = replays.pages(long)
    assert [len(page) for page in cut] == [2, 2, 2]
    assert [replays.page_of(cut, turn) for turn in (0, 119, 120, 359, 9999)] == [0, 0, 1, 2, 2]


def test_a_hand_longer_than_a_page_is_not_cut(hands):
    frame = hands[0].frames[0]
    long = replays.Hand("hand 1", (frame,) * (replays.PAGE + 50))
    assert [len(page) for page in replays.pages([long, long])] == [1, 1]


def test_cards_are_pictures_with_names():
    assert card_name(card("TD")) == "10 of diamonds"
    assert 'aria-label="king of hearts, face down"' in face(Shown(card("KH"), face_down=True))
    assert "<b>10</b>" in face(Shown(card("TD")))


def test_a_card_of_another_pack_shows_its_own_text_escaped():
    picture = face(Shown(Card("<21>", "x")))
    assert "&lt;21&gt;x" in picture
    assert "<use" not in picture
