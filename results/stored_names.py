"""The names in a database, for the shell's completion, which can't wait for SQLAlchemy.

Only SQLite is read here. On PostgreSQL there is nothing to complete.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path

_NAMES = {
    "bots": "SELECT name FROM bots ORDER BY name",
    "tournaments": "SELECT name FROM tournaments ORDER BY name",
}
PATIENCE = 0.2
"""Seconds to wait for a writer before giving up."""


def stored_names(url: str, of: str) -> Sequence[str]:
    """Read the names of all `bots` or `tournaments`.

    Returns nothing if there is no such database, or if it can't be read now: a tab key must neither
    create a database nor report its errors.
    """
    file = url.removeprefix("sqlite:///")
    if file == url or not Path(file).is_file():
        return ()
    address = f"{Path(file).absolute().as_uri()}?mode=ro"
    try:
        with closing(sqlite3.connect(address, uri=True, timeout=PATIENCE)) as database:
            return [str(name) for (name,) in database.execute(_NAMES[of])]
    except sqlite3.Error:
        return ()
