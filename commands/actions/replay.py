"""`arena replay`."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import click
from rich.table import Column

from commands.console import Printer, Rows
from commands.match_view import fault_count, outcome, watcher
from commands.printer import say_shape
from leaderboard import matches
from leaderboard.match_file import FiledMatch, is_match_file
from leaderboard.matches import GameDetail, MatchDetail, Matches
from leaderboard.matches import match as read_match
from leaderboard.matches import matches as read_matches
from leaderboard.standings import standings
from ratings.match_results import scorecard
from results.store import Store
from tables.referee import replay as steps_of
from tables.registry import game as game_of
from tables.seating import SeatingPlan
from verify.repro import chosen_game


class ReplayedMatch(MatchDetail):
    """A stored match with every question and answer."""

    played: tuple[GameDetail, ...]
    """Its games, turn by turn."""


def replay(
    key: str, only: int | None, questions: bool, as_json: bool, store: Callable[[], Store]
) -> None:
    """Print a match step by step and its outcome, or the latest matches of a tournament.

    The match is a stored one, or is in a file of `arena pull`.
    """
    console = Printer()
    if as_json and is_match_file(key):
        raise click.UsageError(
            f"--json is for stored matches, and {key} is a JSON file: read the file"
        )
    if "/" not in key and not is_match_file(key):
        season = standings(store(), key).season.number
        page = read_matches(store(), key, season)
        if as_json:
            say_shape(page)
        else:
            console.print(matches_table(page))
        return
    if as_json:
        say_shape(_replayed(matches.match(store(), key), only))
        return
    match = FiledMatch.read(Path(key)) if is_match_file(key) else read_match(store(), key)
    if only is not None:
        chosen_game(match, only)
    names = [f"{seat.bot} v{seat.version}" for seat in match.entrants]
    seating_plan = SeatingPlan(tuple(seat.side for seat in match.entrants), match.seatings)
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


def _replayed(match: matches.MatchDetail, only: int | None) -> ReplayedMatch:
    if only is not None:
        chosen_game(match, only)
    return ReplayedMatch(
        **dict(match),
        played=tuple(
            matches.game(match, game.number) for game in match.games if only in (None, game.number)
        ),
    )


def matches_table(page: Matches) -> Rows:
    """Draw a list of matches: their addresses, scores and faults."""
    shown = f"the latest {len(page.items)} of {page.total} matches"
    key = Column("match", no_wrap=True)
    table = Rows(key, "scores", "faults", caption=None if page.pages == 1 else shown)
    for line in page.items:
        best = sorted(line.entrants, key=lambda seat: seat.rank)
        scores = ", ".join(f"{seat.bot} v{seat.version} {seat.score:+}" for seat in best)
        faults = ", ".join(f"{seat.bot} {fault_count(seat)}" for seat in best if seat.faults)
        table.add_row(line.key, scores, faults)
    return table
