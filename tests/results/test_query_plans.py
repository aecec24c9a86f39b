"""What a runner asks of the database with every match: answered by an index."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from sqlalchemy import text

from card_arena.results.store import Store
from card_arena.tests.results.made import (
    made_bots,
    made_match,
    made_record,
    made_season,
    save_match,
)
from card_arena.tests.results.query_plans import listening, read_through


@pytest.fixture
def on_file(tmp_path: Path) -> Iterator[Store]:
    """A store in a file: plans are those of SQLite."""
    store = Store(f"sqlite:///{tmp_path}/arena.db")
    yield store
    store.close()


def test_storing_and_rating_a_match_goes_through_no_long_table(on_file: Store):
    bots = made_bots(on_file, "ann", "bob", "cid")
    ids = [bot.id for bot in bots]
    first, second = (made_season(on_file, bots) for _ in range(2))
    save_match(on_file, first.id, made_match("friday/0001/t01/r1/a", ids, made_record([3, 2, 1])))
    on_file.refresh_ratings("friday")
    with listening() as asked:
        for number in (2, 1):
            match = made_match(f"friday/0002/t01/r{number}/a", ids, made_record([1, 2, 3]))
            save_match(on_file, second.id, match)
            on_file.refresh_ratings("friday")
        on_file.note_void(second.id, "friday/0002/t01/r3/a", "the machine was switched off")
        on_file.note_resumption(second.id)
        on_file.finish_season(second.id)
        on_file.refresh_all_ratings()
    assert len(asked) > 30
    assert read_through(on_file, asked) == []


def test_a_table_that_is_gone_through_is_noticed(on_file: Store):
    with listening() as asked, on_file.database.reading() as session:
        session.execute(text("SELECT count(*) FROM matches AS all_of_them WHERE seconds > 1"))
    (found,) = read_through(on_file, asked)
    assert found.startswith("SCAN all_of_them")
