"""The leaderboard behind a real server."""

from __future__ import annotations

import errno
import logging
import socket
from collections.abc import Callable, Sequence

from flask import Flask

from common.collecting import keep_what_there_is
from leaderboard.shapes.of_rules import LanguageShape
from leaderboard.web.app import create_app
from leaderboard.web.body_sizes import Allowing, nothing
from leaderboard.web.http_server import Server
from leaderboard.web.logs import log_plainly
from leaderboard.web.page_cache import PATIENCE
from leaderboard.web.public_address import PublicAddress

RATE = "3000/minute"
"""How often somebody may ask for pages that only read: a class behind one address may watch one."""


class PortInUse(Exception):
    """The site can't listen on its port; the message says why."""


def serve(
    url: str,
    host: str = "127.0.0.1",
    port: int = 8000,
    listening: Callable[[], None] = lambda: None,
    address: PublicAddress | None = None,
    prepare: Callable[[Flask], Allowing] = lambda _: nothing,
    proxy: str = "",
    languages: Sequence[LanguageShape] = (),
    zone: str = "UTC",
) -> None:
    """Serve the pages of the store at `url` until interrupted; they only read.

    `address` is where visitors reach them behind a reverse proxy. `listening` is called once the
    port is open. `prepare` may add pages of its own, and says what requests may bring. The `proxy`
    is the address of the server through which visitors come, if it says where they are. `languages`
    are those of bots, and `zone` is the time zone of what the pages show. Raises `PortInUse`, and
    `leaderboard.storage.store.StoreError` where the store can't be read.
    """
    # A request that waits for a moment is not worth a line on the terminal.
    logging.getLogger("waitress.queue").setLevel(logging.ERROR)
    log_plainly()
    app = create_app(url, address, patience=PATIENCE, rate=RATE, languages=languages, zone=zone)
    allowed = prepare(app)
    keep_what_there_is()
    with listen(host, port) as listener:
        listening()
        Server(app, listener, allowed=allowed, proxy=proxy).run()


def listen(host: str, port: int) -> socket.socket:
    """Open the port that the site answers on; raises `PortInUse`."""
    try:
        host.encode("idna")
    except UnicodeError:
        raise PortInUse(f"can't listen on {host!r}, which is not a host name") from None
    try:
        return socket.create_server((host, port))
    except OSError as error:
        if error.errno == errno.EADDRINUSE:
            raise PortInUse(
                f"port {port} of {host} is in use: stop what listens there, or choose another port"
            ) from error
        raise PortInUse(f"can't listen on port {port} of {host}: {error.strerror}") from error
