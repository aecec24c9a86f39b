"""`arena bots`."""

from __future__ import annotations

from collections.abc import Sequence

from rich.box import SIMPLE

from commands.console import Printer, Rows, language_name
from leaderboard.storage.store import Store
from leaderboard.views import BotLine
from leaderboard.views import bots as stored_bots


def bots(store: Store) -> None:
    """Print a table of the bots in a database."""
    Printer().print(bots_table(stored_bots(store)))


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
