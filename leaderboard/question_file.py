"""One question of a stored match as a small file, so that an author can ask a bot anywhere.

It has the information of the seat alone: no other hand, no pack, no seed. The file is JSON of the
model `QuestionFile`, in format `FORMAT`. A file is untrusted input, so it is checked.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import accumulate
from typing import Annotated, Any, Literal, Self

from pydantic import (
    BaseModel,
    ConfigDict,
    Field,
    StringConstraints,
    ValidationError,
    model_validator,
)

from card_arena.common.errors import UserError
from card_arena.common.faults import CODES, NOT_ASKED, Fault, FaultEvent, read_fault
from card_arena.common.json import first_error
from card_arena.leaderboard.match_file import FiledMatch
from card_arena.leaderboard.matches import MatchDetail
from card_arena.results.season_settings import SeasonClock, SeasonLimits, SeasonSettings
from card_arena.tables.choices import choices
from card_arena.tables.game import Seat
from card_arena.tables.record import Record
from card_arena.tables.referee import Step, replay
from card_arena.tables.registry import game as game_of

FORMAT: Literal[1] = 1
"""The version of the file's format, raised with every incompatible change."""

LARGEST = 2 * 1024 * 1024
"""The most bytes of a file."""

MOST_HEARD = LARGEST // 2
"""The most characters of the lines that a seat received; the last lines are kept."""

LONGEST_LINE = 128 * 1024
LONGEST_STDERR = 4 * 1024
_LIVES_ON = ("late", *NOT_ASKED)
"""Codes of faults of a program whose process went on."""

Line = Annotated[str, StringConstraints(max_length=LONGEST_LINE, pattern=r"^[^\x00\n\r]*$")]
Short = Annotated[str, StringConstraints(max_length=200)]
Text = Annotated[str, StringConstraints(max_length=16 * 1024)]
Count = Annotated[int, Field(ge=0, le=2**62)]


class BadQuestionFile(UserError, ValueError):
    """A file is not a valid question."""


class _Part(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid", strict=True)


class FiledFault(_Part):
    """The original answer's fault, as data."""

    kind: Fault
    code: str
    facts: dict[str, Any]

    @model_validator(mode="after")
    def _check(self) -> Self:
        read_fault({**self.model_dump(), "struck": True})
        return self


class FiledAnswer(_Part):
    """The original answer; `line` is None if none came, and times are in microseconds."""

    line: Text | None
    fault: FiledFault | None
    wall: Count
    cpu: Count
    peak: Count


class QuestionFile(_Part):
    """A question, the lines that its seat received before it, and the answer.

    `heard` are the lines that the seat's process received since it began: questions, and notices
    prefixed with `# `; the referee adds the clock's lines. `left_out` counts the earlier lines that
    did not fit. `phase`, `allowed` (see `tables.choices`) and `outline` serve to judge another
    answer; `clock` and `limits` are a season's settings. `first` says that it was the first
    question of the match for its seat. `stderr` is the end of what the bot wrote in that game, and
    empty in files made by the pages, which must not show it.
    """

    format: Literal[1]
    match: Short
    game_number: Count
    turn: Count
    bot: Short
    game: Short
    rules_version: Count
    options: dict[Short, Any]
    seats: Annotated[int, Field(ge=1, le=100)]
    clock: SeasonClock
    limits: SeasonLimits
    first: bool
    heard: Annotated[list[Line], Field(max_length=100_000)]
    left_out: Count = 0
    question: Line
    phase: Short
    allowed: Annotated[list[Text], Field(max_length=10_000)]
    outline: dict[Short, Any]
    then: FiledAnswer
    stderr: Text = ""


AnyMatch = MatchDetail | FiledMatch
"""A match of a database or of a file."""


def read_question(data: bytes, name: str) -> QuestionFile:
    """Read an untrusted file, called `name` in errors; raises `BadQuestionFile`."""
    if len(data) > LARGEST:
        raise BadQuestionFile(f"{name}: is larger than {LARGEST // 1024**2} MiB")
    try:
        return QuestionFile.model_validate_json(data)
    except ValidationError as error:
        raise BadQuestionFile(
            f"{name}: is not a question file from a match's page: {first_error(error)}"
        ) from None


def question_file(
    match: AnyMatch,
    number: int,
    turn: int,
    settings: SeasonSettings | FiledMatch,
    stderr: str = "",
) -> QuestionFile:
    """Make the file of a turn, which must have a question, in game `number` (from 0).

    `settings` are the season's, or what a match's file has of them. Raises
    `tables.referee.BadRecord` if the game can no longer be replayed, and `UnknownGame`.
    """
    record = match.records[number]
    rules = game_of(record.game)
    steps = [step for step in replay(rules, record) if step.number <= turn]
    step, seat = steps[turn], record.turns[turn].seat
    sitting = match.at_table(number)[seat]
    heard, left_out = _bounded(list(heard_by(seat, steps[:turn])))
    legal = step.before.legal_actions(seat)
    fault = step.turn.fault
    return QuestionFile(
        format=FORMAT,
        match=match.key,
        game_number=number + 1,
        turn=turn,
        bot=f"{sitting.bot} v{sitting.version}",
        game=record.game,
        rules_version=record.version,
        options=dict(record.options),
        seats=record.seats,
        clock=settings.clock,
        limits=settings.limits,
        first=is_first(record, number, turn),
        heard=heard,
        left_out=left_out,
        question=step.turn.question,
        phase=type(step.before).__name__,
        allowed=list(map(str, choices(legal, step.before.write))),
        outline=dict(legal.outline(step.before.write)),
        then=FiledAnswer(
            line=step.turn.answer,
            fault=filed_fault(fault) if fault else None,
            wall=step.turn.wall,
            cpu=step.turn.cpu,
            peak=step.turn.peak,
        ),
        stderr=stderr[-LONGEST_STDERR:],
    )


def filed_fault(fault: FaultEvent) -> FiledFault:
    return FiledFault(kind=fault.kind, code=fault.code, facts=dict(fault.facts))


def is_first(record: Record, number: int, turn: int) -> bool:
    """Whether a turn of game `number` (from 0) was the match's first question for its seat."""
    seat = record.turns[turn].seat
    return number == 0 and all(other.seat != seat for other in record.turns[:turn])


def heard_by(seat: Seat, steps: Sequence[Step]) -> Iterator[str]:
    """The lines that a seat's process received in these turns: its questions, and the notices.

    A fault that ends the process clears the list; the next process begins with its question.
    """
    lines: list[str] = []
    lives = True
    for step in steps:
        fault = step.turn.fault
        if step.turn.seat == seat and step.turn.question:
            if fault and _ends_the_process(fault):
                lives = False
                lines.clear()
            elif not (fault and fault.code in NOT_ASKED):
                lives = True
                lines.append(step.turn.question)
        if lives:
            lines.extend(f"# {line}" for line in map(str, step.notices))
    yield from lines


def _ends_the_process(fault: FaultEvent) -> bool:
    """Whether a `stdin` bot's next question went to a new process."""
    return fault.code in CODES and fault.code not in _LIVES_ON


def _bounded(lines: Sequence[str]) -> tuple[list[str], int]:
    """Keep as many of the last lines as fit; return them and how many were left out."""
    sizes = list(accumulate(len(line) + 1 for line in reversed(lines)))
    count = sum(size <= MOST_HEARD for size in sizes)
    return list(lines[len(lines) - count :]), len(lines) - count
