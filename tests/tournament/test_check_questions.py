"""The compliance check's questions, for every game that there is."""

from __future__ import annotations

import random
from collections import Counter
from functools import cache

import pytest

from card_arena.sandbox.check import CheckQuestions, Wrong
from card_arena.tables.encoding import words
from card_arena.tables.game import CHANCE
from card_arena.tables.registry import GAMES
from card_arena.tests.tables.scripted import random_steps
from card_arena.tournament.play.match import first_question
from card_arena.tournament.submissions import RANDOM_QUESTIONS, check_questions


@pytest.mark.parametrize("name", GAMES)
def test_a_game_has_an_exam_that_is_always_the_same(name: str) -> None:
    again = check_questions.__wrapped__(GAMES[name], GAMES[name].options())
    assert [asked for asked, _ in again.random] == [asked for asked, _ in questions_of(name).random]


PRESETS = [(game.name, preset) for game in GAMES.values() for preset in game.presets]


@pytest.mark.parametrize(("name", "preset"), PRESETS)
def test_every_preset_has_an_exam(name: str, preset: str) -> None:
    given = check_questions(GAMES[name], GAMES[name].presets[preset])
    assert len(given.random) == RANDOM_QUESTIONS
    assert given.odd


def test_the_fallback_action_answer_to_the_first_question_is_judged_legal() -> None:
    for game in GAMES.values():
        phase = first_question(game, game.options())
        answer = phase.write(phase.legal_actions(phase.to_act).fallback_action)
        assert questions_of(game.name).judge(answer) is None


def blackjack() -> CheckQuestions:
    return questions_of("blackjack")


def test_odd_questions_ask_with_no_chips_with_few_and_with_very_many() -> None:
    chips = {asked[4] for asked, _ in blackjack().odd}
    assert {"0", "1", "9", "10"} <= chips
    assert any(int(number) > 900_000_000 for number in chips)


@pytest.mark.parametrize("line", ["S", "H", "s", "B 1", "D"])
def test_the_sample_question_is_passed_with_any_word_of_the_game(line: str) -> None:
    assert blackjack().judge(line) is None


@pytest.mark.parametrize("line", ["", "P", "B", "stand"])
def test_what_is_no_word_of_the_game_is_told(line: str) -> None:
    wrong = blackjack().judge(line)
    assert wrong is not None
    assert "is not an answer: expected H, S, D or B and a number" in wrong.reason
    assert wrong.kind == "malformed"


def test_an_answer_that_is_not_allowed_is_judged_as_the_referee_would() -> None:
    _, judge = next(asked for asked in blackjack().odd if asked[0][4] == "0")
    assert judge("S") is None
    assert judge("H") is None
    assert judge("B 1") == Wrong("not allowed: expected S, H", "illegal")
    assert "is not an answer" in str(judge("X"))


def test_every_random_question_has_answers_that_its_judge_takes() -> None:
    rng = random.Random(1)
    for question, judge in blackjack().random:
        assert judge("S") is None
        stake, chips = int(question[3]), int(question[4])
        assert (judge(f"B {chips + 1}") is None) == (chips < 0)
        if chips:
            assert judge(f"B {rng.randint(1, chips)}") is None
        assert stake >= 10


@cache
def questions_of(name: str) -> CheckQuestions:
    return check_questions(GAMES[name], GAMES[name].options())


def test_random_questions_are_of_every_phase_of_a_full_table() -> None:
    asked = [question for question, _ in questions_of("spades").random]
    assert {question[1] for question in asked} == {"bid", "play"}
    assert {question[3] for question in asked} == {"0", "1", "2", "3"}


def test_without_chips_odd_questions_come_from_the_smallest_table() -> None:
    asked = [question for question, _ in questions_of("durak").odd]
    assert {question[3] for question in asked} == {"0", "1"}


def test_without_chips_odd_questions_come_from_every_preset() -> None:
    goals = {asked[12] for asked, _ in questions_of("spades").odd}
    lowest = {o.goal + (o.goal_test == "exceeded") for o in GAMES["spades"].presets.values()}
    assert {str(goal) for goal in lowest} <= goals


@pytest.mark.parametrize("name", [name for name in GAMES if not GAMES[name].carries])
def test_every_phase_of_a_game_is_asked_about(name: str) -> None:
    game = GAMES[name]
    asked = [question for question, _ in questions_of(name).random]
    played = [
        words(step.before.question(step.turn.seat))
        for seed in range(30)
        for step in random_steps(game, game.seats[-1], seed)
        if step.turn.seat != CHANCE
    ]
    assert {question[1] for question in asked} == {question[1] for question in played}
    assert min(Counter(question[1] for question in asked).values()) >= 10


def test_a_table_with_other_words_asks_them_first() -> None:
    game = GAMES["durak"]
    usual, opened = questions_of("durak"), check_questions(game, game.options(open_hands=True))
    assert usual.sample == game.sample
    assert len(opened.sample) == len(usual.sample) + 1


def test_the_notices_of_an_exam_are_the_games_own() -> None:
    assert questions_of("blackjack").notices == "hand 1 9AK675T"
