"""The questions of the compliance check, made from a game's own rules."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import count, islice, zip_longest
from typing import Any

from sandbox.check import CheckQuestions, Judge, Wrong
from tables.encoding import asked_words, words
from tables.game import DEALER, Game, MalformedAnswer, Over, Phase
from tables.manual import specimen
from tables.slips import explained
from tournament.play.match import first_question, sample_question
from tournament.settings.model import playable

RANDOM_QUESTIONS = 200
SEED = 2011
"""All bots are examined with the same questions, so that a failed check can be repeated."""

ODD_STEPS = (0, 1, 9, 10)
"""Chips on top of the smallest purse that lets a bot sit down, for an odd question."""

HUGE_PURSE = 10**9
QUESTIONS_A_TABLE = 8
POSITIONS = 6000
"""The number of positions from which the questions are chosen."""

POSITIONS_OF_EACH = 1000
"""The number of positions of a game in which every phase should turn up: a few questions are
chosen from as many."""

CALM = 0.7
"""How often the stand-in is played in a calm game."""

LARGEST_MINIMUM = 1000

Asked = tuple[Sequence[str], Judge]


@lru_cache(maxsize=8)
def check_questions(game: Game, options: Any, *, prefix: bool = False) -> CheckQuestions:
    """Make the questions for a table of this game, for bots that ask for the `prefix` or don't.

    Those for the latest tables are kept: making them takes longer than asking most bots, and many
    bots are often submitted at once.
    """
    rng = random.Random(SEED)
    several = _questions(game, options, playable(game, options)[-1], rng, POSITIONS, prefix=prefix)
    return CheckQuestions(
        sample=sample_question(game, options, prefix=prefix),
        news=str(specimen(game.news[0])),
        judge=_word_judge(first_question(game, options)),
        random=[next(several) for _ in range(RANDOM_QUESTIONS)],
        odd=list(
            _odd_chips(game, options, rng, prefix=prefix)
            if game.carries
            else _odd_tables(game, options, rng, prefix=prefix)
        ),
    )


def question_of_each_phase(game: Game) -> Sequence[Asked]:
    """Make a question for each thing that bots are asked in a game, at its fullest table."""
    options = game.options()
    rng = random.Random(SEED)
    found: dict[str, Asked] = {}
    for position in islice(_positions(game, options, game.seats[-1], rng, ()), POSITIONS_OF_EACH):
        question = position.question(position.to_act)
        phase = getattr(question, "phase", "")  # the oldest questions have no such word
        found.setdefault(phase, (words(question), _judge(position)))
    return list(found.values())


def look_alike(game: Game, options: Any, seats: int, kind: str) -> Phase | None:
    """Find a position of a class, given by name, in games played at random.

    It reads and writes answers as every position of that class does under these options.
    """
    rng = random.Random(SEED)
    positions = islice(_positions(game, options, seats, rng, ()), POSITIONS)
    return next((phase for phase in positions if type(phase).__name__ == kind), None)


def _questions(
    game: Game,
    options: Any,
    seats: int,
    rng: random.Random,
    positions: int,
    purses: Sequence[int] = (),
    *,
    prefix: bool,
) -> Iterator[Asked]:
    """Yield questions of every phase in turn, from positions of games played at random."""
    found: dict[type[Phase], list[Phase]] = {}
    for phase in islice(_positions(game, options, seats, rng, purses), positions):
        found.setdefault(type(phase), []).append(phase)
    for several in found.values():
        rng.shuffle(several)
    for phases in zip_longest(*found.values()):
        for phase in filter(None, phases):
            prefixed = (phase.to_act,) if prefix else ()
            yield asked_words(game, phase, phase.to_act, prefixed), _judge(phase)


def _positions(
    game: Game, options: Any, seats: int, rng: random.Random, purses: Sequence[int]
) -> Iterator[Phase]:
    """Play one game after another at random and yield every position in which a bot is asked.

    In every second game all seats mostly play the stand-in answer, such as a pass: when all bid at
    random, an auction hardly ever ends low.
    """
    for number in count():
        phase: Phase | Over = game.start(options, seats, purses)
        while not isinstance(phase, Over):
            choice = phase.legal_actions(phase.to_act)
            calm = phase.to_act != DEALER and number % 2 == 0 and rng.random() < CALM
            if phase.to_act != DEALER:
                yield phase
            phase, _ = phase.apply(choice.stand_in if calm else choice.sample(rng))


def _odd_tables(game: Game, options: Any, rng: random.Random, *, prefix: bool) -> Iterator[Asked]:
    """Questions from the smallest table, and from tables with the options of every preset."""
    for other in (options, *game.presets.values()):
        seats = playable(game, other)[0]
        questions = _questions(game, other, seats, rng, POSITIONS_OF_EACH, prefix=prefix)
        yield from islice(questions, QUESTIONS_A_TABLE)


def _odd_chips(game: Game, options: Any, rng: random.Random, *, prefix: bool) -> Iterator[Asked]:
    """Questions from tables where all seats have hardly any chips, or an absurd number."""
    seats = game.seats[-1]
    least = next((p for p in range(LARGEST_MINIMUM) if game.can_sit(options, p)), 0)
    for purse in (*(least + step for step in ODD_STEPS), HUGE_PURSE):
        purses = [purse] * seats
        questions = _questions(game, options, seats, rng, POSITIONS_OF_EACH, purses, prefix=prefix)
        yield from islice(questions, QUESTIONS_A_TABLE)


def _judge(phase: Phase) -> Judge:
    def judge(line: str) -> Wrong | None:
        try:
            action = phase.read(line)
        except MalformedAnswer as error:
            return Wrong(explained(error, phase, line))
        legal = phase.legal_actions(phase.to_act)
        if action in legal:
            return None
        return Wrong(f"not allowed: expected {legal.describe(phase.write)}", "illegal")

    return judge


def _word_judge(phase: Phase) -> Judge:
    """Judge only whether a line is a word of the game, whether or not it is allowed."""

    def judge(line: str) -> Wrong | None:
        try:
            phase.read(line)
        except MalformedAnswer as error:
            return Wrong(explained(error, phase, line))
        return None

    return judge
