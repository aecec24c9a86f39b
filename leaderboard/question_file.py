"""One question of a stored match as a small file, so that its author can put it to a bot anywhere.

It holds what the seat knew and nothing else of the game: no other hand, no pack, no seed. The
file is JSON of the model `QuestionFile`, in format `FORMAT`; a file that comes back
may have been written by anybody, and is checked like all input from strangers.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import accumulate
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, StringConstraints, ValidationError

from common.faults import Fault, FaultEvent
from leaderboard.views import MatchPage
from tables.allowed import forms
from tables.game import Seat
from tables.record import Record
from tables.referee import Step, replay
from tables.registry import game as game_of

FORMAT: Literal[1] = 1
"""The shape of the file; raised when one of today could not read it."""

LARGEST = 2 * 1024 * 1024
"""Bytes of a whole file."""

MOST_HEARD = LARGEST // 2
"""Characters of what a seat heard; of more the end is kept."""

LONGEST_LINE = 128 * 1024
LONGEST_STDERR = 4 * 1024
_LIVES_ON = ("answered ", "has used up the ", "its box took ")
_ENDED = ("wrote a line that nobody asked for", "spoke before it was asked")
_NOT_ASKED = ("has used up the ", "its box took ")
"""How the details of faults begin that say more of the process than their kinds."""

Line = Annotated[str, StringConstraints(max_length=LONGEST_LINE, pattern=r"^[^\x00\n\r]*$")]
Short = Annotated[str, StringConstraints(max_length=200)]
Text = Annotated[str, StringConstraints(max_length=16 * 1024)]
Setting = bool | int | float | Short | None
Count = Annotated[int, Field(ge=0, le=2**62)]


class BadQuestionFile(ValueError):
    """A file is no question of a match; the message says where and what was expected."""


class _Part(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid", strict=True)


class FiledFault(_Part):
    """What was wrong with the answer then."""

    kind: Fault
    detail: Text


class FiledAnswer(_Part):
    """What came back then; `line` is None where nothing did, times are microseconds."""

    line: Text | None
    fault: FiledFault | None
    wall: Count
    cpu: Count
    peak: Count


class QuestionFile(_Part):
    """A question, what its seat had heard before it, and what came of it.

    `heard` are the lines that the seat's process received since it began: news with `# ` before
    them, and questions; the clock's lines are the referee's to add. `left_out` is how many earlier
    ones had no room. `phase`, `allowed` (see `tables.allowed`) and `allowed_text` judge another
    answer; `clock` and `limits` are a season's settings. `first` says that it was the first
    question of the match for its chair. `stderr` is the end of what the bot wrote in that game,
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
    clock: dict[Short, Setting]
    limits: dict[Short, Setting]
    first: bool
    heard: Annotated[list[Line], Field(max_length=100_000)]
    left_out: Count = 0
    question: Line
    phase: Short
    allowed: Annotated[list[Text], Field(max_length=10_000)]
    allowed_text: Text
    then: FiledAnswer
    stderr: Text = ""


def read_question(data: bytes, name: str) -> QuestionFile:
    """Read a file that anybody wrote, as `name` calls it; raises `BadQuestionFile`."""
    if len(data) > LARGEST:
        raise BadQuestionFile(f"{name}: is larger than {LARGEST // 1024**2} MiB")
    try:
        return QuestionFile.model_validate_json(data)
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False)[0]
        where = ".".join(map(str, first["loc"])) or "the whole"
        raise BadQuestionFile(
            f"{name}: is not a question file from a match's page: {where}: {first['msg'][:200]}"
        ) from None


def question_file(
    match: MatchPage, number: int, turn: int, settings: Mapping[str, Any], stderr: str = ""
) -> QuestionFile:
    """Make the file of a turn, which must have a question, in game `number` (the first is 0).

    `settings` are the season's. Raises `tables.referee.BadRecord` where the game can't be replayed
    any more, and `UnknownGame`.
    """
    record = match.records[number]
    rules = game_of(record.game)
    steps = [step for step in replay(rules, record) if step.number <= turn]
    asked, seat = steps[turn], record.turns[turn].seat
    sitting = match.at_table(number)[seat]
    heard, left_out = _bounded(list(heard_by(seat, steps[:turn])))
    legal = asked.before.legal_actions(seat)
    fault = asked.turn.fault
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
        clock=dict(settings.get("clock", {})),
        limits=dict(settings.get("limits", {})),
        first=is_first(record, number, turn),
        heard=heard,
        left_out=left_out,
        question=asked.turn.question,
        phase=type(asked.before).__name__,
        allowed=list(forms(legal, asked.before.write)),
        allowed_text=legal.describe(asked.before.write),
        then=FiledAnswer(
            line=asked.turn.answer,
            fault=FiledFault(kind=fault.kind, detail=fault.detail) if fault else None,
            wall=asked.turn.wall,
            cpu=asked.turn.cpu,
            peak=asked.turn.peak,
        ),
        stderr=stderr[-LONGEST_STDERR:],
    )


def is_first(record: Record, number: int, turn: int) -> bool:
    """Whether a turn of game `number` (from 0) was the match's first question for its chair."""
    seat = record.turns[turn].seat
    return number == 0 and all(other.seat != seat for other in record.turns[:turn])


def heard_by(seat: Seat, steps: Sequence[Step]) -> Iterator[str]:
    """The lines that a seat's process received in these turns: its questions, and the news.

    A fault that ends the process ends what it has heard; the next one begins with its question.
    """
    lines: list[str] = []
    lives = True
    for step in steps:
        fault = step.turn.fault
        if step.turn.seat == seat and step.turn.question:
            if fault and _ends_the_process(fault):
                lives = False
                lines.clear()
            elif not (fault and fault.detail.startswith(_NOT_ASKED)):
                lives = True
                lines.append(step.turn.question)
        if lives:
            lines.extend(f"# {line}" for line in map(str, step.news))
    yield from lines


def _ends_the_process(fault: FaultEvent) -> bool:
    """Whether a `stdin` bot's next question went to a new process."""
    if fault.kind is Fault.MALFORMED:
        return fault.detail.startswith(_ENDED)
    return fault.kind is not Fault.ILLEGAL and not fault.detail.startswith(_LIVES_ON)


def _bounded(lines: Sequence[str]) -> tuple[list[str], int]:
    """Keep the last lines that there is room for; say how many were left out."""
    sizes = list(accumulate(len(line) + 1 for line in reversed(lines)))
    kept = sum(size <= MOST_HEARD for size in sizes)
    return list(lines[len(lines) - kept :]), len(lines) - kept
