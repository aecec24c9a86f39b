"""A webhook for tests: an HTTP server that keeps what is posted to it."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from typing import Any


class Webhook:
    """What came, and the status with which it is answered, after how many seconds."""

    def __init__(self) -> None:
        self.port = 0
        self.status = 204
        self.delay = 0.0
        self.posted: list[dict[str, Any]] = []

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.port}/hook"


@contextmanager
def open_webhook() -> Iterator[Webhook]:
    there = Webhook()

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            there.posted.append(json.loads(self.rfile.read(int(self.headers["Content-Length"]))))
            time.sleep(there.delay)
            self.send_response(there.status)
            self.end_headers()

        def log_message(self, *_: object) -> None:
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        there.port = server.server_address[1]
        thread = Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05})
        thread.start()
        try:
            yield there
        finally:
            server.shutdown()
            thread.join()
