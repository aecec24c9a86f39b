"""`arena show sheets`."""

from __future__ import annotations

import os
from collections.abc import Iterable
from contextlib import ExitStack
from pathlib import Path
from tempfile import NamedTemporaryFile

import click

from accounts.marks import Counts
from accounts.sheets import OF_MARKS, OF_SEASONS, Source
from accounts.storage.account_store import AccountStore
from commands.account_settings import usual_quota
from commands.cli_errors import Stop
from commands.printer import say
from leaderboard.seasons import season as read_season
from leaderboard.sheets import SHEETS, Form, Row, Sheet, ending, write
from results.store import Store

OF_PEOPLE = {*OF_MARKS, "submissions", "people", "log"}
"""The sheets that are there where people have accounts."""


def sheets(
    tournament: str | None,
    season: int | None,
    form: Form,
    only: tuple[str, ...],
    counts: Counts,
    to: Path,
    store: Store,
) -> None:
    """Write sheets to files; one that is there is replaced when the new one is complete."""
    if tournament is None and season is not None:
        raise click.UsageError("--season needs a tournament")
    for name in only:
        if name in OF_SEASONS and tournament is None:
            raise click.UsageError(f"--only {name} needs a tournament: arena show sheets NAME")
        if name not in OF_SEASONS and tournament is not None:
            raise click.UsageError(f"the {name} are of all tournaments: name none with them")
    with ExitStack() as stack:
        accounts = None
        if AccountStore.is_there(store.database.address):
            accounts = AccountStore(store.database.address)
            stack.callback(accounts.close)
        elif OF_PEOPLE & {*only}:
            raise Stop(
                f"this arena has never had accounts, so there are no {' or '.join(only)}: set"
                " `accounts:` in arena.yaml, and invite people"
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
        with NamedTemporaryFile(dir=path.parent, prefix=".sheet-", delete=False) as target:
            try:
                write(sheet, rows, form, target)
                os.fchmod(target.fileno(), 0o600)
                Path(target.name).replace(path)
            except BaseException:
                Path(target.name).unlink(missing_ok=True)
                raise
    except OSError as error:
        raise Stop(f"{path} can't be written: {error.strerror}") from error
    say(f"wrote {path}")
