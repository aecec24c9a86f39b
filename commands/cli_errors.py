"""How a command ends early: with a sentence and an exit code, or by a signal.

Exit codes: 0 done, 1 the arena failed or found something wrong, 2 the user can put it right,
130 interrupted.
"""

from __future__ import annotations

import signal
from types import FrameType
from typing import Any, NoReturn

import click

from commands.printer import say

INTERRUPTED = 130


class Stop(click.ClickException):
    """Ends the program with a sentence on standard error and nothing around it."""

    exit_code: int = 2  # type: ignore[misc]

    def __init__(self, message: str, exit_code: int = 2) -> None:
        super().__init__(message)
        self.exit_code = exit_code

    def show(self, file: Any = None) -> None:  # noqa: ARG002 - click passes it
        """Print the sentence."""
        say(self.message, err=True)


def end_on_signals() -> None:
    """Turn Ctrl-C and SIGTERM alike into an exception, so that everything is cleaned up."""
    signal.signal(signal.SIGINT, _interrupt)
    signal.signal(signal.SIGTERM, _interrupt)


def _interrupt(number: int, frame: FrameType | None) -> NoReturn:  # noqa: ARG001
    """End as by Ctrl-C, once: a second signal does not disturb the cleaning up."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    raise KeyboardInterrupt
