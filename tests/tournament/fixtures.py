"""A store with notes, and sandboxes apart from others."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from card_arena.results.store import Store
from card_arena.tests.results.fresh import fresh_store
from card_arena.tests.tournament import stage
from card_arena.tests.tournament.stage import Notes, cache_of_its_own


@pytest.fixture(scope="session", autouse=True)
def _cache() -> Iterator[None]:
    with cache_of_its_own():
        yield


@pytest.fixture(autouse=True)
def _let_others_sandboxes_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(stage, "STANDING", set(stage.sandboxes(os.getpid())))


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    store = fresh_store(tmp_path / "arena.db")
    yield store
    store.close()


@pytest.fixture
def notes() -> Notes:
    return Notes()
