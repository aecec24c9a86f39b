"""One small arena and one browser for each test worker."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest
from flask import Flask
from flask.testing import FlaskClient
from jinja2 import FileSystemBytecodeCache
from playwright.sync_api import Browser

from card_arena.leaderboard.web.app import create_app
from card_arena.results.store import Store
from card_arena.tests.leaderboard.web.house import furnish
from card_arena.tests.leaderboard.web.serving import served
from card_arena.tests.results.fresh import fresh_store


@pytest.fixture(scope="session", autouse=True)
def _templates_compiled_once(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Hundreds of sites are opened here, and compiling a page takes longer than showing it."""
    compiled = FileSystemBytecodeCache(str(tmp_path_factory.mktemp("templates")))
    with pytest.MonkeyPatch.context() as patch:
        options = {**Flask.jinja_options, "bytecode_cache": compiled}
        patch.setattr(Flask, "jinja_options", options)
        yield


@pytest.fixture(scope="session")
def store(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Store]:
    """A furnished store that no test changes."""
    path: Path = tmp_path_factory.mktemp("web") / "arena.sqlite"
    store = Store(f"sqlite:///{path}")
    furnish(store)
    yield store
    store.close()


@pytest.fixture(scope="session")
def url(store: Store) -> str:
    return store.database.url.render_as_string()


@pytest.fixture
def open_site() -> Iterator[Callable[[str], FlaskClient]]:
    """Open a site on a store's address; closed when the test is over."""
    with ExitStack() as stack:

        def open_(url: str) -> FlaskClient:
            app = create_app(url)
            stack.callback(app.extensions["arena"].store.close)
            return app.test_client()

        yield open_


@pytest.fixture
def client(url: str, open_site: Callable[[str], FlaskClient]) -> FlaskClient:
    """A visitor of the furnished store."""
    return open_site(url)


@pytest.fixture
def new_store(tmp_path: Path) -> Iterator[Store]:
    """An empty store that belongs to one test."""
    store = fresh_store(tmp_path / "new.sqlite")
    yield store
    store.close()


@pytest.fixture(scope="session")
def address(url: str) -> Iterator[str]:
    """Where the furnished store is served."""
    with served(url) as address:
        yield address


@pytest.fixture
def open_server() -> Iterator[Callable[[str], str]]:
    """Serve another store for one test."""
    with ExitStack() as stack:
        yield lambda url: stack.enter_context(served(url))


@pytest.fixture(scope="session")
def browser(chromium: Browser) -> Browser:
    return chromium
