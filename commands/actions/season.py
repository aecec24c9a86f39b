"""`arena season visibility`."""

from __future__ import annotations

from contextlib import closing
from dataclasses import replace
from datetime import UTC, datetime

import click

from accounts.entries import Names, VisibilityShape
from accounts.storage.account_store import AccountStore
from accounts.visibility import keep_boards
from commands.arena_file import arena_zone
from commands.printer import say, say_shape
from leaderboard.tournaments import tournament_names
from results.errors import Unknown
from results.store import Store


def season_visibility(
    tournament: str,
    names: Names | None,
    top: int | None,
    freeze: datetime | None,
    thaw: bool,
    as_json: bool,
    store: Store,
) -> None:
    """Decide who sees a tournament's results, and print who does."""
    if freeze is not None and thaw:
        raise click.UsageError("--freeze and --open go one at a time")
    if names is not None and top is not None:
        raise click.UsageError("--names and --top go one at a time")
    if tournament not in tournament_names(store):
        raise Unknown(f"no tournament is called {tournament[:80]!r}")
    with closing(AccountStore(store.database.address)) as accounts:
        wanted = before = accounts.visibility(tournament)
        if top is not None:
            wanted = replace(wanted, names="top", top=top)
        elif names is not None:
            wanted = replace(wanted, names=names, top=None)
        if freeze is not None or thaw:
            wanted = replace(wanted, frozen=freeze)
        if wanted != before:
            accounts.set_visibility(wanted)
            keep_boards(store, accounts, datetime.now(UTC))
    if as_json:
        say_shape(VisibilityShape.of(wanted, arena_zone()))
    else:
        say(f"{tournament}: {wanted.sentence(arena_zone())}")
