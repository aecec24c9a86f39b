"""The command line as somebody types it: a home with bots and tournament files of its own."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO

import pytest
from click.testing import CliRunner

from card_arena import arena
from card_arena.tests.cli.patient import CLOCK, be_patient
from card_arena.tests.tournament import stage
from card_arena.tournament.play.pool import WorkerPool

ROOT = Path(__file__).parent.parent.parent
PATIENCE = 200.0
QUICK = f"""\
name: small
same_author: together
game: blackjack
format: {{contest: {{legs: 2, rounds: 2}}}}
{CLOCK}"""
LONG = """\
name: small
same_author: together
game: blackjack
format: {contest: {legs: 1000, rounds: 20}}
require: []
"""
ARENA = "from card_arena.arena import main; main()"
UP = """
import os, pytest
from card_arena import arena
from card_arena.commands import low_priority
from card_arena.tests.cli.patient import be_patient
low_priority.YIELDING = 0  # beside other tests a site that yields would starve
be_patient(pytest.MonkeyPatch())
arena.main()
"""


STARTED: list[subprocess.Popen[str]] = []
"""What homes have started in this process."""


class Home:
    """A folder of its own with a database, tournament files and bots."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.tournaments = folder / "tournaments"
        self.tournaments.mkdir(exist_ok=True)
        self.bots = folder / "bots"
        self.database = folder / "var" / "arena.db"
        self.said = folder / "said"

    def start(self, *arguments: object, into: IO[str] | None = None) -> subprocess.Popen[str]:
        """Start a command as it is typed; it writes to pipes, or all of it `into` a file."""
        environment = dict(os.environ)
        environment.pop("ARENA_DATABASE", None)
        program = UP if "up" in arguments else ARENA
        process = subprocess.Popen(
            [sys.executable, "-P", "-c", program, *map(str, arguments)],
            cwd=self.folder,
            env=environment,
            stdout=into or subprocess.PIPE,
            stderr=into or subprocess.PIPE,
            text=True,
        )
        STARTED.append(process)
        return process

    def run(self, *arguments: object, stdin: str = "") -> tuple[int, str, str]:
        """Run a command to its end in this process: exit code, output, errors.

        Starting Python and reading the arena anew would take longer than most commands, and so
        would workers: what is played is played in this process too. `start` is as it is typed.
        """
        with pytest.MonkeyPatch.context() as patch, signals_as_they_are():
            patch.chdir(self.folder)
            patch.setattr(WorkerPool, "enter", stage.Here.enter)
            be_patient(patch)
            patch.delenv("ARENA_DATABASE", raising=False)
            result = CliRunner().invoke(arena.main, [str(word) for word in arguments], stdin)
        if result.exception and not isinstance(result.exception, SystemExit):
            raise result.exception
        return result.exit_code, result.stdout, result.stderr

    def done(self, *arguments: object) -> str:
        """Run a command that must succeed."""
        code, output, errors = self.run(*arguments)
        assert (code, errors) == (0, "")
        return output

    def typed(self, *arguments: object) -> str:
        """Have a command that must succeed run as it is typed, in a process of its own."""
        process = self.start(*arguments)
        output, errors = process.communicate(timeout=PATIENCE)
        assert (process.returncode, errors) == (0, "")
        return output

    def refused(self, *arguments: object) -> str:
        """Give a command that is the user's mistake, and what it says of that."""
        code, output, errors = self.run(*arguments)
        assert (code, output) == (2, "")
        return errors.removesuffix("\n")

    def bot(self, bot: stage.Bot) -> Path:
        return bot.write(self.bots)

    def tournament(self, text: str) -> None:
        (self.tournaments / "small.yaml").write_text(text)


@contextmanager
def signals_as_they_are() -> Iterator[None]:
    """Give pytest its own handlers back."""
    numbers = (signal.SIGINT, signal.SIGTERM)
    handlers = [signal.getsignal(number) for number in numbers]
    yield
    for number, handler in zip(numbers, handlers, strict=True):
        signal.signal(number, handler)


def wait_for(condition: Callable[[], object]) -> None:
    """Ask again and again, soon at first; a site is not asked faster than it lets anybody ask."""
    end, pause = time.monotonic() + PATIENCE, 0.05
    while not condition():
        assert time.monotonic() < end, "it never came to that"
        time.sleep(pause)
        pause = min(pause * 1.2, 0.5)
