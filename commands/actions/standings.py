"""`arena standings`."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime

from commands.console import Printer
from commands.panel_lines import panel_lines
from commands.printer import say
from commands.standings_table import standings_table
from common.escaping import one_line
from leaderboard import views
from leaderboard.storage.store import Store
from leaderboard.views import Announcement, Candidate
from leaderboard.views.upcoming import moment_in, next_run, zone_of


def standings(tournament: str | None, season: int | None, store: Store) -> None:
    """Print the standings of one tournament or all, and what is announced of coming ones."""
    console = Printer()
    played = [line.name for line in views.tournaments(store)]
    to_come = {each.name: each for each in views.announcements(store) if not each.seasons}
    for name in [tournament] if tournament else [*played, *to_come]:
        if name in to_come and season is None:
            console.print(_announced(store, to_come[name]), soft_wrap=True)
            continue
        table = views.standings(store, name, season)
        figures = views.season_figures(store, table)
        console.print(standings_table(table, console.width, figures))
        for line in panel_lines(table):
            console.print(line, soft_wrap=True)
    if not (tournament or played or to_come):
        say("nothing has been played yet")


def _announced(store: Store, announcement: Announcement) -> str:
    """Say what is announced of a tournament that was never played."""
    moment = next_run(announcement.settings, datetime.now(UTC))
    zone = zone_of(announcement.settings)
    begins = moment_in(moment, zone) if moment else "when it is run"
    candidates = views.candidates(store, announcement.settings)
    return announced(announcement, candidates, begins)


def announced(announcement: Announcement, candidates: Sequence[Candidate], begins: str) -> str:
    """Describe a season that has not begun, line by line."""
    playing = [one for one in candidates if not one.sits_out]
    lines = [
        f"{announcement.name}, season {announcement.seasons + 1} (not started)",
        f"  game     {announcement.game}",
        f"  begins   {begins}; until then bots can be entered",
        f"  entered  {', '.join(f'{one.bot} v{one.version}' for one in playing) or 'nobody yet'}",
        *(f"  sits out {one.bot}: {one.sits_out}" for one in candidates if one.sits_out),
        "  enter    arena submit my_bot/ --author you",
    ]
    return "\n".join(map(one_line, lines))
