"""One small arena and one browser for each test worker."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

import pytest
from flask import Flask
from flask.testing import FlaskClient
from jinja2 import FileSystemBytecodeCache
from playwright.sync_api import Browser
from waitress.wasyncore import close_all

from exhibitions.settings import PlaySettings
from leaderboard.web.app import create_app
from leaderboard.web.requests import PublicAddress
from leaderboard.web.server import Server, listen
from leaderboard.web.streams import streams
from results.store import Store
from tests.leaderboard.web.house import furnish
from tests.results.fresh import fresh_store


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


@contextmanager
def served(
    url: str, public: PublicAddress | None = None, play: PlaySettings | None = None
) -> Iterator[str]:
    """The site of a store behind a port of this machine."""
    app = create_app(url, public, play=play)
    server = Server(app, listen("127.0.0.1", 0))
    thread = threading.Thread(target=server.run)
    thread.start()
    yield f"http://127.0.0.1:{server.effective_port}"
    streams(app).close()
    server.trigger.pull_trigger(lambda: close_all(server._map))
    thread.join()
    server.task_dispatcher.shutdown()
    app.extensions["arena"].store.close()
    if "tables" in app.extensions:
        app.extensions["tables"].store.close()


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
