"""The web server: slow clients can't block others.

waitress waits for a client that sends a byte now and then, accepts no client once its connections
are used up, and never closes the connection of a client that doesn't read its answer. Here whole
requests and whole answers have a deadline, and when there are too many connections, the client that
has used most of its time is disconnected.
"""

from __future__ import annotations

import errno
import logging
import resource
import socket
import time
from collections.abc import Callable, Sequence
from contextlib import closing, suppress
from enum import Enum, auto
from http.client import HTTPConnection, HTTPException
from threading import Thread
from typing import Any

from flask import Flask
from waitress.adjustments import Adjustments
from waitress.channel import ClientDisconnected, HTTPChannel
from waitress.server import TcpWSGIServer
from waitress.task import ErrorTask, ThreadedTaskDispatcher, WSGITask

from card_arena.common.processes import keep_what_there_is
from card_arena.exhibitions.settings import PlaySettings
from card_arena.leaderboard.models import Failure, written
from card_arena.leaderboard.rules import LanguageShape
from card_arena.leaderboard.web.app import create_app
from card_arena.leaderboard.web.caches import PATIENCE
from card_arena.leaderboard.web.requests import (
    HEAD_ONLY,
    Allowing,
    PublicAddress,
    Request,
    log_plainly,
    nothing,
)
from card_arena.leaderboard.web.streams import CONNECTION, MOST_STREAMS, streams

ASKING = 15.0
"""Seconds within which a request must be complete, counted from the connection or last answer."""

SLOWEST = 16 * 1024
"""The least bytes a second of an upload; received bytes extend the deadline at this rate."""

IN_MEMORY = 64 * 1024
"""Bytes of an upload that are kept in memory; the rest is on the disk."""

LINGERING = 5.0
"""Seconds for a client to finish sending a rejected request and to read the answer."""

THROWN_AWAY = 32 * 2**20
"""Bytes that it may send meanwhile."""

TAKING = 120.0
"""Seconds within which a client must have read an answer."""

MOST = 480
"""Connections at a time, if the program may have two files open for each."""


OTHER_FILES = 64
"""Files for everything but connections, their answers and streams."""


class State(Enum):
    """The state of a connection."""

    WAITS = auto()
    WORKS = auto()
    SENDS = auto()
    LINGERS = auto()


class Refusal(ErrorTask):  # type: ignore[misc]
    """The answer to a request that is invalid or too large."""

    def execute(self) -> None:
        """Send the error, for the API as JSON."""
        if "/api/" not in self.request.path:
            super().execute()
            return
        error = self.request.error
        body = f"{written(Failure(error=f'{error.reason}: {error.body}.'))}\n".encode()
        self.status = f"{error.code} {error.reason}"
        self.response_headers.append(("Content-Type", "application/json"))
        self.set_close_on_finish()
        self.content_length = len(body)
        self.write(body)


class Answer(WSGITask):  # type: ignore[misc]
    """The answer of the application; the connection of an event stream is handed over."""

    _handed_over = False

    def get_environment(self) -> dict[str, Any]:
        """Return the WSGI environment, with this `streams.Connection` in it."""
        environ: dict[str, Any] = super().get_environment()
        environ[CONNECTION] = self
        return environ

    @property
    def most_streams(self) -> int:
        return int(self.channel.server.most_streams)

    @property
    def has_body(self) -> bool:
        return not self._handed_over and bool(super().has_body)

    def hand_over(self) -> tuple[socket.socket, bytes]:
        """Return a copy of the socket, and the header; the server then closes its own socket."""
        try:
            copy = self.channel.socket.dup()
        except (AttributeError, OSError):  # closed meanwhile, or no more files
            raise ClientDisconnected from None
        self._handed_over = True
        header = self.build_response_header()
        self.wrote_header = True
        self.set_close_on_finish()
        return copy, header

    def build_response_header(self) -> bytes:
        """The header; the answer to HEAD has no body, not even the end of a chunked one."""
        header = super().build_response_header()
        if self.request.command == "HEAD":
            self.chunked_response = False
        return bytes(header)


class Visitor(HTTPChannel):  # type: ignore[misc]
    """One connection, and since when it has been in its present state."""

    task_class = Answer
    error_task_class = Refusal

    def __init__(self, *arguments: Any, **options: Any) -> None:
        self.since = time.monotonic()
        self._last = State.WAITS
        self._asked_at_once = False
        self._refused = False
        self._thrown_away = 0
        super().__init__(*arguments, **options)

    def parser_class(self, adjustments: Any) -> Request:
        return Request(adjustments, self.server.allowed, self.server.sending)

    @property
    def brought(self) -> int:
        return 0 if self.request is None else int(self.request.body_bytes_received)

    def received(self, data: bytes) -> bool:
        """Read data; of several requests at once only the first is answered.

        No browser sends several, and each unread answer costs an open file or memory.
        """
        taken = bool(super().received(data))
        with self.requests_lock:
            for request in self.requests[1:]:
                request.close()
                self._asked_at_once = True
            del self.requests[1:]
            self._refused = any(request.error for request in self.requests)
        return taken

    def handle_close(self) -> None:
        """Close the connection, after the client of a rejected request has read the answer.

        If we closed with unread data, the answer would be lost.
        """
        if self._refused and self.connected and self._last is not State.LINGERS:
            self._last = State.LINGERS
            self.since = time.monotonic()
            self.will_close = self.close_when_flushed = False
            with suppress(OSError):
                self.socket.shutdown(socket.SHUT_WR)
        else:
            super().handle_close()

    def readable(self) -> bool:
        return self._last is State.LINGERS or bool(super().readable())

    def writable(self) -> bool:
        """Whether there is something to send, or a connection to close."""
        if self._last is State.LINGERS:
            return bool(self.will_close)
        return bool(super().writable())

    def handle_read(self) -> None:
        if self._last is State.LINGERS:
            self._thrown_away += len(self.recv(self.adj.recv_bytes))
            if self._thrown_away > THROWN_AWAY:
                self.handle_close()
        else:
            super().handle_read()

    def service(self) -> None:
        """Answer a request; if that fails, close the connection."""
        try:
            super().service()
        except BaseException:
            # a request in this list would count as being answered, and keep its place
            with self.requests_lock:
                self.requests.clear()
                self.close_when_flushed = True
            self.server.pull_trigger()
            raise
        self.since = time.monotonic()
        if self._asked_at_once:
            self.close_when_flushed = True
            self.server.pull_trigger()

    def state(self) -> State:
        """Return the state of the connection; updates `since` when it changes."""
        if self._last is State.LINGERS:
            return self._last
        state = State.SENDS if self.total_outbufs_len else State.WAITS
        if self.requests and state is State.WAITS:
            state = State.WORKS
        if state is not self._last:
            self._last = state
            self.since = time.monotonic()
        return state

    def hang_up(self) -> None:
        """Close the connection at the next turn of the server's loop."""
        self.will_close = True
        # otherwise the loop would wait until the client reads more of the answer
        with suppress(OSError):
            self.socket.shutdown(socket.SHUT_RDWR)


class Server(TcpWSGIServer):  # type: ignore[misc]
    """A server with deadlines, `asking` and `taking` in seconds, and room for `most` clients.

    `allowed` returns the allowance of a request. `proxy` is the address of a reverse proxy, whose
    `X-Forwarded-For` is believed. `ending` is called when the server is interrupted, before it
    waits for answers that are being written.
    """

    channel_class = Visitor

    def __init__(
        self,
        application: Any,
        listener: socket.socket,
        *,
        asking: float = ASKING,
        taking: float = TAKING,
        most: int | None = None,
        allowed: Allowing = nothing,
        proxy: str = "",
        ending: Callable[[], None] = lambda: None,
    ) -> None:
        self.allowed = allowed
        self._patience = {
            State.WAITS: asking,
            State.SENDS: taking,
            State.LINGERS: LINGERING,
        }
        room, self.most_streams = rooms()
        self._most = most or room
        self._ending = ending
        adjustments = Adjustments(
            sockets=[listener],
            ident="card-arena",
            threads=8,
            asyncore_use_poll=True,  # select knows no more than 1024 files
            cleanup_interval=1,
            connection_limit=2 * self._most,  # our own limit is lower, and lets newcomers in
            # a request only says which page to show
            max_request_header_size=16 * 1024,
            max_request_body_size=HEAD_ONLY,
            inbuf_overflow=IN_MEMORY,
            **believed(proxy),
            log_socket_errors=False,  # clients that hang up are not worth a log line
        )
        dispatcher = ThreadedTaskDispatcher()
        dispatcher.set_thread_count(adjustments.threads)
        family, kind, protocol = listener.family, listener.type, listener.proto
        super().__init__(
            application,
            map={},
            _sock=listener,
            dispatcher=dispatcher,
            adj=adjustments,
            sockinfo=(family, kind, protocol, listener.getsockname()),
            bind_socket=False,
        )

    def run(self) -> None:
        """Serve until interrupted."""
        try:
            self.asyncore.loop(timeout=self.adj.asyncore_loop_timeout, use_poll=True, map=self._map)
        except (SystemExit, KeyboardInterrupt):
            self._ending()
            self.task_dispatcher.shutdown()

    def maintenance(self, now: float) -> None:  # noqa: ARG002 - waitress's clock can be set back
        """Disconnect clients after their deadlines."""
        for visitor in list(self.active_channels.values()):
            if visitor.state() is not State.WORKS and self._used_up(visitor) > 1:
                visitor.hang_up()

    def sending(self, whose: str) -> int:
        requests = (visitor.request for visitor in self.active_channels.values())
        return sum(getattr(request, "whose", "") == whose for request in requests)

    def handle_accept(self) -> None:
        """Accept a client; if that is one too many, disconnect the slowest."""
        super().handle_accept()
        connected = [visitor for visitor in self.active_channels.values() if not visitor.will_close]
        if len(connected) > self._most:
            slow = [visitor for visitor in connected if visitor.state() is not State.WORKS]
            if slow:
                # the share of its time, so that a new client is not disconnected before one that
                # does not read its answer
                max(slow, key=self._used_up).hang_up()

    def _used_up(self, visitor: Visitor) -> float:
        """The share of its time that a client has used."""
        state = visitor.state()
        patience = self._patience[state]
        if state is State.WAITS:
            patience += visitor.brought / SLOWEST
        return (time.monotonic() - visitor.since) / patience


def believed(proxy: str) -> dict[str, Any]:
    """waitress's settings for a proxy, which gives the address of the client and nothing else.

    The targets of links depend on no header; see `PublicAddressMiddleware`.
    """
    if not proxy:
        return {"clear_untrusted_proxy_headers": True}
    return {
        "trusted_proxy": proxy,
        "trusted_proxy_count": 1,
        "trusted_proxy_headers": {"x-forwarded-for"},
        "clear_untrusted_proxy_headers": True,
    }


def rooms() -> tuple[int, int]:
    """Return the numbers of connections and of streams for which this program may open files.

    A connection needs a file for its answer too. Raises the soft limit of open files.
    """
    needed = OTHER_FILES + 2 * MOST + MOST_STREAMS
    files, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    if files != resource.RLIM_INFINITY and files < needed:
        files = needed if most == resource.RLIM_INFINITY else min(needed, most)
        resource.setrlimit(resource.RLIMIT_NOFILE, (files, most))
    if files == resource.RLIM_INFINITY or files >= needed:
        return MOST, MOST_STREAMS
    streams = max(4, (files - OTHER_FILES) // 8)
    return max(8, min(MOST, (files - OTHER_FILES - streams) // 2)), streams


RATE = "3000/minute"
"""The rate of reading requests from one address, which may be that of a whole class."""


FAILING = 30.0
"""Seconds for which the first page of a failing site is requested again."""


class PortInUse(Exception):
    """The site can't listen on its port."""


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
    play: PlaySettings | None = None,
) -> None:
    """Serve the pages of the store at `url` until interrupted; they only read.

    `address` is their public address behind a reverse proxy. `listening` is called in a separate
    thread once the first page has been served. `prepare` may add pages, and returns the allowances
    of requests. `proxy` is the address of the reverse proxy whose `X-Forwarded-For` is believed.
    `languages` are those of bots, and `zone` is the time zone of the pages. `play` says who may sit
    down at tables. Raises `PortInUse`, and
    `results.errors.StoreError` if the store can't be read.
    """
    # A request that waits for a moment is no warning.
    logging.getLogger("waitress.queue").setLevel(logging.ERROR)
    log_plainly()
    app = create_app(
        url, address, patience=PATIENCE, rate=RATE, languages=languages, zone=zone, play=play
    )
    allowed = prepare(app)
    keep_what_there_is()
    with listen(host, port) as listener:
        bound_port = listener.getsockname()[1]
        Thread(target=_after_first_page, args=(host, bound_port, listening), daemon=True).start()
        Server(app, listener, allowed=allowed, proxy=proxy, ending=streams(app).close).run()


def wait_for_page(host: str, port: int) -> None:
    """Return once a site on this machine has served its first page, or has failed for a while.

    A site that can't read its database also answers.
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
