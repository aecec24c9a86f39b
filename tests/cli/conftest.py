from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.tournament.stage import cache_of_its_own


@pytest.fixture(scope="session", autouse=True)
def _cache() -> Iterator[None]:
    with cache_of_its_own():
        yield
