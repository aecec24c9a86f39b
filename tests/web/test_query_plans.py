"""What pages ask of the database: answered by an index, however many matches there are."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import pytest
from flask.testing import FlaskClient
from sqlalchemy import Connection, Engine, event, text

from leaderboard.storage.store import Store
from tests.web.test_pages import PAGES

Asked = tuple[str, Any]

LONG = {"matches", "seats", "chairs", "records", "stderrs", "faults", "ledger"}
"""Tables that grow with every match. The others are as long as there are bots and seasons."""

LISTS = ("/t/friday/1?page=2", "/t/friday/1?bot=lim", "/bot/davey?page=2", "/bots?bot=lim")


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


@pytest.mark.parametrize("path", [*PAGES, *LISTS])
def test_no_page_goes_through_a_table_of_all_matches(path: str, client: FlaskClient, store: Store):
    with listening() as asked:
        assert client.get(path).status_code == 200
    assert asked or path == "/how"
    assert read_through(store, asked) == []


def test_a_table_that_is_gone_through_is_noticed(store: Store):
    with listening() as asked, store.database.reading() as session:
        session.execute(text("SELECT count(*) FROM matches AS all_of_them WHERE seconds > 1"))
    (found,) = read_through(store, asked)
    assert found.startswith("SCAN all_of_them")
