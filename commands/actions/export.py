"""`arena export`."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

import click

from commands.files import new_file
from commands.printer import say
from leaderboard.web.season_files import SeasonFiles
from results.proof.season_file import file_name
from results.proof.shapes import Facts
from results.store import Store

_SEASON = re.compile(r"([a-z0-9][a-z0-9_-]{0,42})/([0-9]{1,9})")


def export(season: str, file: Path | None, store: Store) -> None:
    """Write a season to a file; an existing file is replaced when the new one is complete."""
    parts = _SEASON.fullmatch(season)
    if not parts:
        raise click.UsageError(
            f"Invalid season {season[:80]!r}. Expected NAME/N, such as friday/3."
        )
    name, number = parts[1], int(parts[2])
    path = file or Path(file_name(name, number))
    facts = _write(store, name, number, path)
    say(f"wrote {path}: check it with `arena verify {path}`")
    say(f"  manifest  {facts.manifest}")
    say(f"  head      {facts.head}")
    if not facts.finished:
        say("  without the seed, which is secret until the season is finished")


def _write(store: Store, name: str, number: int, path: Path) -> Facts:
    """Write the file, or copy the site's file of the same contents."""
    season = store.season_as_file(name, number)
    cached = SeasonFiles(store, store.database.place_beside("seasons")).kept(name, number)
    with new_file(path, 0o644) as target:
        if cached is None or cached.key != season.key:
            return store.export(name, number, target)
        with cached.path.open("rb") as file:
            shutil.copyfileobj(file, target)
        return season.facts
