"""`arena plan`."""

from __future__ import annotations

import os
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

from commands.printer import say, say_shape
from common.escaping import one_line
from leaderboard.shapes.of_plans import Plan
from leaderboard.storage.store import Store
from leaderboard.views.of_dry_runs import DryRun
from leaderboard.views.of_plans import Candidate
from leaderboard.views.upcoming import moment_in
from tournament.dry_run import dry_run
from tournament.settings import read_folder


def plan(name: str, folder: Path, cores: int | None, as_json: bool, store: Store) -> None:
    """Print what the next season of a tournament would be; nothing is changed."""
    (settings,) = read_folder(folder, name)
    found = dry_run(store, settings, cores or os.cpu_count() or 1, datetime.now(UTC))
    if as_json:
        say_shape(Plan.model_validate(found))
        return
    for line in lines(found):
        say(one_line(line))


def lines(found: DryRun) -> Iterator[str]:
    """Describe a dry run, line by line."""
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


def _named(bot: Candidate) -> str:
    return bot.bot if bot.version is None else f"{bot.bot} v{bot.version}"
