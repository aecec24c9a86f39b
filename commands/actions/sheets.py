"""`arena show sheets`."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

import click

from card_arena.accounts.marks import Counts
from card_arena.accounts.sheets import OF_MARKS, OF_SEASONS, Source
from card_arena.commands.account_settings import stored_accounts, usual_quota
from card_arena.commands.cli_errors import Stop
from card_arena.commands.files import cant_write, new_file
from card_arena.commands.printer import say
from card_arena.leaderboard.seasons import season as read_season
from card_arena.leaderboard.sheets import SHEETS, Form, Row, Sheet, ending, write
from card_arena.results.store import Store

OF_PEOPLE = {*OF_MARKS, "submissions", "people", "log"}
"""The sheets that need accounts."""


def sheets(
    tournament: str | None,
    season: int | None,
    form: Form,
    only: tuple[str, ...],
    counts: Counts,
    to: Path,
    store: Store,
) -> None:
    """Write sheets to files; an existing file is replaced when the new one is complete."""
    if tournament is None and season is not None:
        raise click.UsageError("--season needs a tournament: arena show sheets NAME --season N")
    for name in only:
        if name in OF_SEASONS and tournament is None:
            raise click.UsageError(f"--only {name} needs a tournament: arena show sheets NAME")
        if name not in OF_SEASONS and tournament is not None:
            raise click.UsageError(f"the {name} are for all tournaments: leave NAME out")
    with stored_accounts(store) as accounts:
        if accounts is None and OF_PEOPLE & {*only}:
            raise Stop(
                f"this arena has no accounts, so there are no {' or '.join(only)}."
                " Set `accounts:` in arena.yaml, and invite people."
            )
        source = Source(store, accounts, usual_quota(), counts)
        about, number = "", 0
        if tournament is not None:
            facts = read_season(store, tournament, season)
            about, number = f"{tournament}-{facts.number:04}-", facts.number
        for name, sheet in SHEETS.items():
            if (only and name not in only) or (name in OF_SEASONS) != bool(about):
                continue
            if name in OF_PEOPLE and accounts is None:
                continue
            which = f"-{counts}" if name in OF_MARKS else ""
            path = to / f"{about}{name}{which}.{ending(sheet, form)}"
            _write(path, sheet, source.rows(name, tournament or "", number), form)


def _write(path: Path, sheet: Sheet, rows: Iterable[Row], form: Form) -> None:
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise cant_write(path, error) from error
    with new_file(path, 0o600) as target:
        write(sheet, rows, form, target)
    say(f"wrote {path}")
