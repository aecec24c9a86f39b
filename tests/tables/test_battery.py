"""What holds for every game there is: a new one is tested before its author writes a test."""

from __future__ import annotations

import itertools
import json
import pickle
import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pydantic import BaseModel

from card_arena.tables.dealing import Packs
from card_arena.tables.encoding import word_fields, words
from card_arena.tables.game import CHANCE, BadTable, IllegalAction, MalformedAnswer
from card_arena.tables.legal_actions import Pick
from card_arena.tables.record import Record
from card_arena.tables.referee import Strikes, play, replay
from card_arena.tables.registry import GAMES, UnknownGame, game
from card_arena.tests.tables.scripted import SILENT, Always, Said, random_steps

EVERY = pytest.mark.parametrize("rules", GAMES.values(), ids=GAMES)


@EVERY
def test_random_games_come_to_an_end_with_a_score_for_every_seat(rules):
    for seats in rules.seats:
        for seed in range(10):
            over = random_steps(rules, seats, seed)[-1].after
            assert len(over.scores) == len(over.hands) == len(over.won) == seats
            assert all(won <= hands for won, hands in zip(over.won, over.hands, strict=True))


@EVERY
def test_legal_actions_survive_the_wire(rules):
    rng = random.Random(1)
    for step in random_steps(rules, rules.seats[-1], 1):
        choice = step.before.legal_actions(step.before.to_act)
        for action in (choice.sample(rng) for _ in range(5)):
            assert action in choice
            assert step.before.read(step.before.write(action)) == action


@EVERY
def test_what_stands_in_for_an_answer_can_be_played_and_survives_the_wire(rules):
    for step in random_steps(rules, rules.seats[-1], 1):
        fallback_action = step.before.legal_actions(step.before.to_act).fallback_action
        step.before.apply(fallback_action)
        assert step.before.read(step.before.write(fallback_action)) == fallback_action


@EVERY
def test_a_position_is_a_value(rules):
    once, again = random_steps(rules, rules.seats[-1], 2), random_steps(rules, rules.seats[-1], 2)
    assert [step.after for step in once] == [step.after for step in again]
    assert len({hash(step.before) for step in once}) > 1
    for step in once[:40]:
        assert pickle.loads(pickle.dumps(step.before)) == step.before
        following, _ = step.before.apply(step.before.read(step.turn.action))
        assert following == step.after


@EVERY
def test_the_record_replays_to_itself(rules):
    record = play(rules, rules.options(), [Always("?")] * rules.seats[-1], Packs(b"s" * 32, "m"))
    stored = Record.from_data(json.loads(json.dumps(record.to_data())))
    assert [step.turn for step in replay(rules, stored)] == list(record.turns)


@EVERY
def test_a_silent_bot_does_not_stop_the_table(rules):
    silent = Always(SILENT)
    record = play(rules, rules.options(), [silent] * rules.seats[-1], Packs(b"s" * 32, "m"))
    assert len(silent.asked) == 3 * rules.seats[-1]
    assert record.struck_out == tuple(range(rules.seats[-1]))


@EVERY
@given(answers=st.lists(st.text(max_size=12), min_size=1, max_size=20))
@settings(max_examples=60, deadline=None)
def test_bots_that_answer_anything_are_played_to_the_end(rules, answers):
    class Anything:
        turn = 0

        def ask(self, _):
            self.turn += 1
            return Said(answers[self.turn % len(answers)])

        def tell(self, _):
            pass

    record = play(
        rules,
        rules.options(),
        [Anything() for _ in range(rules.seats[-1])],
        Packs(b"s" * 32, "m"),
        strikes=Strikes(limit=1000),
    )
    list(replay(rules, record))


@EVERY
def test_what_is_no_action_is_refused_in_every_phase(rules):
    for step in random_steps(rules, rules.seats[0], 3):
        with pytest.raises(MalformedAnswer):
            step.before.read("\N{PILE OF POO}")
        with pytest.raises(IllegalAction):
            step.before.apply(object())


@EVERY
def test_everything_is_documented(rules):
    assert rules.__doc__
    assert rules.title
    for question in rules.questions:
        assert all(item.metadata["kind"] for item in word_fields(question))
    for said in (*rules.questions, *rules.notices):
        assert said.__doc__
        for item in word_fields(said):
            assert item.metadata["means"]
            assert item.metadata["example"]
    assert issubclass(rules.options, BaseModel)
    for name, info in rules.options.model_fields.items():
        assert info.description, f"option {name} does not say what it means"
    for preset in rules.presets.values():
        assert isinstance(preset, rules.options)


@EVERY
def test_every_question_is_of_a_documented_kind_and_has_no_blank_in_a_word(rules):
    for step in random_steps(rules, rules.seats[-1], 4):
        if step.turn.seat != CHANCE:
            question = step.before.question(step.turn.seat)
            assert type(question) in rules.questions
            assert all(word and word.split() == [word] for word in words(question))


def first_legal(rules, asked):
    """The answer of the bot that protocol.md prints to a question of this game."""
    _, phase, legal = asked[:3]
    return ",".join(legal.split(",")[: rules.several.get(phase, 1)]).split("..")[0]


def questions(rules):
    """Every question of a few games under every preset: the words, the phase and the seat."""
    for options in (rules.options(), *rules.presets.values()):
        for seats, seed in itertools.product(rules.seats, range(4)):
            try:
                steps = random_steps(rules, seats, seed, **dict(options))
            except BadTable:
                continue
            for step in steps:
                if step.turn.seat != CHANCE:
                    asked = words(step.before.question(step.turn.seat))
                    yield asked, step.before, step.turn.seat


@EVERY
def test_the_first_legal_answer_of_a_question_is_one(rules):
    for asked, phase, seat in questions(rules):
        if "legal" in [item.name for item in word_fields(type(phase.question(seat)))]:
            assert asked[0] == rules.name
            assert phase.read(first_legal(rules, asked)) in phase.legal_actions(seat)
        else:
            assert (
                "" in rules.fallback_actions
            )  # a question as in 2011 leaves the choice to the bot


@pytest.mark.parametrize("name", [name for name, rules in GAMES.items() if rules.prefixed])
def test_a_question_with_the_prefix_begins_as_in_other_games_and_then_has_the_usual_words(name):
    rules = GAMES[name]
    for asked, phase, seat in questions(rules):
        question = rules.prefixed_question(phase, seat)
        assert type(question) is rules.prefixed
        (its_game, _, _, its_seat), rest = words(question)[:4], words(question)[4:]
        assert (its_game, its_seat, rest) == (name, str(seat), asked)
        assert all(word and word.split() == [word] for word in words(question))
        assert phase.read(first_legal(rules, words(question))) in phase.legal_actions(seat)


@EVERY
def test_the_phases_that_want_several_words_are_the_ones_that_the_manual_names(rules):
    found = {
        asked[1]: choice.count
        for asked, phase, seat in questions(rules)
        if isinstance(choice := phase.legal_actions(seat), Pick)
    }
    assert found == dict(rules.several)


@EVERY
def test_the_fallback_action_is_the_one_that_the_manual_names(rules):
    """Elsewhere, and where that is not allowed, it is the first legal answer."""
    for asked, phase, seat in questions(rules):
        choice = phase.legal_actions(seat)
        named = rules.fallback_actions.get(asked[1]) or rules.fallback_actions.get("")
        if named and not named.answer:
            assert choice.fallback_action not in choice
        elif named and phase.read(named.answer) in choice:
            assert choice.fallback_action == phase.read(named.answer)
        else:
            assert choice.fallback_action == phase.read(first_legal(rules, asked))


@EVERY
def test_seats_win_and_lose_with_their_side(rules):
    for seats in rules.seats:
        sides = rules.sides(rules.options(), seats)
        assert sorted(seat for side in sides for seat in side) == list(range(seats))
        over = random_steps(rules, seats, 7)[-1].after
        for side in sides:
            assert len({over.scores[seat] for seat in side}) == 1


@EVERY
def test_what_cannot_be_seated_is_a_sentence(rules):
    for seats in (rules.seats[0] - 1, rules.seats[-1] + 1):
        with pytest.raises(BadTable, match=f"{rules.name} seats .* players, not {seats}"):
            rules.start(rules.options(), seats)


@EVERY
def test_purses_are_brought_where_the_game_carries_them_one_a_seat(rules):
    seats = rules.seats[-1]
    what = f"{seats} seats bring" if rules.carries else f"nobody brings a purse to .* {rules.name}"
    with pytest.raises(BadTable, match=what):
        rules.start(rules.options(), seats, (200,) * (seats + rules.carries))


@EVERY
def test_hands_and_played_cards_of_a_scene_are_cards_of_the_pack(rules):
    pack = rules.start(rules.options(), rules.seats[-1]).legal_actions(CHANCE).pack
    for step in random_steps(rules, rules.seats[-1], 8):
        scene = rules.presentation.scene(step.after)
        shown = [c.card for place in scene.places for c in (*place.cards, *place.played)]
        shown += [c.card for pile in scene.piles for c in pile.cards]
        assert set(shown) <= set(pack)


@EVERY
def test_the_scene_shows_every_seat_and_who_is_to_act(rules):
    for step in random_steps(rules, rules.seats[-1], 5):
        scene = rules.presentation.scene(step.before)
        assert {place.seat for place in scene.places} >= set(range(rules.seats[-1]))
        marked = [place.seat for place in scene.places if place.to_act]
        assert marked == ([] if step.turn.seat == CHANCE else [step.turn.seat])


def test_an_unknown_game_is_a_sentence():
    with pytest.raises(UnknownGame, match="no game 'chess': there are blackjack"):
        game("chess")
