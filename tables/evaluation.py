"""The question `evaluate`: the score that a bot expects of every legal answer to a question."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence

from tables.choices import Number, Word, choices
from tables.game import CHANCE, MalformedAnswer, Phase

EVALUATE = "evaluate"
"""The first word of the question; a number and the words of a question to evaluate follow."""

LONGEST_RANGE = 20
"""Of a longer range of numbers, such as stakes, only the lowest is evaluated."""


def evaluate_words(question: Iterable[str], number: int) -> tuple[str, ...]:
    """The words that ask to evaluate a question; another number asks for another sample."""
    return (EVALUATE, str(number), *question)


def evaluated_answers(phase: Phase) -> tuple[str, ...]:
    """The answers that a bot evaluates: every legal one but lists of cards and long ranges.

    None if there is only one.
    """
    if phase.to_act == CHANCE:
        return ()
    answers: list[str] = []
    for choice in choices(phase.legal_actions(phase.to_act), phase.write):
        match choice:
            case Word(answer):
                answers.append(answer)
            case Number(low=low, high=high):
                last = high if high - low < LONGEST_RANGE else low
                answers += [choice.answer(number) for number in range(low, last + 1)]
    return tuple(answers) if len(answers) > 1 else ()


def read_scores(line: str, answers: Sequence[str]) -> Mapping[str, float]:
    """Read `7H=-3.5 8H=2`: the expected score of each of the answers.

    Raises `MalformedAnswer` for a line of another form, and if an answer is missing.
    """
    scores: dict[str, float] = {}
    for item in line.split():
        answer, _, number = item.rpartition("=")
        try:
            score = float(number)
        except ValueError:
            score = math.nan
        if answer not in answers or not math.isfinite(score):
            raise MalformedAnswer(
                f"{item[:80]!r} is no ANSWER=SCORE: expected one for each legal answer, with blanks"
                f" between them, such as {answers[0]}=-3.5 {answers[1]}=12"
            )
        scores[answer] = score
    if missing := [answer for answer in answers if answer not in scores]:
        raise MalformedAnswer(f"no score of {missing[0]}: expected one for each legal answer")
    return scores
