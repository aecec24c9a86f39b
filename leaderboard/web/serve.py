"""The leaderboard behind a real server."""

from __future__ import annotations

import errno
import logging
import socket
import time
from collections.abc import Callable, Sequence
from contextlib import closing, suppress
from http.client import HTTPConnection, HTTPException
from threading import Thread

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


FAILING = 30.0
"""Seconds for which a site that answers by failures is asked again for its first page."""


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

    `address` is where visitors reach them behind a reverse proxy. `listening` is called, by a
    thread of its own, once the first page has been served. `prepare` may add pages of its own, and
    says what requests may bring. The `proxy` is the address of the server through which visitors
    come, if it says where they are. `languages` are those of bots, and `zone` is the time zone of
    what the pages show. Raises `PortInUse`, and
    `leaderboard.storage.store.StoreError` where the store can't be read.
    """
    # A request that waits for a moment is not worth a line on the terminal.
    logging.getLogger("waitress.queue").setLevel(logging.ERROR)
    log_plainly()
    app = create_app(url, address, patience=PATIENCE, rate=RATE, languages=languages, zone=zone)
    allowed = prepare(app)
    keep_what_there_is()
    with listen(host, port) as listener:
        here = listener.getsockname()[1]
        Thread(target=_after_first_page, args=(host, here, listening), daemon=True).start()
        Server(app, listener, allowed=allowed, proxy=proxy).run()


def wait_for_page(host: str, port: int) -> None:
    """Return once a site on this machine has served its first page, or has failed to for a while.

    A site that can't read its database answers, too, and says so to everybody who asks.
    """
    name = "127.0.0.1" if host in ("", "0.0.0.0") else host
    failing = time.monotonic() + FAILING
    while True:
        with (
            suppress(OSError, HTTPException),
            closing(HTTPConnection(name, port, timeout=FAILING)) as site,
        ):
            site.request("GET", "/")
            status = site.getresponse().status
            if status < 500 or time.monotonic() > failing:
                return
        time.sleep(0.1)


def _after_first_page(host: str, port: int, listening: Callable[[], None]) -> None:
    wait_for_page(host, port)
    listening()


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
