"""The question `evaluate`: the score that a bot expects of every legal answer to a question."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Mapping, Sequence

from card_arena.tables.choices import Number, Word, choices
from card_arena.tables.game import CHANCE, Phase

EVALUATE = "evaluate"
"""The first word of the question; a number and the words of a question to evaluate follow."""

LARGEST = 1e9
"""The largest score, on either side of 0."""

_ITEM = re.compile(r"\s*(?P<answer>[^=]*[^=\s])\s*(?:=(?P<score>\S*))?")


class BadScores(ValueError):
    """An answer is no list of scores; the message says what was expected."""


def evaluate_words(question: Iterable[str], number: int) -> tuple[str, ...]:
    """The words that ask to evaluate a question; another number asks for another sample."""
    return (EVALUATE, str(number), *question)


def evaluated_answers(phase: Phase) -> tuple[str, ...] | None:
    """The answers that a bot must evaluate: every legal one but lists of cards.

    Of a range of numbers, such as bids, it evaluates those that it considers. None where there are
    lists only, or a single answer.
    """
    if phase.to_act == CHANCE:
        return None
    every = choices(phase.legal_actions(phase.to_act), phase.write)
    words = tuple(choice.answer for choice in every if isinstance(choice, Word))
    has_range = any(isinstance(choice, Number) and choice.low < choice.high for choice in every)
    return words if has_range or len(words) > 1 else None


def read_scores(line: str, answers: Sequence[str]) -> Mapping[str, float]:
    """Read `7H=-3.5 8H=2`: the expected score of each of the answers, and of others.

    Raises `BadScores` for a line of another form, and if an answer is missing, twice there,
    or alone.
    """
    scores: dict[str, float] = {}
    for item in _ITEM.finditer(line):
        answer, number = item["answer"].replace(":", " "), item["score"]  # as questions list it
        if answer in scores:
            raise BadScores(f"two scores of {answer[:80]}: expected one for each answer")
        try:
            scores[answer] = float(number)
        except (TypeError, ValueError):
            scores[answer] = math.nan
        if not abs(scores[answer]) <= LARGEST:
            raise BadScores(
                f"{item[0].strip()[:80]!r} is no ANSWER=SCORE: expected one for each legal answer,"
                " with blanks between them, such as 7H=-3.5 8H=12"
            )
    if missing := [answer for answer in answers if answer not in scores]:
        raise BadScores(f"no score of {missing[0]}: expected one for each legal answer")
    if len(scores) < 2:
        raise BadScores("expected the scores of two answers at least")
    return scores
