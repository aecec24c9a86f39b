"""`arena show bots`."""

from __future__ import annotations

from collections.abc import Sequence

from card_arena.commands.console import Printer, Rows, language_name
from card_arena.commands.printer import say_shape
from card_arena.leaderboard.bots import Bot, Bots
from card_arena.leaderboard.bots import bots as stored_bots
from card_arena.leaderboard.models import Page
from card_arena.results.store import Store


def bots(store: Store, as_json: bool) -> None:
    items = stored_bots(store)
    if as_json:
        say_shape(Bots.of(Page((), 1, len(items), max(1, len(items))), items=items))
        return
    Printer().print(bots_table(items))


def bots_table(lines: Sequence[Bot]) -> Rows:
    """Draw the table of bots."""
    table = Rows("bot", "author", "games", "language", "protocol", "tags", "built")
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
