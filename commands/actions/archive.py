"""`arena show archive`."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

from card_arena.accounts.visibility import policy_for
from card_arena.commands.account_settings import stored_accounts
from card_arena.commands.arena_file import arena_zone
from card_arena.commands.console import Printer
from card_arena.commands.files import cant_write
from card_arena.commands.printer import say
from card_arena.commands.progress import Stages
from card_arena.leaderboard.web.archive.files import new_folder
from card_arena.leaderboard.web.archive.site import Source, Written, write_site
from card_arena.results.store import Store
from card_arena.results.visibility import OPEN, VisibilityPolicy


def archive(folder: Path, season_files: bool, store: Store) -> None:
    """Write the site into a folder, which is replaced when the new one is complete."""
    source = Source(store.database.address, _visitors_policy(store), arena_zone(), season_files)
    try:
        with new_folder(folder) as new, Stages(Printer()) as stages:
            written = write_site(source, new, stages.count)
    except OSError as error:
        raise cant_write(folder, error) from error
    say(_summary(folder, written))


def _visitors_policy(store: Store) -> VisibilityPolicy:
    """The policy for visitors without an account, now."""
    with stored_accounts(store, read_only=True) as accounts:
        if accounts is None:
            return OPEN
        return policy_for(store, accounts, frozenset(), datetime.now(UTC))


def _summary(folder: Path, written: Written) -> str:
    average = (
        f", {written.bytes / written.matches / 1000:.1f} kB a match" if written.matches else ""
    )
    text = (
        f"wrote {folder}: {written.pages:,} pages and {written.matches:,} matches,"
        f" {written.bytes / 1e6:.1f} MB{average}"
    )
    if written.seasons:
        text += f"; {written.seasons:,} files of seasons, {written.season_bytes / 1e6:.1f} MB"
    return text
