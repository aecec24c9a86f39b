"""The interface of a bot's sandbox, its replies and its errors.

A bot's failures and ours are kept apart. What a bot did, good or bad, is a `Reply`; a failure of
the arena or its machine is an exception, `SandboxBroken`, and no bot pays for it.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from types import TracebackType
from typing import NamedTuple, TypeVar

from card_arena.common.errors import ArenaFailure, UserError
from card_arena.common.fault_texts import program_text
from card_arena.common.faults import NO_FACTS, Facts, Fault

ATTEMPTS = 4
"""How often something is tried that fails because a sandbox breaks."""

_Result = TypeVar("_Result")


class Reply(NamedTuple):
    """The outcome of one question.

    `line` is the answer without its newline; with a fault it is the part that was received, None if
    nothing was. Bytes that are not UTF-8 arrive as backslash escapes. `code` and `facts` say
    what happened, as `FaultEvent` has them; `detail` is their sentence.
    `stderr` is the end of the bot's standard error: 4 KiB for a question that was run, 64 KiB for a
    living process, and then only with a fault. `wall` and `cpu` are microseconds. A living
    process's `cpu` is what its sandbox computed since the last measurement, which is skipped for
    answers faster than 100 µs unless the last one was 50 ms ago. `peak` is the highest memory use
    seen, in bytes, as of the same measurement.
    """

    line: str | None
    fault: Fault | None = None
    code: str = ""
    facts: Facts = NO_FACTS
    stderr: str = ""
    wall: int = 0
    cpu: int = 0
    peak: int = 0

    @property
    def detail(self) -> str:
        """What happened, in a sentence; empty without a fault."""
        return program_text(self.code, self.facts) if self.code else ""


@dataclass(frozen=True, slots=True)
class Program:
    """A built bot, ready to be started.

    `folder` becomes the bot's read-only working directory; `command` is its argv there. If the
    command's first word contains a slash it is looked up in that directory, otherwise in the
    sandbox's PATH. `forkable` says that it is a python3 with a main file, which may run in forks of
    a running interpreter. `image` is the image of its sandbox, if its author named one. `held`
    keeps the folder in place as long as this object is referenced.
    """

    folder: Path
    command: tuple[str, ...]
    environment: Mapping[str, str] = field(default_factory=dict)
    forkable: bool = False
    image: str = ""
    held: object = field(default=None, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class BuiltFile:
    """One file left by a build: its bytes, and whether it is executable."""

    content: bytes
    executable: bool = False


class SandboxBroken(ArenaFailure):
    """The arena or its machine failed, not the bot: the match is void and will be replayed."""


def retried(attempt: Callable[[], _Result]) -> _Result:
    """Return the result of an attempt, which is repeated where a sandbox breaks."""
    for _ in range(ATTEMPTS - 1):
        with suppress(SandboxBroken):
            return attempt()
    return attempt()


class BackendMissing(UserError):
    """This machine can't run sandboxes of this kind; the message says what to install or allow."""


class ImageNotBuilt(ArenaFailure):
    """An image for sandboxes could not be built; the message says why."""


class BuildFailed(Exception):
    """A bot's own build failed.

    `log` is the build's output, cut to its limit.
    """

    def __init__(self, reason: str, log: str = "") -> None:
        super().__init__(reason)
        self.log = log


class Sandbox(AbstractContextManager["Sandbox"]):
    """One bot's sandbox for one match.

    `run` starts a new process for a question, with the words as its arguments. `ask` and `tell`
    talk to one process that lives for a game and reads lines. Use it in a `with` block: leaving the
    block ends everything that the bot left behind. Every method may raise `SandboxBroken`.
    """

    how_started = ""
    """A note on how the program is started for a question, if there is one."""

    @abstractmethod
    def begin_game(self, *, more: bool = False) -> None:
        """Continue in a sandbox in which no game has been played yet.

        It contains no trace of the bot's earlier games of the match. A new sandbox begins its first
        game by itself. `more` says that another game will follow, for which slow preparations may
        start.
        """

    @abstractmethod
    def run(self, words: Sequence[str], seconds: float) -> Reply:
        """Start the program with these arguments and wait for its end; return its first line."""

    @abstractmethod
    def ask(self, line: str, seconds: float) -> Reply:
        """Send a line to the living process and wait for its one-line answer.

        The game's first question starts the process; after a fault the next question starts
        another. A question may be preceded by notices, each a line of its own.
        """

    @abstractmethod
    def tell(self, line: str) -> None:
        """Send a line that needs no answer; it is lost if the process has ended."""

    @abstractmethod
    def end_game(self) -> str:
        """End the living process and everything that it started; return the end of its stderr."""

    @abstractmethod
    def close(self) -> None:
        """Remove the sandbox; calling it twice does no harm."""

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()
