"""What pages ask of the database: answered by an index, however many matches there are."""

from __future__ import annotations

import pytest
from flask.testing import FlaskClient

from card_arena.results.store import Store
from card_arena.tests.leaderboard.web.page_texts import PAGES
from card_arena.tests.results.query_plans import listening, read_through

LISTS = ("/t/friday/1?page=2", "/t/friday/1?bot=lim", "/bot/davey?page=2", "/bots?bot=lim")


@pytest.mark.parametrize("path", [*PAGES, *LISTS])
def test_no_page_goes_through_a_table_of_all_matches(path: str, client: FlaskClient, store: Store):
    with listening() as asked:
        assert client.get(path).status_code == 200
    assert asked or path == "/how"
    assert read_through(store, asked) == []
