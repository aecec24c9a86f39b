"""`arena plan`."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from click.exceptions import Exit

from commands.cli_errors import Stop
from commands.printer import say, say_shape
from common.text import one_line
from leaderboard.plans import Entered, Plan
from leaderboard.tournaments import moment_in
from results.store import Store
from tables.dealing import MOST_ITEMS
from tables.registry import GAMES
from tournament.plans import dry_run, planned
from tournament.settings import FILES, Settings, Tagged, read_file, read_folder


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
        found = dry_run(store(), settings, cores, now)
    else:
        settings = read_file(Path(name))
        found = planned(settings, _bots(bots), cores, now)
    if as_json:
        say_shape(found)
    else:
        for line in [*(meaning(settings, found) if is_file else ()), *lines(found)]:
            say(one_line(line))
    if is_file and found.trouble:
        raise Exit(2)


def _bots(given: str | None) -> int | Path | None:
    """Read --bots: a number or a folder."""
    if given is None or not given.isdecimal():
        return None if given is None else Path(given)
    number = int(given) if len(given) <= len(str(MOST_ITEMS)) else 0
    if not 1 <= number <= MOST_ITEMS:
        raise Stop(f"--bots {given[:20]}: expected a number from 1 to {MOST_ITEMS}, or a folder.")
    return number


def _listed(value: object) -> str:
    return ", ".join(map(str, value)) if isinstance(value, tuple) else str(value)


def meaning(settings: Settings[Any], found: Plan) -> Iterator[str]:
    """Describe a tournament as its file has it, line by line."""
    well = "the file has no mistakes"
    yield f"{settings.name}: {'what the file says' if found.trouble else well}"
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
    wanted = settings.entrants
    if isinstance(wanted, Tagged):
        told = "; ".join(f"{key}: {_listed(each)}" for key, each in wanted.model_dump().items())
    else:
        told = _listed(wanted)
    yield f"  entrants {told}"
    strikes = settings.strikes
    forgiven = f"; forgiven: {', '.join(strikes.forgiven)}" if strikes.forgiven else ""
    yield f"  faults   out after {strikes.limit} in a game{forgiven}"


def lines(found: Plan) -> Iterator[str]:
    yield f"{found.tournament}, season {found.season}, {found.game}: nothing is played or stored"
    due = moment_in(found.due, found.zone) if found.due else found.start
    yield f"  due      {due}"
    playing = ", ".join(map(_named, found.playing)) or "nobody"
    yield f"  plays    {len(found.playing)}: {playing}"
    for each in found.sits_out:
        yield f"  sits out {_named(each)}: {each.sits_out}"
    if found.references:
        yield f"  against  {', '.join(map(_named, found.references))}"
    if found.trouble:
        first, *others = found.trouble.splitlines()
        yield f"  can't begin: {first}"
        yield from (f"    {line}" for line in others)
        return
    count = "nobody can say before it is played"
    if found.matches is not None:
        most = "at most " if found.at_most else ""
        games = f" of {found.games} games" if found.games > 1 else ""
        count = f"{most}{found.matches:,}{games}"
    yield f"  matches  {count}"
    yield f"  takes    {found.duration}"


def _named(bot: Entered) -> str:
    return bot.bot if bot.version is None else f"{bot.bot} v{bot.version}"
