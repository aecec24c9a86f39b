"""The one way to a person's terminal: what strangers wrote arrives there as text, and does nothing.

Nobody has to remember to escape. Whatever is written to standard output or standard error, by us,
by click or by Python itself, goes through a stream that lets printable text through and nothing
else (`guard`). Only the `Printer` writes past it, since it has colours and bars to draw, and it
escapes every text before it measures, colours and lays it out.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable
from typing import Any, TextIO

import click
from rich.console import Console, ConsoleOptions, RenderableType
from rich.segment import Segment
from rich.table import Table
from rich.text import Text

from common.escaping import one_line, printable

LONGEST_CELL = 500
"""So many characters of a cell are shown: a table stays one, whatever somebody is called."""


class Guarded:
    """A text stream that spells out what is not printable, line ends and tabs excepted.

    It says that it is no terminal, so that nobody sends colours through it.
    """

    def __init__(self, stream: TextIO) -> None:
        self.stream = stream
        self.encoding = stream.encoding
        self.errors = stream.errors

    def write(self, text: str) -> int:
        """Write a text."""
        self.stream.write(printable(text))
        return len(text)

    def writelines(self, lines: Iterable[str]) -> None:
        """Write several texts."""
        for line in lines:
            self.write(line)

    def flush(self) -> None:
        """Send on what was written."""
        self.stream.flush()

    def fileno(self) -> int:
        """The stream's own, which is put out of reach when nobody reads what is printed."""
        return self.stream.fileno()

    def isatty(self) -> bool:
        """No."""
        return False

    def writable(self) -> bool:
        """Yes."""
        return True


def guard() -> None:
    """Let nothing but printable text through standard output and error for the rest of the program.

    It stays to the end: an exception that nobody catches is told last of all.
    """
    for name in ("stdout", "stderr"):
        stream = getattr(sys, name)
        if stream is not None and not isinstance(stream, Guarded):
            setattr(sys, name, Guarded(stream))


def say(text: str, *, err: bool = False) -> None:
    """Print a sentence, or several lines, on standard output or on standard error."""
    click.echo(printable(text), err=err)


class Printer(Console):
    """Where results are shown: tables, colours and bars of ours, and in them only text.

    What is piped somewhere else is not squeezed to a terminal's width.
    """

    def __init__(self) -> None:
        stream = sys.stdout.stream if isinstance(sys.stdout, Guarded) else sys.stdout
        width = None if stream.isatty() else 120
        super().__init__(file=stream, markup=False, highlight=False, emoji=False, width=width)

    def render_str(self, text: str, **options: Any) -> Text:
        """Make a text of a string, which is never taken for rich's markup."""
        return super().render_str(printable(text), **{**options, "markup": False, "emoji": False})

    def render(
        self, renderable: RenderableType, options: ConsoleOptions | None = None
    ) -> Iterable[Segment]:
        """Draw anything; what came as a finished `Text` is escaped here, and no link is made."""
        for segment in super().render(renderable, options):
            if segment.control:
                yield segment
            else:
                style = segment.style
                if style is not None and style.link:
                    style = style.update_link(None)
                yield Segment(printable(segment.text), style)


class Rows(Table):
    """A table of which every cell is one line: nobody's words look like another row."""

    def add_row(self, *cells: RenderableType | None, **options: Any) -> None:
        """Add a row of cells."""
        super().add_row(*(_cell(c) if isinstance(c, str) else c for c in cells), **options)


def _cell(text: str) -> str:
    cut = text if len(text) <= LONGEST_CELL else f"{text[:LONGEST_CELL]}…"
    return one_line(cut)
