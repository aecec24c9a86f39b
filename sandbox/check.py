"""The compliance check: what an author runs before submitting, one numbered step after another."""

from __future__ import annotations

import statistics
import textwrap
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Literal, NamedTuple

from common.escaping import printable
from common.faults import Fault
from sandbox.box import Backend, Box, BuildFailed, Reply
from sandbox.builds.builder import ToolMissing, build
from sandbox.bundles.bundle import BadBundle, Bundle
from sandbox.limits import KIB, Clock, Limits
from sandbox.seat import BotPlayer, Protocol


class Wrong(NamedTuple):
    """Why an answer is not legal; it is `illegal` where it is one, but not allowed now."""

    reason: str
    kind: Literal["malformed", "illegal"] = "malformed"


Judge = Callable[[str], Wrong | None]
"""Says of an answer why it is not legal, None where it is."""

MOST_WRONG = 5
"""A step gives up after so many wrong answers: a bot that hangs would take minutes otherwise."""

QUESTIONS_A_GAME = 20
LONGEST_COMMAND = 100
NOT_REACHED = "not reached"
AFRESH = "started afresh every time, as `warm: false` says"


@dataclass(frozen=True, slots=True)
class Exam:
    """The questions that a bot is examined with, and who judges each answer.

    `sample` is the first question of all, `news` a line that wants no answer; `random` are
    questions as they come up in play; `odd` are allowed but unusual ones.
    """

    sample: Sequence[str]
    judge: Judge
    news: str
    random: Sequence[tuple[Sequence[str], Judge]]
    odd: Sequence[tuple[Sequence[str], Judge]]

    def brief(self) -> Exam:
        """The same with a few random questions and no odd ones: whether a bot can answer at all."""
        return replace(self, random=self.random[:QUESTIONS_A_GAME], odd=())


@dataclass(frozen=True, slots=True)
class Step:
    """How one step went.

    `detail` says in a sentence what was seen or what is wrong; `output` is the bot's own, or its
    build's. A step whose forerunner failed has not passed, and its detail is `NOT_REACHED`.
    `can_answer` is False where the bot could not do at all what the step wants: where a step has
    failed for answers that are not allowed now, or come late, it still can.
    """

    number: int
    title: str
    passed: bool
    detail: str = ""
    output: str = ""
    can_answer: bool = True


TITLES = (
    "reads bot.yaml",
    "builds",
    "starts",
    "answers the sample question with a legal word",
    "answers {random} random questions",
    "is fast enough",
    "behaves when asked odd questions",
)


def check(
    read: Callable[[], Bundle],
    backend: Backend,
    clock: Clock,
    limits: Limits,
    exam: Exam,
    *,
    cache: Path,
    wheels: Path | None = None,
) -> Iterator[Step]:
    """Try a bot out, yielding each of the seven steps as soon as it is done.

    `read` gives the bot, or raises `BadBundle`; `cache` is where builds are kept; `wheels` is a
    folder of wheels that it may ask for. Raises what the backend raises for failures of its own.
    """
    findings = _findings(read, backend, clock, limits, exam, cache, wheels)
    for number, title in enumerate(TITLES, 1):
        found = next(findings, _UNREACHED)
        title = title.format(random=len(exam.random))
        yield Step(
            number, title, found.passed, found.detail, printable(found.output), found.can_answer
        )


@dataclass(frozen=True, slots=True)
class _Finding:
    passed: bool
    detail: str
    output: str = ""
    can_answer: bool = True


_UNREACHED = _Finding(False, NOT_REACHED)


def _findings(
    read: Callable[[], Bundle],
    backend: Backend,
    clock: Clock,
    limits: Limits,
    exam: Exam,
    cache: Path,
    wheels: Path | None,
) -> Iterator[_Finding]:
    """Take the steps in turn, and end with the first failure that the others can't do without."""
    try:
        bundle = read()
    except BadBundle as error:
        yield _Finding(False, str(error), can_answer=False)
        return
    yield _Finding(True, _summary(bundle))

    try:
        built = build(bundle, backend, cache, wheels=wheels)
    except ToolMissing as error:
        yield _Finding(False, str(error), can_answer=False)
        return
    except BuildFailed as error:
        yield _Finding(False, str(error), error.log, can_answer=False)
        return
    manner = f"; {built.manner}" if built.manner else ""
    yield _Finding(True, f"built for {backend.name}{manner}", built.log)

    with backend.open(built.program, clock.stretched(limits)) as box:
        candidate = _Candidate(box, clock, bundle.manifest.protocol, exam.news)
        first = candidate.ask(exam.sample)
        if first.fault is not None:
            yield _Finding(False, first.detail, first.stderr, can_answer=False)
            return
        manner = AFRESH if bundle.manifest.warm is False else box.manner
        detail = f"first answer after {_time(first.wall)}"
        yield _Finding(True, f"{detail}; {manner}" if manner else detail, first.stderr)

        said = _said(exam.sample, first)
        wrong = exam.judge(first.line or "")
        detail = f"{said}: {wrong.reason}" if wrong else said
        yield _Finding(not wrong, detail, first.stderr, can_answer=not wrong)

        finding, walls = _examined(candidate, exam.random)
        yield finding
        yield _speed(walls, clock)
        yield _examined(candidate, exam.odd)[0]


def _speed(walls: Sequence[int], clock: Clock) -> _Finding:
    if not walls:
        return _UNREACHED
    allowed = clock.question * 1e6
    median, slowest = statistics.median(walls), max(walls)
    detail = f"median {_time(median)}, slowest {_time(slowest)}, of {_time(allowed)} allowed"
    return _Finding(slowest <= allowed, detail)


AFTERTHOUGHT = 0.1
"""Seconds for a bot that answers the news as well: its second line must be there to be noticed."""


class _Candidate:
    """A bot at the examiners' table: a new game every few questions, and after every fault."""

    def __init__(self, box: Box, clock: Clock, protocol: Protocol, news: str) -> None:
        self._player = BotPlayer(box, clock, protocol)
        self._news = news
        self._lives_on = protocol == "stdin"
        self._answered = 0
        self.warm = False
        """Whether the last answer was one that the ordinary clock measures."""

    def ask(self, words: Sequence[str]) -> Reply:
        begins = self._answered % QUESTIONS_A_GAME == 0
        if begins:
            self._player.end_game()
            self._player.begin_game()
            self._player.tell(self._news)
        reply = self._player.ask(words)
        if begins and self._lives_on:
            time.sleep(AFTERTHOUGHT)
        self.warm = not begins if self._lives_on else self._answered > 0
        self._answered = 0 if reply.fault and self._lives_on else self._answered + 1
        return reply


def _examined(
    candidate: _Candidate, questions: Sequence[tuple[Sequence[str], Judge]]
) -> tuple[_Finding, list[int]]:
    """Ask everything; hand back what was found and the times of the answers, in microseconds."""
    walls = []
    wrong: list[tuple[str, str]] = []
    can_answer = True
    asked = 0
    for words, judge in questions:
        asked += 1
        reply = candidate.ask(words)
        if reply.fault in (None, Fault.TIMEOUT) and candidate.warm:
            walls.append(reply.wall)
        if found := mistake(reply, judge):
            wrong.append((f"{_said(words, reply)}: {found.reason}", reply.stderr))
            can_answer &= found.kind == "illegal"
            if len(wrong) == MOST_WRONG:
                break
    if not wrong:
        return _Finding(True, f"all {asked} legal"), walls
    detail, output = wrong[0]
    stopped = ", and the step given up" if len(wrong) == MOST_WRONG else ""
    return _Finding(
        False, f"{len(wrong)} of {asked} wrong{stopped}; the first: {detail}", output, can_answer
    ), walls


def mistake(reply: Reply, judge: Judge) -> Wrong | None:
    """Say what is wrong with what came back, None where nothing is."""
    if reply.fault:
        return Wrong(reply.detail or reply.fault)
    return judge(reply.line or "")


def _summary(bundle: Bundle) -> str:
    described = bundle.manifest
    size = sum(map(len, bundle.files.values())) / KIB
    command = textwrap.shorten(" ".join(described.run or ()), LONGEST_COMMAND, placeholder=" ...")
    way = described.language or f"run: {command}"
    return (
        f"{described.name}: {described.protocol}, {way}, {len(bundle.files)} files, {size:.1f} KiB"
    )


def _said(words: Sequence[str], reply: Reply) -> str:
    shown = reply.line if reply.line is None or len(reply.line) <= 80 else f"{reply.line[:80]}…"
    answer = "nothing" if shown is None else repr(shown)
    return f"`{' '.join(words)}` was answered with {answer}"


def _time(microseconds: float) -> str:
    if microseconds < 1000:
        return f"{microseconds:.0f} µs"
    return f"{microseconds / 1000:.{1 if microseconds < 1e5 else 0}f} ms"
