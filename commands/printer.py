"""The one way to a person's terminal: strangers' text arrives there as text and does nothing.

No command has to remember to escape anything. Whatever is written to standard output or standard
error, by us, by click or by Python itself, goes through a stream that lets only printable text
through (`guard`). Only `commands.console` writes past it, because it draws colours and bars, and
it escapes every text itself.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable
from typing import TYPE_CHECKING, TextIO

import click

from card_arena.common.text import json_text, printable

if TYPE_CHECKING:
    from card_arena.leaderboard.models import Shape


class Guarded:
    """A text stream that spells out what is not printable, line ends and tabs excepted.

    It says that it is no terminal, so that nobody sends colours through it.
    """

    def __init__(self, stream: TextIO) -> None:
        self.stream = stream
        self.encoding = stream.encoding
        self.errors = stream.errors

    def write(self, text: str | bytes) -> int:
        """Write a text; click writes completions as UTF-8."""
        decoded = text.decode(errors="replace") if isinstance(text, bytes) else text
        self.stream.write(printable(decoded))
        return len(text)

    def writelines(self, lines: Iterable[str]) -> None:
        for line in lines:
            self.write(line)

    def flush(self) -> None:
        self.stream.flush()

    def fileno(self) -> int:
        return self.stream.fileno()

    def isatty(self) -> bool:
        """No."""
        return False

    def writable(self) -> bool:
        return True


def guard() -> None:
    """Let only printable text through standard output and error for the rest of the program.

    It is never undone: the traceback of an uncaught exception is printed last of all.
    """
    for name in ("stdout", "stderr"):
        stream = getattr(sys, name)
        if stream is not None and not isinstance(stream, Guarded):
            setattr(sys, name, Guarded(stream))


def say_shape(shape: Shape) -> None:
    say(json_text(shape.data()))


def say(text: str, *, err: bool = False) -> None:
    """Print a sentence, or several lines, on standard output or on standard error."""
    click.echo(printable(text), err=err)
