"""Checks of a bot, with a judge of its answers; proofs that a bot or a kind of sandbox works."""

from __future__ import annotations

import statistics
import textwrap
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Literal, NamedTuple

from card_arena.common.faults import Fault
from card_arena.common.text import printable
from card_arena.sandbox.backend import Backend
from card_arena.sandbox.builds import build
from card_arena.sandbox.bundles.bundle import BadBundle, Bundle, read_bundle
from card_arena.sandbox.languages.toolchains import ToolMissing
from card_arena.sandbox.limits import KIB, Clock, Limits
from card_arena.sandbox.sandbox import (
    BackendMissing,
    BuildFailed,
    Program,
    Reply,
    Sandbox,
    SandboxBroken,
)
from card_arena.sandbox.seat import BotPlayer, Protocol


class Wrong(NamedTuple):
    """Why an answer is not legal; `illegal` means a word of the game that is not allowed now."""

    reason: str
    kind: Literal["malformed", "illegal"] = "malformed"


Judge = Callable[[str], Wrong | None]
"""Says why an answer is not legal, or None if it is."""


def mistake(reply: Reply, judge: Judge) -> Wrong | None:
    """Return what is wrong with a reply, or None."""
    if reply.fault:
        return Wrong(reply.detail or reply.fault)
    return judge(reply.line or "")


MOST_WRONG = 5
"""Wrong answers after which a step gives up; otherwise a bot that hangs would take minutes."""

QUESTIONS_A_GAME = 20
LONGEST_COMMAND = 100
AFRESH = "started afresh every time, as `warm: false` says"


@dataclass(frozen=True, slots=True)
class CheckQuestions:
    """The questions that a bot is checked with, and a judge for each answer.

    `sample` is the very first question, `notices` a line that needs no answer; `random` are
    questions as they come up in play; `odd` are allowed but unusual ones; `evaluations` are those
    for a bot that evaluates questions.
    """

    sample: Sequence[str]
    judge: Judge
    notices: str
    random: Sequence[tuple[Sequence[str], Judge]]
    odd: Sequence[tuple[Sequence[str], Judge]]
    evaluations: Sequence[tuple[Sequence[str], Judge]] = ()

    def brief(self) -> CheckQuestions:
        """Return these questions with few random and no odd ones, to see if a bot can answer at
        all.
        """
        return replace(self, random=self.random[:QUESTIONS_A_GAME], odd=(), evaluations=())


@dataclass(frozen=True, slots=True)
class CheckStep:
    """The outcome of one step.

    `detail` says in a sentence what was seen or what is wrong; `output` is the bot's, or its
    build's. A step that was never `reached` has not passed.
    `can_answer` is False if the bot could not do the step at all; it stays True if a step failed
    because of illegal or late answers.
    """

    number: int
    title: str
    passed: bool
    detail: str = ""
    output: str = ""
    can_answer: bool = True
    reached: bool = True


TITLES = (
    "reads bot.yaml",
    "builds",
    "starts",
    "answers the sample question with a legal word",
    "answers {random} random questions",
    "is fast enough",
    "behaves when asked odd questions",
)
EVALUATES = "evaluates {evaluations} questions"
"""The title of an eighth step, for bots with `evaluate: true`."""


_step = partial(CheckStep, 0, "")
"""Makes a step that `Check.steps` numbers and titles."""
_UNREACHED = _step(False, "not reached", reached=False)


@dataclass(frozen=True, slots=True)
class Check:
    """One check of a bot: the bot, its questions, and the sandbox and clock to use.

    `read` returns the bot, or raises `BadBundle`; `cache` is where builds are kept; `wheels` is a
    folder of wheels that it may ask for.
    """

    read: Callable[[], Bundle]
    questions: CheckQuestions
    backend: Backend
    clock: Clock
    limits: Limits
    cache: Path
    wheels: Path | None = None

    def steps(self) -> Iterator[CheckStep]:
        """Try the bot out, yielding each step as soon as it is done.

        Raises what the backend raises when it fails itself.
        """
        steps = self._steps()
        for number, title in enumerate(TITLES, 1):
            step = next(steps, _UNREACHED)
            title = title.format(random=len(self.questions.random))
            yield replace(step, number=number, title=title, output=printable(step.output))
        for step in steps:
            title = EVALUATES.format(evaluations=len(self.questions.evaluations))
            yield replace(step, number=8, title=title, output=printable(step.output))

    def _steps(self) -> Iterator[CheckStep]:
        """Do the steps in turn; stop after a failure that makes the others impossible."""
        clock, questions = self.clock, self.questions
        try:
            bundle = self.read()
        except BadBundle as error:
            yield _step(False, str(error), can_answer=False)
            return
        yield _step(True, _summary(bundle))

        try:
            built = build(bundle, self.backend, self.cache, wheels=self.wheels)
        except ToolMissing as error:
            yield _step(False, str(error), can_answer=False)
            return
        except BuildFailed as error:
            yield _step(False, str(error), error.log, can_answer=False)
            return
        how = f"; {built.how_run}" if built.how_run else ""
        yield _step(True, f"built for {self.backend.name}{how}", built.log)

        with self.backend.open(built.program, clock.stretched(self.limits)) as sandbox:
            candidate = _Candidate(sandbox, clock, bundle.manifest.protocol, questions.notices)
            first = candidate.ask(questions.sample)
            if first.fault is not None:
                yield _step(False, first.detail, first.stderr, can_answer=False)
                return
            how = AFRESH if bundle.manifest.warm is False else sandbox.how_started
            detail = f"first answer after {_time(first.wall)}"
            yield _step(True, f"{detail}; {how}" if how else detail, first.stderr)

            answer = _question_and_answer(questions.sample, first)
            wrong = questions.judge(first.line or "")
            detail = f"{answer}: {wrong.reason}" if wrong else answer
            yield _step(not wrong, detail, first.stderr, can_answer=not wrong)

            step, times = _ask_all(candidate, questions.random)
            yield step
            yield _speed(times, clock)
            yield _ask_all(candidate, questions.odd)[0]
            if bundle.manifest.evaluate and questions.evaluations:
                yield _ask_all(candidate, questions.evaluations)[0]


def _speed(times: Sequence[int], clock: Clock) -> CheckStep:
    if not times:
        return _UNREACHED
    allowed = clock.question * 1e6
    median, slowest = statistics.median(times), max(times)
    detail = f"median {_time(median)}, slowest {_time(slowest)}, of {_time(allowed)} allowed"
    return _step(slowest <= allowed, detail)


AFTERTHOUGHT = 0.1
"""Seconds to wait for a second line, which shows that a bot also answers the notices."""


class _Candidate:
    """The bot being checked: it begins a new game every few questions, and after every fault."""

    def __init__(self, sandbox: Sandbox, clock: Clock, protocol: Protocol, notices: str) -> None:
        self._player = BotPlayer(sandbox, clock, protocol)
        self._notices = notices
        self._lives_on = protocol == "stdin"
        self._answered = 0
        self.is_timed = False
        """Whether the ordinary clock applied to the last answer."""

    def ask(self, words: Sequence[str]) -> Reply:
        begins = self._answered % QUESTIONS_A_GAME == 0
        if begins:
            self._player.end_game()
            self._player.begin_game()
            self._player.tell(self._notices)
        reply = self._player.ask(words)
        if begins and self._lives_on:
            time.sleep(AFTERTHOUGHT)
        self.is_timed = not begins if self._lives_on else self._answered > 0
        self._answered = 0 if reply.fault and self._lives_on else self._answered + 1
        return reply


def _ask_all(
    candidate: _Candidate, questions: Sequence[tuple[Sequence[str], Judge]]
) -> tuple[CheckStep, list[int]]:
    """Ask all questions; return the step and the times of the answers in microseconds."""
    times = []
    wrong: list[tuple[str, str]] = []
    can_answer = True
    count = 0
    for words, judge in questions:
        count += 1
        reply = candidate.ask(words)
        if reply.fault in (None, Fault.TIMEOUT) and candidate.is_timed:
            times.append(reply.wall)
        if problem := mistake(reply, judge):
            wrong.append((f"{_question_and_answer(words, reply)}: {problem.reason}", reply.stderr))
            can_answer &= problem.kind == "illegal"
            if len(wrong) == MOST_WRONG:
                break
    if not wrong:
        return _step(True, f"all {count} legal" if count else "there are none"), times
    detail, output = wrong[0]
    stopped = ", and the step was abandoned" if len(wrong) == MOST_WRONG else ""
    return _step(
        False, f"{len(wrong)} of {count} wrong{stopped}; the first: {detail}", output, can_answer
    ), times


def _summary(bundle: Bundle) -> str:
    described = bundle.manifest
    size = sum(map(len, bundle.files.values())) / KIB
    command = textwrap.shorten(" ".join(described.run or ()), LONGEST_COMMAND, placeholder=" ...")
    how = described.language or f"run: {command}"
    return (
        f"{described.name}: {described.protocol}, {how}, {len(bundle.files)} files, {size:.1f} KiB"
    )


def _question_and_answer(words: Sequence[str], reply: Reply) -> str:
    shown = reply.line if reply.line is None or len(reply.line) <= 80 else f"{reply.line[:80]}…"
    answer = "nothing" if shown is None else repr(shown)
    return f"`{' '.join(words)}` was answered with {answer}"


def _time(microseconds: float) -> str:
    if microseconds < 1000:
        return f"{microseconds:.0f} µs"
    return f"{microseconds / 1000:.{1 if microseconds < 1e5 else 0}f} ms"


PATIENT = Clock(question=30.0, start=60.0)
GENEROUS = Limits(cpu=30.0)
"""A generous clock, since the proof is about correct answers on a machine that may be busy."""

NOTICE = "hand 1 9AK675T"
HARMLESS = "#!/bin/sh\necho S\n"
PROTOCOLS: tuple[Protocol, ...] = ("argv", "stdin")


def prove(
    folder: Path,
    backend: Backend,
    cache: Path,
    questions: Sequence[tuple[Sequence[str], Judge]],
) -> str | None:
    """Ask a bot that speaks both protocols; return what is wrong, or None.

    `questions` are words, each with a judge of the answer; notices precede every one of them.
    Raises what the backend raises when it fails itself.
    """
    try:
        built = build(read_bundle(folder), backend, cache)
    except ToolMissing as error:
        return str(error)
    except BuildFailed as error:
        return f"{error}\n{error.log}"
    with backend.open(built.program, GENEROUS) as sandbox:
        for protocol in PROTOCOLS:
            player = BotPlayer(sandbox, PATIENT, protocol)
            player.begin_game()
            for words, judge in questions:
                player.tell(NOTICE)
                reply = player.ask(words)
                if wrong := mistake(reply, judge):
                    question = " ".join(words)
                    description = f"{protocol}: `{question}` got {reply.line!r}: {wrong.reason}"
                    return f"{description}\n{reply.stderr}"
            player.end_game()
    return None


def stands(backend: Backend) -> bool:
    """Return whether a sandbox of this kind can run a harmless program here and now.

    Used when a sandbox has failed: if this one fails as well, the cause is the machine.
    """
    with harmless_program() as program:
        try:
            with backend.open(program, GENEROUS) as sandbox:
                return sandbox.run((), PATIENT.start).line == "S"
        except (SandboxBroken, BackendMissing):
            return False


@contextmanager
def harmless_program() -> Iterator[Program]:
    """Write a program that prints `S`, whatever it is asked, and remove it in the end."""
    with TemporaryDirectory() as place:
        folder = Path(place)
        folder.chmod(0o755)
        file = folder / "harmless"
        file.write_text(HARMLESS)
        file.chmod(0o755)
        yield Program(folder, ("./harmless",))
