"""`arena backup`, `arena restore` and `arena copy`."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import closing
from pathlib import Path

from accounts.keeping import back_up, check, rows
from accounts.keeping import copy as copied
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


def backup(file: Path, store: Store) -> None:
    """Write all that the arena holds to a file, and its door to one beside it, while it plays."""
    database = store.database
    if database.url.database and file.exists() and file.samefile(database.url.database):
        raise Stop(f"{file} is the database itself: name another file")
    try:
        with copying(rows(database)) as watch:
            found = back_up(database, file, watch)
    except OSError as error:
        raise Stop(f"{file} can't be written: {error.strerror}") from error
    say(f"wrote {file}: {summary(found)}; `arena restore {file}` puts it back")
    say(heads(found))


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


def copy(source: str, target: str) -> None:
    path = _file(source)
    if path is not None and not path.exists():
        raise Stop(f"there is no database {path}")
    if source == target or _same(path, _file(target)):
        raise Stop("both addresses are the same database")
    with closing(Store(source)) as origin, closing(Store(target)) as other:
        with alone(other.database), copying(rows(origin.database)) as watch:
            try:
                found = copied(origin.database, other.database, watch=watch)
            except NotEmpty as error:
                raise Stop(f"{error}; `arena copy` needs an empty database") from error
        say(f"copied {summary(found)} to {other.database.title}")
        say(heads(found))
        say("ARENA_DATABASE says which database the arena uses from now on")


def _file(url: str) -> Path | None:
    """The file of a SQLite database; None for other addresses."""
    path = url.removeprefix("sqlite:///")
    return None if path == url else Path(path)


def _same(one: Path | None, other: Path | None) -> bool:
    return one is not None and other is not None and one.resolve() == other.resolve()
