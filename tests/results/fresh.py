"""New stores for tests, without the work of making their tables each time."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

from card_arena.results.store import Store


@cache
def _with_tables() -> bytes:
    """A SQLite file that has the arena's tables and nothing in them."""
    with TemporaryDirectory() as folder:
        path = Path(folder, "arena.db")
        Store(f"sqlite:///{path}").close()
        return path.read_bytes()


def fresh_store(path: Path) -> Store:
    """Open a store in a new SQLite file."""
    path.write_bytes(_with_tables())
    return Store(f"sqlite:///{path}")
