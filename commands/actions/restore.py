"""`arena restore`."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from commands.cli_errors import Stop
from commands.copying import copying, heads
from commands.printer import say
from leaderboard.storage.backup import check_seal
from leaderboard.storage.backup import restore as restored
from leaderboard.storage.copying import NotEmpty, told
from leaderboard.storage.lock import alone
from leaderboard.storage.store import Store


def restore(file: Path, replace: bool, store: Callable[[], Store]) -> None:
    """Put a backup into a database that is empty, or in the place of all that it holds."""
    seal = check_seal(file)
    database = store().database
    with alone(database), copying(seal.rows) as watch:
        try:
            found = restored(file, database, replace=replace, watch=watch)
        except NotEmpty as error:
            raise Stop(f"{error}; --replace puts the backup in place of all that") from error
    say(f"restored {told(found)} from {file}, taken at {seal.taken:%Y-%m-%d %H:%M} UTC")
    say(heads(found))
    say("compare the heads with those that somebody has saved; `arena verify` checks everything")
