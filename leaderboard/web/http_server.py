"""The server behind the pages, which no visitor can keep from the others by keeping it waiting.

waitress waits for whoever says a byte now and then, lets nobody else in once it has so many
connections, and never hangs up on somebody who takes no answer. Here whole requests and whole
answers have a deadline, and where there is no more room, those go that it has waited for longest.
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
"""Seconds in which a request must have come, from the connection or the last answer on."""

TAKING = 120.0
"""Seconds in which an answer must have been taken."""

MOST = 480
"""Connections at a time, where the program may have two files open for each."""


class State(Enum):
    """What the server does for a visitor at the moment."""

    WAITS = auto()
    WORKS = auto()
    SENDS = auto()


class Visitor(HTTPChannel):  # type: ignore[misc]
    """One connection, and for how long it has been as it is."""

    def __init__(self, *arguments: Any, **options: Any) -> None:
        self.since = time.monotonic()
        self._last = State.WAITS
        self._asked_at_once = False
        super().__init__(*arguments, **options)

    def received(self, data: bytes) -> bool:
        """Take in what was said; of several requests at once only the first is answered.

        No browser says several, and each answer that waits to be taken is an open file or memory.
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
        """Look what the server does for it; `since` says from when on."""
        state = State.SENDS if self.total_outbufs_len else State.WAITS
        if self.requests and state is State.WAITS:
            state = State.WORKS
        if state is not self._last:
            self._last = state
            self.since = time.monotonic()
        return state

    def hang_up(self) -> None:
        """End the connection, at the next turn of the server's loop."""
        self.will_close = True
        # without this the loop would wait until there is room for more of the answer
        with suppress(OSError):
            self.socket.shutdown(socket.SHUT_RDWR)


class Server(TcpWSGIServer):  # type: ignore[misc]
    """A server with deadlines, `asking` and `taking` in seconds, and room for `most` visitors."""

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
            connection_limit=2 * self._most,  # beyond our own bound, which lets newcomers in
            # nobody has anything to say but what to show
            max_request_header_size=16 * 1024,
            max_request_body_size=1024,
            log_socket_errors=False,  # who hangs up is no news
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
        """Hang up on who has kept the server waiting for too long."""
        for visitor in list(self.active_channels.values()):
            patience = self._patience.get(visitor.state())
            if patience is not None and time.monotonic() - visitor.since > patience:
                visitor.hang_up()

    def handle_accept(self) -> None:
        """Let somebody in, and where that is one too many, hang up on the slowest."""
        super().handle_accept()
        there = [visitor for visitor in self.active_channels.values() if not visitor.will_close]
        if len(there) > self._most:
            slow = [visitor for visitor in there if visitor.state() is not State.WORKS]
            if slow:
                # who takes an answer at least has asked for one
                min(slow, key=lambda one: (one.state() is State.SENDS, one.since)).hang_up()


def room() -> int:
    """How many visitors this program has files for: a connection each, and a long answer."""
    files, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    return MOST if files == resource.RLIM_INFINITY else max(8, min(MOST, (files - 64) // 2))
