"""The server behind the pages: slow visitors can't keep others out.

waitress waits for a client that sends a byte now and then, accepts nobody once its connections are
used up, and never hangs up on a client that doesn't read its answer. Here whole requests and whole
answers have a deadline, and when there is no more room, the client that has used most of its time
is disconnected.
"""

from __future__ import annotations

import resource
import socket
import time
from contextlib import suppress
from enum import Enum, auto
from typing import Any

from waitress.adjustments import Adjustments
from waitress.channel import HTTPChannel
from waitress.server import TcpWSGIServer
from waitress.task import ThreadedTaskDispatcher

ASKING = 15.0
"""Seconds within which a request must be complete, counted from the connection or last answer."""

TAKING = 120.0
"""Seconds within which a client must have read an answer."""

MOST = 480
"""Connections at a time, if the program may have two files open for each."""


class State(Enum):
    """What the server does for a visitor at the moment."""

    WAITS = auto()
    WORKS = auto()
    SENDS = auto()


class Visitor(HTTPChannel):  # type: ignore[misc]
    """One connection, and since when it has been in its present state."""

    def __init__(self, *arguments: Any, **options: Any) -> None:
        self.since = time.monotonic()
        self._last = State.WAITS
        self._asked_at_once = False
        super().__init__(*arguments, **options)

    def received(self, data: bytes) -> bool:
        """Take in data; of several requests at once only the first is answered.

        No browser sends several, and each unread answer costs an open file or memory.
        """
        taken = bool(super().received(data))
        with self.requests_lock:
            for request in self.requests[1:]:
                request.close()
                self._asked_at_once = True
            del self.requests[1:]
        return taken

    def service(self) -> None:
        """Answer a request."""
        super().service()
        self.since = time.monotonic()
        if self._asked_at_once:
            self.close_when_flushed = True
            self.server.pull_trigger()

    def state(self) -> State:
        """What the server is doing for this client; updates `since` when that changes."""
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
    """A server with deadlines, `asking` and `taking` in seconds, and room for `most` clients."""

    channel_class = Visitor

    def __init__(
        self,
        application: Any,
        listener: socket.socket,
        *,
        asking: float = ASKING,
        taking: float = TAKING,
        most: int | None = None,
    ) -> None:
        self._patience = {State.WAITS: asking, State.SENDS: taking}
        self._most = most or room()
        adjustments = Adjustments(
            sockets=[listener],
            ident="card-arena",
            threads=8,
            asyncore_use_poll=True,  # select knows no more than 1024 files
            cleanup_interval=1,
            connection_limit=2 * self._most,  # our own limit is lower, and lets newcomers in
            # a request only says which page to show
            max_request_header_size=16 * 1024,
            max_request_body_size=1024,
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

    def maintenance(self, now: float) -> None:  # noqa: ARG002 - waitress's clock can be set back
        """Disconnect clients that have kept the server waiting too long."""
        for visitor in list(self.active_channels.values()):
            patience = self._patience.get(visitor.state())
            if patience is not None and time.monotonic() - visitor.since > patience:
                visitor.hang_up()

    def handle_accept(self) -> None:
        """Accept a client; if that is one too many, disconnect the slowest."""
        super().handle_accept()
        there = [visitor for visitor in self.active_channels.values() if not visitor.will_close]
        if len(there) > self._most:
            slow = [visitor for visitor in there if visitor.state() is not State.WORKS]
            if slow:
                # a share of its time, as a client that reads an answer has at least sent a request,
                # and who came just now isn't to leave for those who read nothing
                max(slow, key=self._used_up).hang_up()

    def _used_up(self, visitor: Visitor) -> float:
        """The share of its time that a client has used."""
        return (time.monotonic() - visitor.since) / self._patience[visitor.state()]


def room() -> int:
    """How many clients this program has files for: a connection each, and perhaps an answer."""
    files, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    return MOST if files == resource.RLIM_INFINITY else max(8, min(MOST, (files - 64) // 2))
