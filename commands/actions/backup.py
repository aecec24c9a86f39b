"""`arena backup`."""

from __future__ import annotations

from pathlib import Path

from commands.cli_errors import Stop
from commands.copying import copying, heads
from commands.printer import say
from leaderboard.storage.backup import back_up
from leaderboard.storage.copying import contents, told
from leaderboard.storage.store import Store


def backup(file: Path, store: Store) -> None:
    """Write all that the database holds to a file, while it may be played in."""
    database = store.database
    if database.url.database and file.exists() and file.samefile(database.url.database):
        raise Stop(f"{file} is the database itself: name another file")
    try:
        with copying(contents(database).total) as watch:
            found = back_up(database, file, watch)
    except OSError as error:
        raise Stop(f"{file} can't be written: {error.strerror}") from error
    say(f"wrote {file}: {told(found)}; `arena restore {file}` puts it back")
    say(heads(found))
