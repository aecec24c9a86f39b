from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

from leaderboard.store import Store
from tests.tournament.stage import Notes, cache_of_its_own

# A busy machine is no bug.
settings.register_profile("patient", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("patient")


@pytest.fixture(scope="session", autouse=True)
def _cache() -> Iterator[None]:
    with cache_of_its_own():
        yield


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    store = Store(f"sqlite:///{tmp_path}/arena.db")
    yield store
    store.close()


@pytest.fixture
def notes() -> Notes:
    return Notes()
