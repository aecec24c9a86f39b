from __future__ import annotations

import pytest

from card_arena.tables.evaluation import BadScores, evaluate_words, evaluated_answers, read_scores
from card_arena.tables.game import CHANCE, Phase, Terminal
from card_arena.tables.registry import GAMES, game


def first(name: str, phase_name: str) -> Phase:
    """The first position of this phase in a game in which everybody takes the first answer."""
    rules = game(name)
    phase: Phase | Terminal = rules.start(rules.options(), rules.seats[-1])
    while not isinstance(phase, Terminal):
        if phase.to_act != CHANCE and phase_name in type(phase).__name__.lower():
            return phase
        phase, _ = phase.apply(phase.legal_actions(phase.to_act).fallback_action)
    raise LookupError(phase_name)


def test_the_question_is_the_word_a_number_and_the_words_of_a_question() -> None:
    assert evaluate_words(("spades", "bid"), 3) == ("evaluate", "3", "spades", "bid")


def test_of_a_range_a_bot_evaluates_what_it_considers() -> None:
    assert evaluated_answers(first("blot", "bidding")) == ("P",)
    assert len(evaluated_answers(first("spades", "bid")) or ()) == 14


@pytest.mark.parametrize("name", GAMES)
def test_every_evaluated_answer_is_legal(name: str) -> None:
    rules = game(name)
    phase: Phase | Terminal = rules.start(rules.options(), rules.seats[-1])
    while not isinstance(phase, Terminal):
        legal = phase.legal_actions(phase.to_act)
        assert all(phase.read(answer) in legal for answer in evaluated_answers(phase) or ())
        phase, _ = phase.apply(legal.fallback_action)


BIDS = ("1", "2", "0")


def test_scores_are_read_in_any_order() -> None:
    assert read_scores("0=-3.5 2=1e1  1=0", BIDS) == {"1": 0, "2": 10, "0": -3.5}


def test_answers_may_have_blanks_and_others_may_be_scored_too() -> None:
    assert read_scores("B 1=2 S=0 B 7=-1", ("B 1", "S")) == {"B 1": 2, "S": 0, "B 7": -1}
    assert read_scores("pass:7H=1 take=0", ("pass 7H", "take")) == {"pass 7H": 1, "take": 0}


def test_one_answer_alone_is_refused() -> None:
    with pytest.raises(BadScores, match="two answers at least"):
        read_scores("3=1", ())


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("", "no score of 1"),
        ("1=1 0=1", "no score of 2"),
        ("0=1 1", "'1' is no ANSWER=SCORE"),
        ("0=1 2=", "'2=' is no ANSWER=SCORE"),
        ("0=nan", "'0=nan' is no ANSWER=SCORE"),
        ("0=1e300", "'0=1e300' is no ANSWER=SCORE"),
        ("0=1 1=1 0=2", "two scores of 0"),
        ("0=x", "such as 7H=-3.5 8H=12"),
    ],
)
def test_a_line_of_another_form_is_refused_in_a_sentence(line: str, message: str) -> None:
    with pytest.raises(BadScores, match=message):
        read_scores(line, BIDS)
