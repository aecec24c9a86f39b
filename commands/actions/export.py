"""`arena export`."""

from __future__ import annotations

import re
import shutil
from collections.abc import Mapping, Sequence
from pathlib import Path

import click

from card_arena.commands.files import new_file
from card_arena.commands.printer import say
from card_arena.leaderboard.sheets import LEARNING, Form, learning, write
from card_arena.leaderboard.web.season_files import SeasonFiles
from card_arena.results.proof.season_file import file_name
from card_arena.results.proof.shapes import Facts
from card_arena.results.store import Store

DECISIONS = "decisions"

_SEASON = re.compile(r"([a-z0-9][a-z0-9_-]{0,42})/([0-9]{1,9})")


def export(what: Sequence[str], store: Store) -> None:
    """Write a season or its decisions; an existing file is replaced when that is complete."""
    kind = what[0] if what[0] == DECISIONS else ""
    season, *rest = what[1:] if kind else what
    parts = _SEASON.fullmatch(season) if len(rest) < 2 else None
    if not parts:
        raise click.UsageError(
            f"Invalid season {' '.join(what)[:80]!r}. Expected NAME/N, such as friday/3, and at"
            " most one file."
        )
    name, number = parts[1], int(parts[2])
    file = Path(rest[0]) if rest else None
    if kind:
        _export_decisions(store, name, number, file)
        return
    path = file or Path(file_name(name, number))
    facts = _write(store, name, number, path)
    say(f"wrote {path}: check it with `arena verify {path}`")
    say(f"  manifest  {facts.manifest}")
    say(f"  head      {facts.head}")
    if not facts.finished:
        say("  without the seed, which is secret until the season is finished")


def _export_decisions(store: Store, name: str, number: int, file: Path | None) -> None:
    path = file or Path(f"{name}-{number:04}-decisions.jsonl")
    forms: Mapping[str, Form] = {".jsonl": "json", ".parquet": "parquet"}
    if path.suffix not in forms:
        raise click.UsageError(f"{path} must end in {' or '.join(forms)}.")
    with new_file(path, 0o600) as target:
        write(LEARNING, learning(store, name, number), forms[path.suffix], target)
    say(f"wrote {path}")


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
