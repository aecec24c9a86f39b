"""`arena standings`."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime

import click

from commands.console import Printer
from commands.panel_lines import panel_lines
from commands.printer import say
from commands.rivals_table import all_games_lines, head_to_head, rivals_table, versus_lines
from commands.standings_table import standings_table
from common.escaping import one_line
from leaderboard import views
from leaderboard.storage.store import Store
from leaderboard.views import Announcement, Candidate
from leaderboard.views.upcoming import moment_in, next_run, zone_of


def standings(
    tournament: str | None,
    season: int | None,
    store: Store,
    *,
    versus: bool = False,
    all_games: bool = False,
) -> None:
    """Print the standings of one tournament or all, and what is announced of coming ones.

    With `versus`, print a tournament over all its seasons; with `all_games`, one order over all
    games. Both are what the pages of the same names show.
    """
    if all_games and (tournament or versus or season is not None):
        raise click.UsageError("--all-games is about all tournaments, so it goes with nothing else")
    if versus and (not tournament or season is not None):
        raise click.UsageError(
            "--versus needs a tournament, and no season: it takes all seasons together"
        )
    if all_games:
        _print_all_games(store)
    elif versus and tournament:
        _print_versus(store, tournament)
    else:
        _print_seasons(store, tournament, season)


def _print_versus(store: Store, tournament: str) -> None:
    found = views.versus(store, tournament)
    if not found.rivals:
        say(f"no two bots have met in {tournament} yet")
        return
    console = Printer()
    seasons = ", ".join(map(str, found.seasons))
    title = f"{tournament}, {'seasons' if len(found.seasons) > 1 else 'season'} {seasons}"
    strength = "fitted lead" if found.by_leads else "strength"
    seen = "boards" if found.by_leads else "matches or legs"
    console.print(rivals_table(found.rivals, title, strength, seen))
    met = head_to_head(found, console.width)
    for line in (*(met if isinstance(met, list) else [met]), *versus_lines(found)):
        console.print(line, soft_wrap=isinstance(line, str))


def _print_all_games(store: Store) -> None:
    found = views.over_all_games(store)
    if not found.rivals:
        say("nothing rated has been played yet")
        return
    console = Printer()
    seen = "boards or matches"
    console.print(rivals_table(found.rivals, "All games", "strength", seen, found.games))
    for line in all_games_lines(found):
        console.print(line, soft_wrap=True)


def _print_seasons(store: Store, tournament: str | None, season: int | None) -> None:
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
    candidates = views.candidates(store, announcement.settings, announcement.references)
    references = views.reference_bots(store, announcement)
    return announced(announcement, candidates, begins, references)


def announced(
    announcement: Announcement,
    candidates: Sequence[Candidate],
    begins: str,
    references: Sequence[Candidate] = (),
) -> str:
    """Describe a season that has not begun, line by line."""
    playing = [one for one in candidates if not one.sits_out]
    lines = [
        f"{announcement.name}, season {announcement.seasons + 1} (not started)",
        f"  game     {announcement.game}",
        f"  begins   {begins}; until then bots can be entered",
        f"  entered  {', '.join(f'{one.bot} v{one.version}' for one in playing) or 'nobody yet'}",
        *(f"  sits out {one.bot}: {one.sits_out}" for one in candidates if one.sits_out),
        *([f"  against  {', '.join(map(_reference, references))}"] if references else []),
        "  enter    arena submit my_bot/ --author you",
    ]
    return "\n".join(map(one_line, lines))


def _reference(bot: Candidate) -> str:
    """A reference bot, and what keeps the season from beginning with it."""
    name = bot.bot if bot.version is None else f"{bot.bot} v{bot.version}"
    return f"{name} ({bot.sits_out})" if bot.sits_out else name
