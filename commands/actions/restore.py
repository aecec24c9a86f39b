"""`arena restore`."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from accounts.keeping import check
from accounts.keeping import restore as restored
from accounts.storage.door import Door, Paths
from commands.arena_file import arena_zone
from commands.cli_errors import Stop
from commands.copying import copying, heads, summary
from commands.printer import say
from common.moments import written
from results.backup import NotEmpty
from results.lease import alone
from results.store import Store


def restore(file: Path, replace: bool, store: Callable[[], Store]) -> None:
    """Put a backup into a database that is empty, or in the place of all that it holds."""
    backup = check(file)
    database = store().database
    with alone(database), copying(backup.rows) as watch:
        try:
            found = restored(backup, database, replace=replace, watch=watch)
        except NotEmpty as error:
            raise Stop(f"{error}; --replace puts the backup in place of all that") from error
    taken = backup.seal.taken
    say(f"restored {summary(found)} from {file}, taken at {written(taken, arena_zone())}")
    say(heads(found))
    if found.door is not None:
        key = Paths(database.address).key
        say(
            "links, tokens and sessions are as they were then, also those that have been ended"
            f" since; {key} is in no backup: remove it to sign everybody out"
        )
    elif Door.is_there(database.address):
        say("the backup has no door: people, teams and uploads here stay as they are")
    say("compare the heads with those that somebody has saved; `arena verify` checks everything")
