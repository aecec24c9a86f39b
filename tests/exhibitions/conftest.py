from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from card_arena.tests.exhibitions.house import House, opened
from card_arena.tests.needs import need
from card_arena.tests.tournament import stage


@pytest.fixture(scope="session", autouse=True)
def _cache() -> Iterator[None]:
    with stage.cache_of_its_own():
        yield


@pytest.fixture
def house(file_url: str, tmp_path: Path) -> Iterator[House]:
    need("bwrap")
    with opened(file_url, tmp_path) as house:
        yield house
