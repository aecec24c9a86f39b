"""`arena backup`."""

from __future__ import annotations

from pathlib import Path

from accounts.keeping import back_up, rows
from commands.cli_errors import Stop
from commands.copying import copying, heads, summary
from commands.printer import say
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
