"""The decisions of a stored game that a reviewer can evaluate."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from card_arena.tables.encoding import Words, asked_words
from card_arena.tables.evaluation import evaluated_answers
from card_arena.tables.game import CHANCE, Part, Phase, Seat
from card_arena.tables.record import Record
from card_arena.tables.referee import replay
from card_arena.tables.registry import game as game_of


@dataclass(frozen=True, slots=True)
class Decision:
    """A question with a choice: the number of its turn and of its deal in the game, from 0.

    `answers` are those that a reviewer must evaluate, `played` the one that was played: it is the
    fallback action after a `fault`.
    """

    turn: int
    deal: int
    seat: Seat
    part: Part
    words: Words
    answers: tuple[str, ...]
    played: str
    fault: bool


@dataclass(frozen=True, slots=True)
class Deal:
    """A deal of a game: its decisions, and what every seat won in it (`gains`)."""

    decisions: tuple[Decision, ...]
    gains: tuple[int, ...]


def deals(record: Record, *, prefix: bool = False) -> list[Deal]:
    """Return the deals of a game, with the questions as a bot with or without `prefix` gets them.

    A deal in which nobody had a choice has no decisions. Raises `BadRecord` and `UnknownGame`.
    """
    rules = game_of(record.game)
    dealt: list[list[Decision]] = []
    scores: list[tuple[int, ...]] = []
    asked_since = True
    for step in replay(rules, record):
        phase = step.before
        if phase.to_act == CHANCE:
            if asked_since:
                scores.append(_scores(record, rules.presentation.projected_scores(phase)))
                dealt.append([])
            asked_since = False
            continue
        asked_since = True
        if decision := _decision(record, phase, step.number, len(dealt) - 1, prefix=prefix):
            dealt[-1].append(decision)
    scores.append(record.over.scores)
    return [
        Deal(
            tuple(decisions),
            tuple(later - earlier for earlier, later in zip(before, after, strict=True)),
        )
        for decisions, (before, after) in zip(dealt, pairwise(scores), strict=True)
    ]


def _scores(record: Record, scores: Sequence[int] | None) -> tuple[int, ...]:
    return tuple(scores) if scores is not None else (0,) * record.seats


def _decision(
    record: Record, phase: Phase, number: int, deal: int, *, prefix: bool
) -> Decision | None:
    answers = evaluated_answers(phase)
    turn = record.turns[number]
    if answers is None or not turn.question:
        return None
    first = turn.action.partition(" ")[0]  # a card may be played with a list of others
    played = first if first in answers and turn.action not in answers else turn.action
    rules = game_of(record.game)
    prefixed = (turn.seat,) if prefix else ()
    return Decision(
        turn=number,
        deal=deal,
        seat=turn.seat,
        part=rules.statistics.part(phase),
        words=asked_words(rules, phase, turn.seat, prefixed),
        answers=answers,
        played=played,
        fault=turn.fault is not None,
    )


def two_sides(record: Record) -> bool:
    """Whether two sides of several seats play, so that a deal is won by the lead of a side."""
    rules = game_of(record.game)
    sides = rules.sides(rules.options(**record.options), record.seats)
    return len(sides) == 2 and record.seats > 2


def is_constant_sum(record: Record) -> bool:
    """Whether the seats win from each other, and not from a house as where one can play alone."""
    return game_of(record.game).seats[0] > 1


def fair(gains: Sequence[int], record: Record) -> float:
    """What a reviewer would expect for every seat before a deal with these gains, in its points."""
    if two_sides(record) or not is_constant_sum(record):
        return 0.0
    return sum(gains) / record.seats


def gain(gains: Sequence[int], seat: Seat, record: Record) -> float:
    """What a seat won in a deal with these gains, in a reviewer's points, above what is fair.

    With two sides it is by how much its side won more than the other.
    """
    if two_sides(record):
        return gains[seat] - gains[(seat + 1) % record.seats]
    return gains[seat] - fair(gains, record)
