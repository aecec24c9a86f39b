"""The box that a bot lives in: what can be asked of it, and what comes back.

A bot's failure and ours never travel the same way. What a bot did, good or bad, is a `Reply`;
what the arena or its machine did wrong is an exception, `BoxBroken`, and no bot pays for it.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from types import TracebackType
from typing import NamedTuple, Self

from common.errors import ArenaFailure, UserError
from common.faults import Fault


class Reply(NamedTuple):
    """What came back for one question.

    `line` is the answer without its newline; beside a fault it is what was heard of one, None if
    nothing was. Bytes that are not UTF-8 arrive as backslash escapes. `detail` says in one
    sentence what happened ("exited with code 3", "killed by signal 11 (SIGSEGV)", "no answer
    within 1.0 s"). `stderr` is the end of what the bot wrote there: 4 KiB for a question that was
    run, 64 KiB of a living process, which gives them only beside a fault. `wall` and `cpu` are
    microseconds. A living process's `cpu` is what its box computed since it was last looked at,
    which is not done for answers faster than 100 unless the last look is 50 ms ago. `peak` is the
    most memory that was seen in use, in bytes, as of the same look.
    """

    line: str | None
    fault: Fault | None = None
    detail: str = ""
    stderr: str = ""
    wall: int = 0
    cpu: int = 0
    peak: int = 0


@dataclass(frozen=True, slots=True)
class Program:
    """A built bot, ready to be started.

    `folder` is what the bot will see as its read-only working directory; `command` its argv
    there. A command's first word that holds a slash is looked for in that directory, another one
    in the box's PATH. `forkable` says that it is a python3 with a main file, which may run in
    forks of an interpreter that is running already. `image` is what its box is made of, where its
    author has named one. `held` keeps the folder there as long as this is referred to.
    """

    folder: Path
    command: tuple[str, ...]
    environment: Mapping[str, str] = field(default_factory=dict)
    forkable: bool = False
    image: str = ""
    held: object = field(default=None, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class BuiltFile:
    """One file that a build left: its bytes, and whether it may be executed."""

    content: bytes
    executable: bool = False


class BoxBroken(ArenaFailure):
    """The arena or its machine failed, not the bot: the match is void and played again."""


class BackendMissing(UserError):
    """This machine can't run boxes of this kind; the message says what to install or allow."""


class ImageNotBuilt(ArenaFailure):
    """An image that boxes are made of could not be built; the message says why."""


class BuildFailed(Exception):
    """A bot's own build did not succeed.

    `log` is what the build printed, cut to its limit.
    """

    def __init__(self, reason: str, log: str = "") -> None:
        super().__init__(reason)
        self.log = log


class Box(ABC):
    """One bot's sandbox for one match.

    `run` starts the program afresh for a question, with the words as its arguments. `ask` and
    `tell` talk to one process that lives for a game and reads lines. Use it in a `with` block:
    leaving it ends everything that the bot left behind. Every method may raise `BoxBroken`.
    """

    how_started = ""
    """How the program is started for a question, where there is something to say about it."""

    @abstractmethod
    def begin_game(self, *, more: bool = False) -> None:
        """Let everything from here on happen where no game has been played yet.

        Nothing that the bot did in an earlier game of the match can be there. A new box begins its
        first game by itself. `more` says that another game will follow, for which what is slow to
        make may be made ready meanwhile.
        """

    @abstractmethod
    def run(self, words: Sequence[str], seconds: float) -> Reply:
        """Start the program with these arguments and wait for its end; its first line answers."""

    @abstractmethod
    def ask(self, line: str, seconds: float) -> Reply:
        """Send a line to the living process and wait for the one line that it gives back.

        The game's first question starts the process, after a fault the next one starts another. It
        may have news before it, each a line of its own.
        """

    @abstractmethod
    def tell(self, line: str) -> None:
        """Send a line that wants no answer; a process that is not there any more misses it."""

    @abstractmethod
    def end_game(self) -> str:
        """End the living process and everything that it started; gives the end of its stderr."""

    @abstractmethod
    def close(self) -> None:
        """Remove the box; calling it twice does no harm."""

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()
