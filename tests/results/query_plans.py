"""How SQLite answers what is asked of it: by an index, or by going through whole tables."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from sqlalchemy import Connection, Engine, event

from card_arena.results.store import Store

Asked = tuple[str, Any]
"""A statement and its parameters."""

LONG = {
    "matches",
    "seats",
    "held_seats",
    "held_seats_sums",
    "records",
    "stderrs",
    "faults",
    "ledger",
}
"""Tables that grow with every match. The others are as long as there are bots and seasons."""


@contextmanager
def listening() -> Iterator[list[Asked]]:
    """The statements that are executed meanwhile, with their parameters."""
    asked: list[Asked] = []

    @event.listens_for(Engine, "before_cursor_execute")
    def note(connection, cursor, statement, parameters, *_: object) -> None:
        if statement.startswith(("SELECT", "UPDATE", "DELETE", "WITH")):
            one = parameters[0] if isinstance(parameters, list) else parameters
            asked.append((statement, one))

    try:
        yield asked
    finally:
        event.remove(Engine, "before_cursor_execute", note)


def read_through(store: Store, asked: Sequence[Asked]) -> list[str]:
    """The steps of these statements in which SQLite goes through a whole table that is long."""
    found = []
    with store.database.reading() as session:
        connection = session.connection()
        for statement, parameters in asked:
            names = aliases(statement)
            for step in plan(connection, statement, parameters):
                table = re.match(r"SCAN (\w+)", step)
                if table and names.get(table[1], table[1]) in LONG:
                    found.append(f"{step}: {' '.join(statement.split())[:300]}")
    return found


def aliases(statement: str) -> dict[str, str]:
    return {alias: table for table, alias in re.findall(r"(\w+) AS (\w+)", statement)}


def plan(connection: Connection, statement: str, parameters: Any) -> list[str]:
    rows = connection.exec_driver_sql(f"EXPLAIN QUERY PLAN {statement}", parameters)
    return [row[-1] for row in rows]
