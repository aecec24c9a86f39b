"""Tournaments as organisers look them up and show them, on pages and by programs."""

from __future__ import annotations

import os
from datetime import UTC, datetime

from werkzeug.exceptions import NotFound

from card_arena.accounts.entries import Person, Visibility
from card_arena.accounts.visibility import snapshot_standings
from card_arena.accounts.web.context import accounts_context
from card_arena.accounts.web.readers import SignedInReaders
from card_arena.leaderboard.plans import NotAnnounced, Plan
from card_arena.leaderboard.tournaments import tournament_names
from card_arena.leaderboard.web.pages.site import whole_site

MOST_CORES = 10_000


def demand_known(name: str) -> None:
    """Raise `NotFound` for a tournament that is neither announced nor played."""
    if name not in tournament_names(whole_site().store):
        raise NotFound("No tournament has this name.")


def cores_here() -> int:
    return os.cpu_count() or 1


def plan(name: str, cores: int) -> Plan | None:
    """What the next season would be; None for a tournament that is not announced."""
    dry_run = accounts_context().dry_run
    try:
        return dry_run(name, cores) if dry_run else None
    except NotAnnounced:
        return None


def show(wanted: Visibility, by: Person) -> None:
    """Decide who sees a tournament's results, from now on; raises `BadVisibility`."""
    accounts, site = accounts_context().accounts, whole_site()
    accounts.set_visibility(wanted, by.id)
    snapshot_standings(site.store, accounts, datetime.now(UTC))
    assert isinstance(site.readers, SignedInReaders)
    site.readers.look_again()
