"""`arena plan`."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from click.exceptions import Exit

from card_arena.commands.cli_errors import Stop
from card_arena.commands.printer import say, say_shape
from card_arena.common.moments import written
from card_arena.common.text import one_line
from card_arena.leaderboard.plans import Entered, Plan
from card_arena.results.store import Store
from card_arena.tables.dealing import MOST_ITEMS
from card_arena.tables.registry import GAMES
from card_arena.tournament.plans import dry_run, planned
from card_arena.tournament.settings import FILES, Settings, Tagged, read_file, read_folder


def plan(
    name: str,
    folder: Path,
    cores: int | None,
    bots: str | None,
    as_json: bool,
    store: Callable[[], Store],
) -> None:
    """Print what the next season of a tournament would be; nothing is changed.

    Of a file, say first what it means. Raises `BadYaml` with all of its mistakes, and ends with
    exit code 2 if no season can begin with these bots.
    """
    cores, now = cores or os.cpu_count() or 1, datetime.now(UTC)
    is_file = name.endswith(FILES) or os.sep in name
    if not is_file and bots is not None:
        raise Stop(f"--bots goes with a tournament's file; {name!r} is a name. Give its file.")
    if not is_file:
        (settings,) = read_folder(folder, name)
        result = dry_run(store(), settings, cores, now)
    else:
        settings = read_file(Path(name))
        result = planned(settings, _bots(bots), cores, now)
    if as_json:
        say_shape(result)
    else:
        for line in [*(meaning(settings, result) if is_file else ()), *lines(result)]:
            say(one_line(line))
    if is_file and result.trouble:
        raise Exit(2)


def _bots(text: str | None) -> int | Path | None:
    """Read --bots: a number or a folder."""
    if text is None or not text.isdecimal():
        return None if text is None else Path(text)
    number = int(text) if len(text) <= len(str(MOST_ITEMS)) else 0
    if not 1 <= number <= MOST_ITEMS:
        raise Stop(f"--bots {text[:20]}: expected a number from 1 to {MOST_ITEMS}, or a folder.")
    return number


def _listed(value: object) -> str:
    return ", ".join(map(str, value)) if isinstance(value, tuple) else str(value)


def meaning(settings: Settings[Any], result: Plan) -> Iterator[str]:
    """Describe a tournament as its file has it, line by line."""
    well = "the file has no mistakes"
    yield f"{settings.name}: {'what the file says' if result.trouble else well}"
    yield f"  game     {settings.game}"
    usual = GAMES[settings.game].options()
    chosen = settings.options.model_dump(mode="json")
    differs = {
        option: value
        for option, value in chosen.items()
        if value != usual.model_dump(mode="json").get(option)
    }
    if differs:
        yield f"  options  {', '.join(f'{key}: {value}' for key, value in differs.items())}"
    boards = f", {settings.boards} boards a match" if settings.boards > 1 else ""
    seats = "1 seat" if settings.seats == 1 else f"{settings.seats} seats"
    turns = ", the same cards with the seats rotated" if settings.duplicate else ""
    yield f"  table    {seats}{turns}{boards}"
    yield f"  format   {settings.format.kind.name}, ranked by {settings.rank_by}"
    entrants = settings.entrants
    if isinstance(entrants, Tagged):
        described = "; ".join(
            f"{key}: {_listed(value)}" for key, value in entrants.model_dump().items()
        )
    else:
        described = _listed(entrants)
    yield f"  entrants {described}"
    strikes = settings.strikes
    forgiven = f"; forgiven: {', '.join(strikes.forgiven)}" if strikes.forgiven else ""
    yield f"  faults   out after {strikes.limit} in a game{forgiven}"


def lines(result: Plan) -> Iterator[str]:
    yield f"{result.tournament}, season {result.season}, {result.game}: nothing is played or stored"
    due = written(result.due, result.zone) if result.due else result.start
    yield f"  due      {due}"
    playing = ", ".join(map(_named, result.playing)) or "nobody"
    yield f"  plays    {len(result.playing)}: {playing}"
    for entered in result.sits_out:
        yield f"  sits out {_named(entered)}: {entered.sits_out}"
    if result.references:
        yield f"  against  {', '.join(map(_named, result.references))}"
    if result.trouble:
        first, *others = result.trouble.splitlines()
        yield f"  can't begin: {first}"
        yield from (f"    {line}" for line in others)
        return
    count = "nobody can say before it is played"
    if result.matches is not None:
        most = "at most " if result.at_most else ""
        games = f" of {result.games} games" if result.games > 1 else ""
        count = f"{most}{result.matches:,}{games}"
    yield f"  matches  {count}"
    yield f"  takes    {result.duration}"


def _named(bot: Entered) -> str:
    return bot.bot if bot.version is None else f"{bot.bot} v{bot.version}"
