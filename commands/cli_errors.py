"""How a command ends early: with a sentence and an exit code, or by a signal.

Exit codes: 0 done, 1 the arena failed or found something wrong, or what it needs can't be used now,
2 the user can put it right, 130 interrupted. A service is started again after 1 and not after 2.
"""

from __future__ import annotations

import signal
import sys
from collections.abc import Callable
from types import FrameType
from typing import Any

import click

from card_arena.commands.printer import say
from card_arena.common.errors import ArenaFailure, UserError

INTERRUPTED = 130

SOON = 0.01
"""After how many seconds a program is interrupted once more; finalising takes less."""


class Stop(click.ClickException):
    """Ends the program with a sentence on standard error and nothing around it."""

    exit_code: int = 2  # type: ignore[misc]

    def __init__(self, message: str, exit_code: int = 2) -> None:
        super().__init__(message)
        self.exit_code = exit_code

    def show(self, file: Any = None) -> None:  # noqa: ARG002 - click passes it
        say(self.message, err=True)


def stop(error: UserError | ArenaFailure) -> Stop:
    """What ends the program with the sentence of an error."""
    return Stop(str(error), 2 if isinstance(error, UserError) and not error.passes else 1)


def end_on_signals() -> None:
    """Turn Ctrl-C and SIGTERM alike into an exception, so that everything is cleaned up."""
    signal.signal(signal.SIGINT, _interrupt)
    signal.signal(signal.SIGTERM, _interrupt)
    if not isinstance(sys.unraisablehook, _Insisting):
        sys.unraisablehook = _Insisting(sys.unraisablehook)


def _interrupt(number: int, frame: FrameType | None) -> None:  # noqa: ARG001
    """End as by Ctrl-C, once: a second signal does not disturb the cleaning up."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    while frame is not None:
        # where it calls a function of ours, it takes any exception for a value that doesn't fit
        if str(frame.f_globals.get("__name__")).startswith("pydantic."):
            _interrupt_soon()
            return
        frame = frame.f_back
    raise KeyboardInterrupt


def _interrupt_soon() -> None:
    signal.signal(signal.SIGALRM, _interrupt)
    signal.setitimer(signal.ITIMER_REAL, SOON)


class _Insisting:
    """Interrupts once more where an interruption came while an object was being finalised.

    Python drops what is raised there, and tells this hook of it instead of the program.
    """

    def __init__(self, otherwise: Callable[[sys.UnraisableHookArgs], Any]) -> None:
        self._otherwise = otherwise

    def __call__(self, dropped: sys.UnraisableHookArgs) -> None:
        if issubclass(dropped.exc_type, KeyboardInterrupt):
            _interrupt_soon()
        else:
            self._otherwise(dropped)
