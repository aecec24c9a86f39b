"""Change files of a published season."""

from __future__ import annotations

import json
import sqlite3
import zlib
from collections.abc import Callable
from contextlib import closing
from typing import Any

from card_arena.common.json import canonical
from card_arena.results.store import Store

KEY = "small/0001/t01/r1/a"


def change(store: Store, statement: str, *values: object) -> None:
    with closing(sqlite3.connect(str(store.database.url.database))) as connection:
        cursor = connection.execute(statement, values)
        assert cursor.rowcount
        connection.commit()


def edit_record(
    store: Store,
    edit: Callable[[dict[str, Any]], None],
    key: str = KEY,
    written: Callable[[Any], str] = canonical,
) -> None:
    """Change a match's record, with its other numbers left as they are."""
    match = "(SELECT id FROM matches WHERE key = ?)"
    with closing(sqlite3.connect(str(store.database.url.database))) as connection:
        query = f"SELECT data FROM records WHERE match_id = {match}"
        (packed,) = connection.execute(query, [key]).fetchone()
    data = json.loads(zlib.decompress(packed))
    edit(data)
    packed = zlib.compress(written(data).encode())
    change(store, f"UPDATE records SET data = ? WHERE match_id = {match}", packed, key)
