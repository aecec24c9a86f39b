"""`arena export`."""

from __future__ import annotations

import os
import re
import shutil
from pathlib import Path
from tempfile import NamedTemporaryFile

import click

from commands.cli_errors import Stop
from commands.printer import say
from leaderboard.web.season_files import SeasonFiles
from results.proof.season_file import file_name
from results.proof.shapes import Facts
from results.store import Store

_SEASON = re.compile(r"([a-z0-9][a-z0-9_-]{0,31})/([0-9]{1,9})")


def export(season: str, file: Path | None, store: Store) -> None:
    """Write a season to a file; a file that is there is replaced when the new one is complete."""
    found = _SEASON.fullmatch(season)
    if not found:
        raise click.UsageError(f"{season[:80]!r} is no season: expected NAME/N, such as friday/3")
    name, number = found[1], int(found[2])
    path = file or Path(file_name(name, number))
    try:
        facts = _written(store, name, number, path)
    except OSError as error:
        raise Stop(f"{path} can't be written: {error.strerror}") from error
    say(f"wrote {path}: check it with `arena verify {path}`")
    say(f"  manifest  {facts.manifest}")
    say(f"  head      {facts.head}")
    if not facts.finished:
        say("  without its seed, which is secret until the season is finished")


def _written(store: Store, name: str, number: int, path: Path) -> Facts:
    """Write the file, or copy the one that the site made of the same contents."""
    season = store.season_as_file(name, number)
    kept = SeasonFiles(store, store.database.place_beside("seasons")).kept(name, number)
    with NamedTemporaryFile(dir=path.absolute().parent, prefix=".export-", delete=False) as target:
        try:
            if kept is not None and kept.key == season.key:
                with kept.path.open("rb") as file:
                    shutil.copyfileobj(file, target)
                facts = season.facts
            else:
                facts = store.export(name, number, target)
            os.fchmod(target.fileno(), 0o644)
            Path(target.name).replace(path)
        except BaseException:
            Path(target.name).unlink(missing_ok=True)
            raise
    return facts
