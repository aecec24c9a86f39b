"""`arena standings`."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from datetime import UTC, datetime

import click

from card_arena.commands.arena_file import arena_zone
from card_arena.commands.console import Printer
from card_arena.commands.other_arena import OtherArena
from card_arena.commands.printer import say, say_shape
from card_arena.commands.standings_table import (
    all_games_lines,
    head_to_head,
    panel_lines,
    rivals_table,
    standings_table,
    versus_lines,
)
from card_arena.common.moments import written
from card_arena.common.text import one_line
from card_arena.leaderboard.plans import Announcement, Entered, announcements, reference_bots
from card_arena.leaderboard.plans import candidates as read_candidates
from card_arena.leaderboard.seasons import InterventionShape, season_interventions
from card_arena.leaderboard.standings import Standings, standings_with_figures
from card_arena.leaderboard.tournaments import (
    AllStandings,
    NotStarted,
    tournaments,
    upcoming,
)
from card_arena.leaderboard.versus import over_all_games
from card_arena.leaderboard.versus import versus as read_versus
from card_arena.results.store import Store


def standings(
    tournament: str | None,
    season: int | None,
    store: Callable[[], Store],
    *,
    versus: bool = False,
    all_games: bool = False,
    address: str | None = None,
    as_json: bool = False,
) -> None:
    """Print the standings of one tournament or all, and announced tournaments.

    With `versus`, print a tournament over all its seasons; with `all_games`, one order over all
    games, as on the pages of the same names. With an `address`, the standings come
    from another arena.
    """
    if all_games and (tournament or versus or season is not None):
        raise click.UsageError(
            "--all-games is about all tournaments: leave NAME, --season and --versus out"
        )
    if versus and (not tournament or season is not None):
        raise click.UsageError(
            "--versus is about all seasons of a tournament: give its NAME, and no --season"
        )
    if address is not None and (versus or all_games or not tournament):
        raise click.UsageError("--from needs a tournament, and can only be combined with --season")
    if address is not None and tournament:
        print_from(OtherArena(address), tournament, season, as_json=as_json)
    elif all_games:
        _print_all_games(store(), as_json=as_json)
    elif versus and tournament:
        _print_versus(store(), tournament, as_json=as_json)
    elif as_json:
        say_shape(_all(store(), tournament, season))
    else:
        _print_seasons(store(), tournament, season)


def print_from(arena: OtherArena, name: str, season: int | None, *, as_json: bool) -> None:
    path = ("tournaments", name, *(() if season is None else ("seasons", season)), "standings")
    result = arena.get(Standings, *path)
    if as_json:
        say_shape(result)
        return
    console = Printer()
    console.print(standings_table(result, console.width))


def _all(store: Store, tournament: str | None, season: int | None) -> AllStandings:
    played, announced = [], []
    for name, first in _named(store, tournament):
        if first is not None and season is None:
            (season_to_come,) = upcoming([first], datetime.now(UTC))  # it was never played
            candidates = read_candidates(store, first.settings)
            announced.append(NotStarted(coming=season_to_come, entered=candidates))
            continue
        played.append(standings_with_figures(store, name, season))
    return AllStandings(played=tuple(played), announced=tuple(announced))


def _named(store: Store, tournament: str | None) -> Iterator[tuple[str, Announcement | None]]:
    """One tournament or all: first those that were played, then those that were only announced."""
    played = [line.name for line in tournaments(store)]
    to_come = {
        announcement.name: announcement
        for announcement in announcements(store)
        if not announcement.seasons
    }
    for name in [tournament] if tournament else [*played, *to_come]:
        yield name, to_come.get(name)


def _print_versus(store: Store, tournament: str, *, as_json: bool) -> None:
    result = read_versus(store, tournament)
    if as_json:
        say_shape(result)
        return
    if not result.rivals:
        say(f"no two bots have met in {tournament} yet")
        return
    console = Printer()
    seasons = ", ".join(map(str, result.seasons))
    title = f"{tournament}, {'seasons' if len(result.seasons) > 1 else 'season'} {seasons}"
    strength = "fitted margin" if result.by_margins else "strength"
    seen = "boards" if result.by_margins else "matches or legs"
    console.print(rivals_table(result.rivals, title, strength, seen))
    met = head_to_head(result, console.width)
    for line in (*(met if isinstance(met, list) else [met]), *versus_lines(result)):
        console.print(line, soft_wrap=isinstance(line, str))


def _print_all_games(store: Store, *, as_json: bool) -> None:
    result = over_all_games(store)
    if as_json:
        say_shape(result)
        return
    if not result.rivals:
        say("nothing rated has been played yet")
        return
    console = Printer()
    seen = "boards or matches"
    console.print(rivals_table(result.rivals, "All games", "strength", seen))
    for line in all_games_lines(result):
        console.print(line, soft_wrap=True)


def _print_seasons(store: Store, tournament: str | None, season: int | None) -> None:
    console = Printer()
    named = [*_named(store, tournament)]
    for name, first in named:
        if first is not None and season is None:
            console.print(_announced(store, first), soft_wrap=True)
            continue
        table = standings_with_figures(store, name, season)
        console.print(standings_table(table, console.width))
        for line in (*panel_lines(table), *intervention_lines(store, table)):
            console.print(line, soft_wrap=True)
    if not named:
        say("nothing has been played yet")


def intervention_lines(store: Store, table: Standings) -> list[str]:
    """A line for each thing that was done to a season, and one if its tournament is paused."""
    season = table.season
    lines = [_line(each) for each in season_interventions(store, season.id).items]
    if reason := store.paused().get(season.tournament):
        lines.append(f"{season.tournament} is paused: {reason}")
    return [one_line(line) for line in lines]


def _line(done: InterventionShape) -> str:
    who = f"match {done.match}" if done.match else f"{done.bot} v{done.version}"
    if not done.match and not done.bot:
        who = f"season {done.season}"
    return f"{who} {done.what} on {written(done.made, arena_zone())}: {done.reason}"


def _announced(store: Store, announcement: Announcement) -> str:
    (coming,) = upcoming([announcement], datetime.now(UTC))
    begins = written(coming.begins, coming.zone) if coming.begins else coming.start
    candidates = read_candidates(store, announcement.settings)
    references = reference_bots(store, announcement.settings)
    return announced(announcement, candidates, begins, references)


def announced(
    announcement: Announcement,
    candidates: Sequence[Entered],
    begins: str,
    references: Sequence[Entered] = (),
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


def _reference(bot: Entered) -> str:
    """A reference bot, and what keeps the season from beginning with it."""
    name = bot.bot if bot.version is None else f"{bot.bot} v{bot.version}"
    return f"{name} ({bot.sits_out})" if bot.sits_out else name
