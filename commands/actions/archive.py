"""`arena show archive`."""

from __future__ import annotations

from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path

from accounts.storage.account_store import AccountStore
from accounts.visibility import policy_for
from commands.arena_file import arena_zone
from commands.cli_errors import Stop
from commands.console import Printer
from commands.printer import say
from commands.progress import Stages
from leaderboard.web.archive.files import new_folder
from leaderboard.web.archive.site import Source, Written, write_site
from results.store import Store
from results.visibility import OPEN, VisibilityPolicy


def archive(folder: Path, season_files: bool, store: Store) -> None:
    """Write the site into a folder, which is replaced when the new one is complete."""
    source = Source(store.database.address, _visitors_policy(store), arena_zone(), season_files)
    try:
        with new_folder(folder) as new, Stages(Printer()) as stages:
            written = write_site(source, new, stages.count)
    except OSError as error:
        raise Stop(f"{folder} can't be written: {error.strerror}") from error
    say(_summary(folder, written))


def _visitors_policy(store: Store) -> VisibilityPolicy:
    """What is hidden now from somebody without an account."""
    url = store.database.address
    if not AccountStore.is_there(url):
        return OPEN
    with closing(AccountStore(url, read_only=True)) as accounts:
        return policy_for(store, accounts, frozenset(), datetime.now(UTC))


def _summary(folder: Path, written: Written) -> str:
    each = f", {written.bytes / written.matches / 1000:.1f} kB a match" if written.matches else ""
    text = (
        f"wrote {folder}: {written.pages:,} pages and {written.matches:,} matches,"
        f" {written.bytes / 1e6:.1f} MB{each}"
    )
    if written.seasons:
        text += f"; {written.seasons:,} files of seasons, {written.season_bytes / 1e6:.1f} MB"
    return text
