"""`arena copy`."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path

from accounts.keeping import copy as copied
from accounts.keeping import rows
from commands.cli_errors import Stop
from commands.copying import copying, heads, summary
from commands.printer import say
from results.backup import NotEmpty
from results.lease import alone
from results.store import Store


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
