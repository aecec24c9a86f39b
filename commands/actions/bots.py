"""`arena bots`."""

from __future__ import annotations

from collections.abc import Sequence

from rich.box import SIMPLE

from commands.console import Printer, Rows, language_name
from commands.printer import say_shape
from leaderboard.storage.store import Store
from leaderboard.views import BotLine
from leaderboard.views import bots as stored_bots
from leaderboard.views.paging import Page


def bots(store: Store, as_json: bool) -> None:
    found = stored_bots(store)
    if as_json:
        from leaderboard.shapes import of_bots  # pydantic takes longer to import than the table

        say_shape(of_bots.bots(Page(found, 1, len(found), max(1, len(found)))))
        return
    Printer().print(bots_table(found))


def bots_table(lines: Sequence[BotLine]) -> Rows:
    """Draw the table of bots."""
    table = Rows(box=SIMPLE)
    for heading in ("bot", "author", "games", "language", "protocol", "tags", "built"):
        table.add_column(heading)
    for line in lines:
        table.add_row(
            f"{line.label}{' (withdrawn)' if line.withdrawn else ''}",
            line.author,
            ", ".join(line.games),
            language_name(line.language),
            line.protocol,
            ", ".join(line.organiser_tags),
            {True: "yes", False: "no", None: "not yet"}[line.built],
        )
    return table
