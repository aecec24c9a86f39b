"""A site with streams, and its readers."""

from __future__ import annotations

import http.client
import re
import socket
import threading
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager
from dataclasses import dataclass, field

from flask import Flask
from waitress.wasyncore import close_all

from card_arena.leaderboard.web import streams
from card_arena.leaderboard.web.app import create_app
from card_arena.leaderboard.web.server import Server, listen
from card_arena.leaderboard.web.streams import Hub

PATIENCE = 30.0


@dataclass
class Site:
    """A site in this process, with a stream of each topic at `/stream/NAME`."""

    app: Flask
    port: int
    clients: ExitStack = field(default_factory=ExitStack)

    @property
    def hub(self) -> Hub:
        return streams.streams(self.app)

    def client(
        self,
        path: str = "/stream/table",
        *headers: str,
        method: str = "GET",
        source: str = "127.0.0.1",
        buffer: int = 0,
        more: bytes = b"",
    ) -> Client:
        """Request a path; the answer is still to be read."""
        connection = self.clients.enter_context(socket.socket())
        connection.settimeout(PATIENCE)
        if buffer:
            connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, buffer)
        connection.bind((source, 0))
        connection.connect(("127.0.0.1", self.port))
        lines = [f"{method} {path} HTTP/1.1", "Host: arena", *headers, "", ""]
        connection.sendall("\r\n".join(lines).encode() + more)
        return Client(connection)

    def page(self, path: str = "/how") -> int:
        """Request an ordinary page; return its status."""
        with closing(http.client.HTTPConnection("127.0.0.1", self.port, timeout=PATIENCE)) as one:
            one.request("GET", path)
            answer = one.getresponse()
            answer.read()
            return answer.status


@dataclass
class Client:
    """A raw connection and what has been read from it."""

    socket: socket.socket
    text: bytes = b""

    def read(self, end: bytes = b"retry: 2000\n\n") -> bytes:
        """Read until this comes; return everything."""
        while end not in self.text:
            piece = self.socket.recv(65536)
            assert piece, f"closed after {self.text[-200:]!r}"
            self.text += piece
        return self.text

    def read_all(self) -> bytes:
        """Read until the server closes the connection."""
        try:
            while piece := self.socket.recv(65536):
                self.text += piece
        except ConnectionResetError:
            pass
        return self.text

    @property
    def status(self) -> int:
        self.read(b"\r\n")
        return int(self.text.split()[1])

    @property
    def ids(self) -> list[int]:
        return ids(self.text)


def ids(text: bytes) -> list[int]:
    return [int(number) for number in re.findall(rb"^id: (\d+)$", text, re.MULTILINE)]


def add_streams(app: Flask) -> None:
    @app.get("/stream/<name>")
    def stream(name: str) -> object:
        hub = streams.streams(app)
        return hub.stream(hub.topic(name))


@contextmanager
def running(url: str, port: int = 0, **options: float) -> Iterator[Site]:
    app = create_app(url)
    add_streams(app)
    server = Server(app, listen("127.0.0.1", port), proxy="127.0.0.9", **options)
    thread = threading.Thread(target=server.run)
    thread.start()
    site = Site(app, int(server.effective_port))
    try:
        with site.clients:
            yield site
    finally:
        site.hub.close()
        server.trigger.pull_trigger(lambda: close_all(server._map))
        thread.join()
        server.task_dispatcher.shutdown()
        app.extensions["arena"].store.close()
