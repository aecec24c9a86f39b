"""Server-sent events (HTML standard, section 9.2): open pages are told what happens.

A `Topic` holds the events of one subject, each as the bytes that all its readers get. A reader is a
position in a topic, so a reader that doesn't read costs no memory.

The arena's own server hands the connection of a stream over to the `Hub` (by `Connection`, in the
environ of the request). The thread that answered is then free, and one thread sends to all readers.
Under another WSGI server the answer is a generator that waits for events.
"""

from __future__ import annotations

import logging
import socket
import time
from bisect import bisect_right
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from threading import Condition, Thread
from typing import Protocol
from weakref import WeakSet

from flask import Flask, Response, request
from werkzeug.exceptions import ServiceUnavailable, TooManyRequests

from card_arena.leaderboard.web.client_address import by_address
from card_arena.results.errors import StoreError

logger = logging.getLogger(__name__)

MOST_STREAMS = 1000
"""Readers at a time, if the program may have a file open for each."""

MOST_OF_ADDRESS = 60
"""Readers at a time from one address, which may be that of a whole class."""

STALLED = 20.0
"""Seconds after which a reader that takes nothing is disconnected."""

QUIET = 15.0
"""Seconds without an event after which a comment is sent."""

IN_KERNEL = 64 * 1024
"""Bytes that the kernel keeps for a reader."""

LOOK = 0.5
"""Seconds between two looks for readers that are gone, stalled or quiet, or can take more again."""

AFTER_FAILURE = 5.0
"""Seconds until a source that failed is called again."""

RETRY = 10
"""Seconds after which a rejected reader may try again."""

BEGINNING = b"retry: 2000\n\n"
COMMENT = b":\n\n"

CONNECTION = "arena.connection"
"""The key of the `Connection` in the environ of a request."""


class Connection(Protocol):
    """The connection of a request, from a server that can hand it over."""

    @property
    def most_streams(self) -> int:
        """The number of streams for which the server has files."""

    def hand_over(self) -> tuple[socket.socket, bytes]:
        """Return the socket, and the header of the answer, which is still to be sent."""


@dataclass(eq=False)
class Topic:
    """The events of one subject, in the order of their ids. `Hub.topic` makes it; thread-safe.

    Readers come back with the id of their last event, even after a restart. A maker that gives ids
    gives the same event the same id each time. Other ids begin with the time in milliseconds, so
    that they are above those of an earlier topic with this name.
    """

    name: str
    changed: Condition
    poll: Callable[[Topic], None] | None
    every: float
    kept: bool
    readers: WeakSet[Reader] = field(default_factory=WeakSet, init=False)
    last_id: int = field(default=-1, init=False)
    due: float = field(default=0.0, init=False)
    failing: bool = field(default=False, init=False)
    _events: list[tuple[int, bytes]] = field(default_factory=list, init=False)

    def publish(self, event: str, data: str, id: int | None = None) -> int:
        """Add an event, whose name is one line; return its id.

        Raises `ValueError` if the id is not above those before.
        """
        lines = data.replace("\r\n", "\n").replace("\r", "\n").split("\n")
        body = "".join(f"data: {line}\n" for line in lines)
        with self.changed:
            following = self.last_id + 1 if self.last_id >= 0 else time.time_ns() // 10**6
            number = following if id is None else id
            if number <= self.last_id:
                raise ValueError(f"event {number} of {self.name} comes after event {self.last_id}")
            self._events.append((number, f"id: {number}\nevent: {event}\n{body}\n".encode()))
            self.last_id = number
            self.changed.notify_all()
        return number

    def next_after(self, last_id: int) -> tuple[int, bytes]:
        """Return the first event after `last_id`: its id and its text; no text if there is none."""
        with self.changed:
            at = self._index(last_id)
            return self._events[at] if at < len(self._events) else (self.last_id, b"")

    def forget(self, before_id: int) -> None:
        """Remove the events with ids below `before_id`, also for readers that lack them."""
        with self.changed:
            del self._events[: self._index(before_id - 1)]

    def _index(self, last_id: int) -> int:
        return bisect_right(self._events, last_id, key=lambda event: event[0])


class Reader:
    """A position in a topic, and the connection of the client that reads there."""

    def __init__(self, topic: Topic, address: str, last_id: int) -> None:
        self.topic = topic
        self.address = address
        self.last_sent = time.monotonic()
        self.socket: socket.socket | None = None
        self.rest = memoryview(b"")
        """The unsent rest of the last text."""
        self.waits = False
        """Whether the connection has not taken the rest at once."""
        self._last_id = last_id

    @property
    def has_more(self) -> bool:
        """Whether there are events that it has not taken."""
        return self._last_id < self.topic.last_id

    def take(self) -> bytes:
        """Return the next event of its topic; nothing if it has all of them."""
        if not self.has_more:
            return b""
        self._last_id, text = self.topic.next_after(self._last_id)
        return text

    def push(self) -> None:
        """Send what the connection takes at once; raises `OSError` if it is closed."""
        assert self.socket is not None
        try:
            while self.rest or (text := self.take()):
                self.rest = self.rest or memoryview(text)
                self.rest = self.rest[self.socket.send(self.rest) :]
                self.last_sent = time.monotonic()
            self.waits = False
        except BlockingIOError:
            if not self.waits:
                self.waits, self.last_sent = True, time.monotonic()

    def look(self) -> None:
        """Send again, or a comment after a quiet time.

        Raises `OSError` if the client has ended its side or has taken nothing for too long.
        """
        assert self.socket is not None
        with suppress(BlockingIOError):
            if not self.socket.recv(4096):  # what else clients send is ignored
                raise ConnectionResetError
        quiet = time.monotonic() - self.last_sent
        if self.rest and quiet > STALLED:
            raise TimeoutError
        if not self.rest and quiet > QUIET:
            self.rest = memoryview(COMMENT)
        self.push()


class Hub:
    """The topics of a site, and their readers.

    There are at most `most` readers at a time, and `most_of_address` from one address.
    """

    def __init__(self, most: int = MOST_STREAMS, most_of_address: int = MOST_OF_ADDRESS) -> None:
        self.most = most
        self.most_of_address = most_of_address
        self._changed = Condition()
        self._topics: dict[str, Topic] = {}
        # weak, so that an answer which fails before it is sent keeps no place
        self._readers: WeakSet[Reader] = WeakSet()
        self._connected: list[Reader] = []
        """The readers whose connections were handed over; the thread that sends removes them."""
        self._sender: Thread | None = None
        self._poller: Thread | None = None
        self._closed = False

    def topic(
        self,
        name: str,
        poll: Callable[[Topic], None] | None = None,
        every: float = 1.0,
        *,
        kept: bool = False,
    ) -> Topic:
        """Return the topic of this name, or make it: with `kept` for ever, else for its readers.

        `poll` publishes what is new. It is called every so many seconds while there are readers, by
        one thread for all topics, outside a request.
        """
        with self._changed:
            topic = self._topics.get(name) or Topic(name, self._changed, poll, every, kept)
            if kept:
                self._topics[name] = topic
            return topic

    def stream(self, topic: Topic) -> Response:
        """Answer this request with the events of a topic after its `Last-Event-ID`, or with all.

        A query parameter `after` counts where that header is missing. Raises `ServiceUnavailable`
        and `TooManyRequests` if there are too many readers.
        """
        connection: Connection | None = request.environ.get(CONNECTION)
        reader = self._join(topic, by_address(), _last_id(), connection)

        def leave() -> None:
            if reader.socket is None:
                self._leave(reader)

        chunks = self._wait(reader) if connection is None else self._hand_over(reader, connection)
        response = Response(chunks, mimetype="text/event-stream")
        response.headers["Cache-Control"] = "no-store"
        response.headers["X-Accel-Buffering"] = "no"  # or nginx would collect events
        response.call_on_close(leave)
        return response

    def close(self) -> None:
        """End all streams; there will be no more of them."""
        with self._changed:
            self._closed = True
            self._changed.notify_all()
        if self._sender:
            self._sender.join(LOOK)

    def _join(
        self, topic: Topic, address: str, last_id: int, connection: Connection | None
    ) -> Reader:
        most = self.most if connection is None else min(self.most, connection.most_streams)
        with self._changed:
            if self._closed or len(self._readers) >= most:
                raise ServiceUnavailable(
                    f"{most} readers follow live pages, and there is no room for more:"
                    " try again later.",
                    retry_after=RETRY,
                )
            if sum(reader.address == address for reader in self._readers) >= self.most_of_address:
                raise TooManyRequests(
                    f"{self.most_of_address} live pages are open at your address:"
                    " close some of them.",
                    retry_after=RETRY,
                )
            # others may have made or left this topic meanwhile
            topic = self._topics.setdefault(topic.name, topic)
            reader = Reader(topic, address, last_id)
            self._readers.add(reader)
            topic.readers.add(reader)
            if topic.poll and self._poller is None:
                self._poller = Thread(target=self._poll, name="polling", daemon=True)
                self._poller.start()
            self._changed.notify_all()
        return reader

    def _leave(self, reader: Reader) -> None:
        with self._changed:
            self._readers -= {reader}
            topic = reader.topic
            topic.readers -= {reader}
            if not topic.readers and not topic.kept and self._topics.get(topic.name) is topic:
                del self._topics[topic.name]

    def _wait(self, reader: Reader) -> Iterator[bytes]:
        """Yield events as they come."""
        yield BEGINNING
        while not self._closed:
            with self._changed:
                self._changed.wait_for(lambda: self._closed or reader.has_more, QUIET)
                text = reader.take()
            yield text or COMMENT

    def _hand_over(self, reader: Reader, connection: Connection) -> Iterator[bytes]:
        """Yield nothing: one thread sends to all connections."""
        reader.socket, header = connection.hand_over()
        reader.socket.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, IN_KERNEL)
        # for clients whose machine is gone
        reader.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, int(1000 * STALLED))
        reader.rest = memoryview(header + BEGINNING)
        with self._changed:
            if self._closed:
                reader.socket.close()
                return
            self._connected.append(reader)
            if self._sender is None:
                self._sender = Thread(target=self._send, name="streams", daemon=True)
                self._sender.start()
            self._changed.notify_all()
        yield from ()

    def _send(self) -> None:
        """Send to the connections that were handed over; this thread alone touches them."""
        looked = time.monotonic()
        while not self._closed:
            with self._changed:
                self._changed.wait_for(lambda: self._closed or self._with_news(), LOOK)
                readers = self._with_news()
                if looks := time.monotonic() - looked >= LOOK:
                    readers, looked = [*self._connected], time.monotonic()
            for reader in readers:
                try:
                    (reader.look if looks else reader.push)()
                except OSError:
                    self._disconnect(reader)
        for reader in [*self._connected]:
            self._disconnect(reader)

    def _with_news(self) -> list[Reader]:
        """The connections that have taken everything so far, and for which there is more."""
        return [
            reader
            for reader in self._connected
            if not reader.waits and (reader.rest or reader.has_more)
        ]

    def _disconnect(self, reader: Reader) -> None:
        assert reader.socket is not None
        with self._changed:
            self._connected.remove(reader)
        reader.socket.close()
        self._leave(reader)

    def _poll(self) -> None:
        """Call the sources of topics with readers."""
        while True:
            with self._changed:
                if self._closed:
                    return
                now = time.monotonic()
                polled = [topic for topic in self._topics.values() if topic.poll and topic.readers]
                due = [topic for topic in polled if topic.due <= now]
                if not due:
                    first = min((topic.due for topic in polled), default=None)
                    self._changed.wait(None if first is None else first - now)
            for topic in due:
                _call(topic)


def _call(topic: Topic) -> None:
    """Call the source of a topic; a failure is logged once, and waited out."""
    assert topic.poll is not None
    wait = topic.every
    try:
        topic.poll(topic)
        topic.failing = False
    except Exception as error:
        wait = max(wait, AFTER_FAILURE)
        if not topic.failing:
            logger.error(
                "the live page %s waits: %s",
                topic.name,
                error,
                exc_info=not isinstance(error, StoreError),
            )
        topic.failing = True
    topic.due = time.monotonic() + wait


def _last_id() -> int:
    """Return the id after which events are requested; -1 for all of them."""
    text = request.headers.get("Last-Event-ID") or request.args.get("after", "")
    return int(text) if text.isascii() and text.isdigit() and len(text) < 19 else -1


def streams(app: Flask) -> Hub:
    """Return the hub of a site."""
    hub = app.extensions["streams"]
    assert isinstance(hub, Hub)
    return hub
