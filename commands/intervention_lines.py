"""What was done to a season, in words for a terminal."""

from __future__ import annotations

from commands.arena_file import arena_zone
from common.moments import written
from common.text import one_line
from leaderboard import views
from leaderboard.seasons import Done
from leaderboard.standings import SeasonTable
from results.store import Store


def intervention_lines(store: Store, table: SeasonTable) -> list[str]:
    """A line for each thing that was done to a season, and one if its tournament is paused."""
    season = table.season
    lines = [_line(each) for each in views.season_interventions(store, season.id)]
    if reason := store.paused().get(season.tournament):
        lines.append(f"{season.tournament} is paused: {reason}")
    return [one_line(line) for line in lines]


def _line(done: Done) -> str:
    who = f"match {done.key}" if done.key else f"{done.bot} v{done.version}"
    if not done.key and not done.bot:
        who = f"season {done.season}"
    return f"{who} {done.what} on {written(done.made, arena_zone())}: {done.reason}"
