"""Serve a site in a thread."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager

from waitress.wasyncore import close_all

from card_arena.exhibitions.settings import PlaySettings
from card_arena.leaderboard.web.app import create_app
from card_arena.leaderboard.web.requests import PublicAddress
from card_arena.leaderboard.web.server import Server, listen
from card_arena.leaderboard.web.streams import streams


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
