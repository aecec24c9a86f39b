"""Stores for tests: every one of them on a new SQLite file and on a new PostgreSQL database."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from sqlalchemy import make_url

from card_arena.results.store import Store
from card_arena.tests.results.fresh import fresh_store


@pytest.fixture
def store(url: str) -> Iterator[Store]:
    path = make_url(url).database
    store = fresh_store(Path(path)) if url.startswith("sqlite") else Store(url)
    yield store
    store.close()
