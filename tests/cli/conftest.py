from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from card_arena.tests.cli.home import STARTED, Home
from card_arena.tests.needs import need
from card_arena.tests.tournament import stage


@pytest.fixture(scope="session", autouse=True)
def _cache() -> Iterator[None]:
    with stage.cache_of_its_own():
        yield


@pytest.fixture(autouse=True)
def _started() -> Iterator[None]:
    """End what a test has started and, since it failed, not waited for: the next would fail too."""
    before = len(STARTED)
    yield
    for process in STARTED[before:]:
        if process.poll() is None:
            process.kill()
            process.communicate()
    del STARTED[before:]


@pytest.fixture
def home(tmp_path: Path) -> Home:
    return Home(tmp_path)


@pytest.fixture(scope="session")
def furnished(tmp_path_factory: pytest.TempPathFactory) -> Home:
    need("bwrap")
    home = Home(tmp_path_factory.mktemp("house"))
    folders = [home.bot(stage.shell(f"sh{limit}", limit)) for limit in (12, 16, 20)]
    home.done("submit", *folders, "--author", "ada")
    return home


@pytest.fixture(scope="session")
def paired(tmp_path_factory: pytest.TempPathFactory) -> Home:
    need("bwrap")
    home = Home(tmp_path_factory.mktemp("pair"))
    folders = [home.bot(stage.legal(name, "spades", name)) for name in ("first", "last")]
    home.done("submit", *folders, "--author", "ada")
    return home


@pytest.fixture
def house(furnished: Home, tmp_path: Path) -> Home:
    """A home with three bots in its store."""
    shutil.copytree(furnished.folder, tmp_path, dirs_exist_ok=True)
    return Home(tmp_path)


@pytest.fixture
def partners(paired: Home, tmp_path: Path) -> Home:
    """A home with two bots that play a game of partners."""
    shutil.copytree(paired.folder, tmp_path, dirs_exist_ok=True)
    return Home(tmp_path)
