"""Server-sent events (HTML standard, section 9.2): open pages are told what happens.

A `Topic` holds the events of one subject, each as the bytes that all its readers get. A reader is a
position in a topic, so a reader that doesn't read costs no memory.

The arena's own server hands the connection of a stream over to the `Hub` (by `Connection`, in the
environ of the request). The thread that answered is then free, and one thread sends to all readers.
Under another WSGI server the answer is a generator that waits for events.
"""

from __future__ import annotations

import logging
import os
import select
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

from leaderboard.web.client_address import by_address
from results.errors import StoreError

logger = logging.getLogger(__name__)

MOST_STREAMS = 1000
"""Readers at a time, if the program may have a file open for each."""

MOST_OF_ADDRESS = 60
"""Readers at a time from one address, which may be that of a whole class."""

MOST_WAITING = 256 * 1024
"""Bytes of new events that may wait for a reader; then it is disconnected."""

STALLED = 20.0
"""Seconds after which a reader that takes nothing is disconnected."""

QUIET = 15.0
"""Seconds without an event after which a comment is sent."""

IN_KERNEL = 64 * 1024
"""Bytes that the kernel keeps for a reader."""

PIECE = 16 * 1024
"""The most bytes of several events that are sent at once."""

LOOK = 1.0
"""Seconds between two looks for stalled and quiet readers."""

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
    published: Callable[[Topic], None]
    poll: Callable[[Topic], None] | None
    every: float
    pause: float
    kept: bool
    readers: WeakSet[Reader] = field(default_factory=WeakSet, init=False)
    last_id: int = field(default=-1, init=False)
    due: float = field(default=0.0, init=False)
    failing: bool = field(default=False, init=False)
    paused_until: float = field(default=0.0, init=False)
    _ids: list[int] = field(default_factory=list, init=False)
    _texts: list[bytes] = field(default_factory=list, init=False)
    _ends: list[int] = field(default_factory=list, init=False)
    """The bytes of all events up to each of them."""

    def publish(self, event: str, data: str, id: int | None = None) -> int:
        """Add an event; return its id.

        Raises `ValueError` if the id is not above those before, or the name is not one line.
        """
        if not event or "\n" in event or "\r" in event:
            raise ValueError(f"the name of an event of {self.name} must be one line: {event!r}")
        lines = data.replace("\r\n", "\n").replace("\r", "\n").split("\n")
        body = "".join(f"data: {line}\n" for line in lines)
        with self.changed:
            following = self.last_id + 1 if self.last_id >= 0 else time.time_ns() // 10**6
            number = following if id is None else id
            if number <= self.last_id:
                raise ValueError(f"event {number} of {self.name} comes after event {self.last_id}")
            text = f"id: {number}\nevent: {event}\n{body}\n".encode()
            self._ends.append(len(text) + (self._ends[-1] if self._ends else 0))
            self._ids.append(number)
            self._texts.append(text)
            self.last_id = number
            self.published(self)
        return number

    def since(self, last_id: int, most: int | None = None) -> tuple[bytes, int]:
        """Return the events after `last_id` as text, and the id of the last of them.

        With `most`, return only the first of them that have so many bytes together, and at least
        one.
        """
        with self.changed:
            first, stop = bisect_right(self._ids, last_id), len(self._ids)
            if first == stop:
                return b"", last_id
            if most is not None:
                begin = self._ends[first] - len(self._texts[first])
                stop = max(first + 1, bisect_right(self._ends, begin + most))
            return b"".join(self._texts[first:stop]), self._ids[stop - 1]

    def size_since(self, last_id: int) -> int:
        """Return the bytes of the events after `last_id`."""
        with self.changed:
            first = bisect_right(self._ids, last_id)
            if first == len(self._ids):
                return 0
            return self._ends[-1] - self._ends[first] + len(self._texts[first])

    def forget(self, before_id: int) -> None:
        """Remove the events with ids below `before_id`, also for readers that lack them."""
        with self.changed:
            stop = bisect_right(self._ids, before_id - 1)
            del self._ids[:stop], self._texts[:stop], self._ends[:stop]


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
        self._most_behind = topic.size_since(last_id) + MOST_WAITING

    @property
    def has_more(self) -> bool:
        """Whether there are events that it has not taken."""
        return self._last_id < self.topic.last_id

    @property
    def is_behind(self) -> bool:
        """Whether too many bytes wait for this reader, besides those from before it came."""
        return self.topic.size_since(self._last_id) > self._most_behind

    def take(self) -> bytes:
        """Return the next events of its topic; nothing if it has all of them."""
        if not self.has_more:
            return b""
        text, self._last_id = self.topic.since(self._last_id, PIECE)
        return text


class Sender(Thread):
    """The thread that sends to all connections that were handed over; it alone touches them."""

    def __init__(self, changed: Condition, leave: Callable[[Reader], None]) -> None:
        super().__init__(name="streams", daemon=True)
        self._changed = changed
        self._leave = leave
        self._stopped = False
        self._unsent: set[Topic] = set()
        self._arrived: list[Reader] = []
        self._connected: dict[int, Reader] = {}
        self._epoll = select.epoll()
        self._wake = os.eventfd(0, os.EFD_NONBLOCK | os.EFD_CLOEXEC)
        self._epoll.register(self._wake, select.EPOLLIN)

    def add(self, reader: Reader) -> None:
        """Send to this reader from now on."""
        with self._changed:
            self._arrived.append(reader)
            self._wake_up()

    def changed(self, topic: Topic) -> None:
        """Send what is new in this topic."""
        with self._changed:
            self._unsent.add(topic)
            self._wake_up()

    def stop(self) -> None:
        """Close all connections."""
        with self._changed:
            self._wake_up()
            self._stopped = True
        self.join(LOOK)

    def _wake_up(self) -> None:
        if not self._stopped:
            os.eventfd_write(self._wake, 1)

    def run(self) -> None:
        """Send until stopped."""
        looked = time.monotonic()
        wait = -1.0
        while not self._stopped:
            ready = self._epoll.poll(wait)
            now = time.monotonic()
            with self._changed:
                with suppress(BlockingIOError):
                    os.eventfd_read(self._wake)
                unsent = {topic for topic in self._unsent if topic.paused_until <= now}
                self._unsent -= unsent
                resumes = min((topic.paused_until for topic in self._unsent), default=now + LOOK)
                arrived, self._arrived = self._arrived, []
            for file, happened in ready:
                # a file that is closed here is not opened again before the arrivals
                if reader := self._connected.get(file):
                    if happened & ~select.EPOLLOUT:
                        self._disconnect(reader)
                    else:
                        self._push(reader)
            for reader in arrived:
                self._connect(reader)
            for topic in unsent:
                topic.paused_until = now + topic.pause
                self._push_all(topic)
            if now - looked >= LOOK:
                looked = now
                self._look(now)
            wait = min(resumes, looked + LOOK) - now if self._connected else -1.0
        for reader in [*self._connected.values(), *self._arrived]:
            self._disconnect(reader)
        self._epoll.close()
        os.close(self._wake)

    def _connect(self, reader: Reader) -> None:
        assert reader.socket is not None
        reader.socket.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, IN_KERNEL)
        # for clients whose machine is gone
        reader.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, int(1000 * STALLED))
        self._connected[reader.socket.fileno()] = reader
        # a client that has ended its side is gone; what others still send is never read
        self._epoll.register(reader.socket, select.EPOLLRDHUP)
        self._push(reader)

    def _push_all(self, topic: Topic) -> None:
        with self._changed:
            readers = list(topic.readers)
        for reader in readers:
            if reader.socket is None or reader.socket.fileno() not in self._connected:
                continue
            if not reader.rest:
                self._push(reader)
            elif reader.is_behind:
                self._disconnect(reader)

    def _push(self, reader: Reader) -> None:
        """Send what the connection takes at once."""
        assert reader.socket is not None
        try:
            while reader.rest or (text := reader.take()):
                reader.rest = reader.rest or memoryview(text)
                reader.rest = reader.rest[reader.socket.send(reader.rest) :]
                reader.last_sent = time.monotonic()
        except BlockingIOError:
            pass
        except OSError:
            self._disconnect(reader)
            return
        if reader.waits != bool(reader.rest):
            reader.waits = not reader.waits
            flags = select.EPOLLRDHUP | (select.EPOLLOUT if reader.waits else 0)
            self._epoll.modify(reader.socket, flags)
            reader.last_sent = time.monotonic()

    def _look(self, now: float) -> None:
        for reader in list(self._connected.values()):
            if reader.rest and now - reader.last_sent > STALLED:
                self._disconnect(reader)
            elif not reader.rest and now - reader.last_sent > QUIET:
                reader.rest = memoryview(COMMENT)
                self._push(reader)

    def _disconnect(self, reader: Reader) -> None:
        assert reader.socket is not None
        self._connected.pop(reader.socket.fileno(), None)
        reader.socket.close()
        self._leave(reader)


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
        self._sender: Sender | None = None
        self._poller: Thread | None = None
        self._closed = False

    def topic(
        self,
        name: str,
        poll: Callable[[Topic], None] | None = None,
        every: float = 1.0,
        *,
        pause: float = 0.0,
        kept: bool = False,
    ) -> Topic:
        """Return the topic of this name, or make it: with `kept` for ever, else for its readers.

        `poll` publishes what is new. It is called every so many seconds while there are readers, by
        one thread for all topics, outside a request. With `pause`, events are sent together, so
        many seconds after those before, which is cheaper with many readers.
        """
        with self._changed:
            topic = self._topics.get(name) or Topic(
                name, self._changed, self._published, poll, every, pause, kept
            )
            if kept:
                self._topics[name] = topic
            return topic

    def drop(self, name: str) -> None:
        """Remove a topic that is kept, once it has no readers."""
        with self._changed:
            if topic := self._topics.get(name):
                topic.kept = False
                self._tidy(topic)

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
            self._sender.stop()

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
            reader.topic.readers -= {reader}
            self._tidy(reader.topic)

    def _tidy(self, topic: Topic) -> None:
        if not topic.readers and not topic.kept and self._topics.get(topic.name) is topic:
            del self._topics[topic.name]

    def _published(self, topic: Topic) -> None:
        self._changed.notify_all()
        if self._sender:
            self._sender.changed(topic)

    def _wait(self, reader: Reader) -> Iterator[bytes]:
        """Yield events as they come."""
        yield BEGINNING
        while not self._closed:
            with self._changed:
                self._changed.wait_for(lambda: self._closed or reader.has_more, QUIET)
                text = reader.take()
            yield text or COMMENT

    def _hand_over(self, reader: Reader, connection: Connection) -> Iterator[bytes]:
        """Yield nothing: the sender gets the connection."""
        reader.socket, header = connection.hand_over()
        reader.rest = memoryview(header + BEGINNING)
        with self._changed:
            if self._closed:
                reader.socket.close()
                return
            if self._sender is None:
                self._sender = Sender(self._changed, self._leave)
                self._sender.start()
            self._sender.add(reader)
        yield from ()

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
