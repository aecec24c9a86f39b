"""`arena season visibility`."""

from __future__ import annotations

from contextlib import closing
from dataclasses import replace
from datetime import UTC, datetime

import click

from card_arena.accounts.entries import Names, VisibilityShape
from card_arena.accounts.storage.account_store import AccountStore
from card_arena.accounts.visibility import snapshot_standings
from card_arena.commands.arena_file import arena_zone
from card_arena.commands.printer import say, say_shape
from card_arena.leaderboard.tournaments import tournament_names
from card_arena.results.errors import Unknown
from card_arena.results.store import Store


def season_visibility(
    tournament: str,
    names: Names | None,
    top: int | None,
    freeze: datetime | None,
    thaw: bool,
    as_json: bool,
    store: Store,
) -> None:
    """Set who sees a tournament's results, and print it."""
    if freeze is not None and thaw:
        raise click.UsageError("--freeze and --open can't be combined: give one of them")
    if names is not None and top is not None:
        raise click.UsageError("--names and --top can't be combined: give one of them")
    if tournament not in tournament_names(store):
        raise Unknown(f"no tournament is called {tournament[:80]!r}")
    with closing(AccountStore(store.database.address)) as accounts:
        chosen = before = accounts.visibility(tournament)
        if top is not None:
            chosen = replace(chosen, names="top", top=top)
        elif names is not None:
            chosen = replace(chosen, names=names, top=None)
        if freeze is not None or thaw:
            chosen = replace(chosen, frozen=freeze)
        if chosen != before:
            accounts.set_visibility(chosen)
            snapshot_standings(store, accounts, datetime.now(UTC))
    if as_json:
        say_shape(VisibilityShape.of(chosen, arena_zone()))
    else:
        say(f"{tournament}: {chosen.sentence(arena_zone())}")
