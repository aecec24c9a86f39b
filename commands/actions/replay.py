"""`arena replay`."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import click
from rich.table import Column

from card_arena.commands.cli_errors import Stop
from card_arena.commands.console import Printer, Rows
from card_arena.commands.match_view import fault_count, outcome, table_outcome, watcher
from card_arena.commands.printer import say_shape
from card_arena.commands.replay_viewer import watch as show_game
from card_arena.exhibitions.entries import UnknownTable
from card_arena.exhibitions.store import ExhibitionStore
from card_arena.leaderboard import matches
from card_arena.leaderboard.match_file import FiledMatch, is_match_file
from card_arena.leaderboard.matches import GameDetail, MatchDetail, Matches
from card_arena.leaderboard.matches import match as read_match
from card_arena.leaderboard.matches import matches as read_matches
from card_arena.leaderboard.question_file import AnyMatch
from card_arena.leaderboard.standings import standings
from card_arena.leaderboard.web.replays import PairedTables, Replay, paired, replay_of, seat_names
from card_arena.ratings.match_results import scorecard
from card_arena.results.store import Store
from card_arena.tables.referee import BadRecord
from card_arena.tables.referee import replay as steps_of
from card_arena.tables.registry import game as game_of
from card_arena.tables.seating import SeatingPlan, boards
from card_arena.verify.repro import chosen_game


class ReplayedMatch(MatchDetail):
    """A stored match with every question and answer."""

    played: tuple[GameDetail, ...]
    """Its games, turn by turn."""


def replay(
    key: str,
    only: int | None,
    questions: bool,
    watch: bool,
    beside: int | None,
    as_json: bool,
    store: Callable[[], Store],
) -> None:
    """Print a match step by step and its outcome, or the latest matches of a tournament.

    The match is a stored one, or is in a file of `arena pull`. With `watch` one of its games is
    shown card by card, with `beside` next to another game of its board.
    """
    console = Printer()
    if as_json and is_match_file(key):
        raise click.UsageError(
            f"--json is for stored matches, and {key} is a JSON file: read the file"
        )
    if "/" not in key and not is_match_file(key):
        if not as_json and _table_replayed(key, store, console, questions=questions):
            return
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
    if watch or beside is not None:
        show_game(_shown(match, only or 1, beside), console)
        return
    names = [f"{seat.bot} v{seat.version}" for seat in match.entrants]
    seating_plan = SeatingPlan(tuple(seat.side for seat in match.entrants), match.seatings)
    for number, record in enumerate(match.records):
        if only in (None, number + 1):
            game = game_of(record.game)
            show = watcher(
                game, names, seating_plan, console, reveal=True, questions=questions, key=key
            )
            for step in steps_of(game, record):
                show(number, step)
    tallies = scorecard(match.records, seating_plan.seatings, seating_plan.sides).tallies
    console.print(outcome(names, tallies))


def _shown(match: AnyMatch, number: int, beside: int | None) -> Replay | PairedTables:
    """The replay of a game, or of two games of one board in step."""
    record = chosen_game(match, number)
    rules = game_of(record.game)
    first = replay_of(rules, record, seat_names(match, number - 1))
    if beside is None:
        return first
    other = chosen_game(match, beside)
    boards_of_games = boards(match.seatings)
    if beside == number or boards_of_games[beside - 1] != boards_of_games[number - 1]:
        raise click.UsageError(
            f"games {number} and {beside} are not two games of one board;"
            " name the other game with --beside"
        )
    second = replay_of(rules, other, seat_names(match, beside - 1))
    return paired(first, second)


def _table_replayed(
    key: str, store: Callable[[], Store], console: Printer, *, questions: bool
) -> bool:
    """Print the game of a table at which people played; False if no table has this key."""
    url = store().database.address
    if not ExhibitionStore.is_there(url):
        return False
    with closing(ExhibitionStore(url)) as tables:
        try:
            table = tables.table(key)
        except UnknownTable:
            return False
        if not table.is_over:
            raise Stop(f"The game of table {key} is not over. Replay it when it has ended.")
        record = tables.record_of(key)
    seats = tuple(range(record.seats))
    plan = SeatingPlan(seats, (seats,))
    watch = watcher(
        game_of(record.game), table.titles, plan, console, reveal=True, questions=questions
    )
    try:
        for step in steps_of(game_of(record.game), record):
            watch(0, step)
    except BadRecord:
        if table.state == "finished":  # the record of a stopped one has no end
            raise
    console.print(table_outcome(table))
    return True


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
        faults = ", ".join(
            f"{seat.bot} {fault_count(seat.faults, seat.forgiven)}" for seat in best if seat.faults
        )
        table.add_row(line.key, scores, faults)
    return table
