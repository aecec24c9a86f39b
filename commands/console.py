"""Tables and colours in a terminal, in which strangers' text stays text.

The `Printer` escapes every text before it measures, colours and lays it out.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable
from typing import Any

from rich.box import SIMPLE
from rich.console import Console, ConsoleOptions, RenderableType
from rich.segment import Segment
from rich.table import Column, Table
from rich.text import Text

from card_arena.commands.printer import Guarded
from card_arena.common.text import one_line, printable

LONGEST_CELL = 500
"""A cell shows at most this many characters: no name can blow up a table."""

LONGEST_LANGUAGE = 40


class Printer(Console):
    """The console for results: tables, colours and bars, with nothing but text in them.

    Output that is piped is 120 columns wide, whatever the terminal's width.
    """

    def __init__(self) -> None:
        stream = sys.stdout.stream if isinstance(sys.stdout, Guarded) else sys.stdout
        width = None if stream.isatty() else 120
        super().__init__(file=stream, markup=False, highlight=False, emoji=False, width=width)

    def render_str(self, text: str, **options: Any) -> Text:
        """Make a text of a string, which is never read as rich's markup."""
        return super().render_str(printable(text), **{**options, "markup": False, "emoji": False})

    def render(
        self, renderable: RenderableType, options: ConsoleOptions | None = None
    ) -> Iterable[Segment]:
        """Draw anything; a finished `Text` is escaped here, and no links are made."""
        for segment in super().render(renderable, options):
            if segment.control:
                yield segment
            else:
                style = segment.style
                if style is not None and style.link:
                    style = style.update_link(None)
                yield Segment(printable(segment.text), style)


class Rows(Table):
    """A table whose cells are one line each: no stranger's text can look like another row."""

    def __init__(self, *headers: Column | str, **options: Any) -> None:
        super().__init__(*headers, box=SIMPLE, **options)

    def add_row(self, *cells: RenderableType | None, **options: Any) -> None:
        super().add_row(*(_cell(c) if isinstance(c, str) else c for c in cells), **options)


def right(heading: str) -> Column:
    return Column(heading, justify="right")


def _cell(text: str) -> str:
    cut = text if len(text) <= LONGEST_CELL else f"{text[:LONGEST_CELL]}…"
    return one_line(cut)


def language_name(name: str) -> str:
    """A language's name, cut short: an author may name any program."""
    return name[:LONGEST_LANGUAGE]
