"""How the command line behaves: one sentence for what goes wrong, an exit code, a clean end.

Exit codes: 0 done, 1 the arena failed or found something wrong, 2 the user can put it right,
130 interrupted.
"""

from __future__ import annotations

import errno
import signal
from types import FrameType
from typing import Any, NoReturn

import click

from commands.printer import guard, say
from common.errors import ArenaFailure, UserError

INTERRUPTED = 130


class Stop(click.ClickException):
    """Ends the program with a sentence on standard error and nothing around it."""

    exit_code: int = 2  # type: ignore[misc]

    def __init__(self, message: str, exit_code: int = 2) -> None:
        super().__init__(message)
        self.exit_code = exit_code

    def show(self, file: Any = None) -> None:  # noqa: ARG002 - click hands it on
        """Print the sentence."""
        say(self.message, err=True)


class Arena(click.Group):
    """The one place where exceptions become sentences, and behind which nothing is printed raw."""

    def main(self, *arguments: Any, **options: Any) -> Any:
        """Read the command line and run what it says."""
        guard()
        return super().main(*arguments, **options)

    def invoke(self, ctx: click.Context) -> Any:
        """Run a command."""
        try:
            return super().invoke(ctx)
        except KeyboardInterrupt:
            raise Stop("stopped; what is stored stays", INTERRUPTED) from None
        except (UserError, ArenaFailure) as error:
            if ctx.params["traceback"]:
                raise
            raise Stop(str(error), 2 if isinstance(error, UserError) else 1) from error
        except (UnicodeEncodeError, OSError) as error:
            sentence = _mistyped(error)
            if sentence is None or ctx.params["traceback"]:
                raise
            raise Stop(sentence) from error


def _mistyped(error: UnicodeEncodeError | OSError) -> str | None:
    """Say what is wrong with a word of the command line that can't be looked for at all.

    Words and names of files are the only texts with bytes that are no UTF-8.
    """
    if isinstance(error, UnicodeEncodeError):
        return f"{error.object!r:.200} is no text: expected UTF-8"
    if error.errno == errno.ENAMETOOLONG:
        return f"{str(error.filename)!r:.200}... is no name of a file: it is too long"
    return None


def end_on_signals() -> None:
    """Take Ctrl-C and SIGTERM alike: as an exception that everybody may clean up after."""
    signal.signal(signal.SIGINT, _interrupt)
    signal.signal(signal.SIGTERM, _interrupt)


def _interrupt(number: int, frame: FrameType | None) -> NoReturn:  # noqa: ARG001
    """End as by Ctrl-C, once: whoever cleans up is not disturbed again."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    raise KeyboardInterrupt
