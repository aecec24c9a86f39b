"""`arena replay`."""

from __future__ import annotations

from rich.box import SIMPLE

from commands.console import Printer, Rows
from commands.match_view import outcome, watcher
from leaderboard import views
from leaderboard.results import scorecard
from leaderboard.storage.store import Store
from leaderboard.views import MatchLine, Page
from tables.referee import replay as steps_of
from tables.registry import game as game_of
from tables.seating import SeatingPlan
from tournament.authors.postmortem import chosen_game


def replay(key: str, only: int | None, questions: bool, store: Store) -> None:
    """Print a stored match step by step and its outcome, or the latest matches of a tournament."""
    console = Printer()
    if "/" not in key:
        season = views.standings(store, key).season.number
        console.print(matches_table(views.matches(store, key, season)))
        return
    match = views.match(store, key)
    if only is not None:
        chosen_game(match, only)
    names = [f"{seat.bot} v{seat.version}" for seat in match.seats]
    seating_plan = SeatingPlan(tuple(seat.side for seat in match.seats), match.seatings)
    for number, record in enumerate(match.records):
        if only in (None, number + 1):
            game = game_of(record.game)
            watch = watcher(
                game, names, seating_plan, console, reveal=True, questions=questions, key=key
            )
            for step in steps_of(game, record):
                watch(number, step)
    tallies = scorecard(match.records, seating_plan.seatings, seating_plan.sides).tallies
    console.print(outcome(names, tallies))


def matches_table(page: Page[MatchLine]) -> Rows:
    """Draw a list of matches: their addresses, scores and faults."""
    shown = f"the latest {len(page.items)} of {page.total} matches"
    table = Rows(box=SIMPLE, caption=None if page.pages == 1 else shown)
    table.add_column("match", no_wrap=True)
    for heading in ("scores", "faults"):
        table.add_column(heading)
    for line in page.items:
        best = sorted(line.seats, key=lambda seat: seat.rank)
        scores = ", ".join(f"{seat.bot} v{seat.version} {seat.score:+}" for seat in best)
        faults = ", ".join(f"{seat.bot} {seat.faults}" for seat in best if seat.faults)
        table.add_row(line.key, scores, faults)
    return table
