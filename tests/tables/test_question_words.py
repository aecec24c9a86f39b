"""A record without the words of its questions is filled again by the rules, word for word."""

from __future__ import annotations

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from card_arena.tables.dealing import Packs
from card_arena.tables.question_words import WordsLost, filled, stripped
from card_arena.tables.record import Record
from card_arena.tables.referee import Strikes, play
from card_arena.tables.registry import GAMES
from card_arena.tests.tables.scripted import SILENT, Always, Said

EVERY = pytest.mark.parametrize("rules", GAMES.values(), ids=GAMES)


def data_of(record: Record) -> dict:
    return json.loads(json.dumps(record.to_data()))


def silent_game(rules, limit: int = 3) -> dict:
    players = [Always(SILENT)] * rules.seats[-1]
    packs = Packs(b"s" * 32, "m")
    return data_of(play(rules, rules.options(), players, packs, strikes=Strikes(limit=limit)))


@EVERY
@given(st.lists(st.text(max_size=4) | st.sampled_from(["-", "P", "1", "7H", "H"]), min_size=1))
@settings(max_examples=20, deadline=None)
def test_every_game_is_filled_as_it_was(rules, answers):
    class Anything:
        turn = 0

        def ask(self, _):
            self.turn += 1
            return Said(answers[self.turn % len(answers)])

        def tell(self, _):
            pass

    players = [Anything() for _ in range(rules.seats[-1])]
    data = data_of(play(rules, rules.options(), players, Packs(b"s" * 32, "m"), prefixed=(0,)))
    smaller = json.loads(json.dumps(stripped(data)))
    assert smaller["turns"]["question"] is None
    assert filled(smaller) == data
    assert Record.from_data(filled(smaller)) == Record.from_data(data)


@EVERY
def test_a_seat_that_is_out_was_asked_nothing(rules):
    data = silent_game(rules)
    assert filled(stripped(data)) == data
    assert data["turns"]["question"].count("") > len(data["turns"]["seat"]) // 4
    turns = silent_game(rules, limit=10**6)["turns"]
    by_seat = zip(turns["seat"], turns["question"], strict=True)
    assert all(bool(asked) == (seat >= 0) for seat, asked in by_seat)


def test_a_record_that_is_whole_is_left_as_it_is():
    data = silent_game(GAMES["spades"])
    assert filled(data) is data


def test_words_that_the_rules_would_not_give_back_are_not_taken_out():
    data = silent_game(GAMES["spades"])
    number = next(n for n, asked in enumerate(data["turns"]["question"]) if asked)
    data["turns"]["question"][number] += " more"
    assert stripped(data) is None


@pytest.mark.parametrize(
    ("change", "told"),
    [
        ({"version": 99}, "only version 99 of the rules of spades can tell them again, and here"),
        ({"game": "snap"}, "only version .* of the rules of snap can .* here is no such game"),
        ({"turns": "1 2 3"}, "its turns can't be played: "),
    ],
)
def test_words_that_can_not_be_told_again_are_lost_and_not_invented(change, told):
    data = silent_game(GAMES["spades"])
    smaller = stripped(data)
    if "turns" in change:
        smaller["turns"]["action"][5] = "ZZ"
    else:
        smaller = {**smaller, **change}
        assert stripped({**data, **change}) is None
    with pytest.raises(WordsLost, match=told):
        filled(smaller)
