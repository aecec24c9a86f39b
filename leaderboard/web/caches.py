"""Keeping what takes long to work out, for many readers."""

from __future__ import annotations

import time
from collections import OrderedDict
from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass
from threading import Lock
from typing import Generic, TypeVar

from flask import Flask, Response, g, request
from werkzeug.datastructures import Headers

Value = TypeVar("Value")

WAIT = 20.0
"""Fits of a season that is being played take at most about a twentieth of a processor's time."""


class ThrottledCache(Generic[Value]):
    """A value, kept until what it follows from has changed.

    With `patience` it is kept for so many times as long as it took, even if that has changed; a
    value that takes no time is always the newest.
    """

    def __init__(self, patience: float = 0.0, clock: Callable[[], float] = time.monotonic) -> None:
        self.patience = patience
        self._clock = clock
        self._found: tuple[Hashable, Value] | None = None
        self._ended = self._took = 0.0

    def at(self, state: Hashable, work_out: Callable[[], Value]) -> Value:
        """The value at this state of what it follows from, or at a state shortly before."""
        began = self._clock()
        if self._found is None or (
            self._found[0] != state and began >= self._ended + self.patience * self._took
        ):
            self._found = state, work_out()
            self._ended = self._clock()
            self._took = self._ended - began
        return self._found[1]


PATIENCE = 20.0
"""Each page is written for at most about a twentieth of the time."""

LONGEST = 10.0
"""The most seconds for which a page is kept."""

PAGES = 256
"""How many pages are kept."""


LARGEST = 256 * 1024
"""The most bytes of a page that is kept."""

KEPT = ("text/html", "application/json")
"""What pages are made of: for people, and for programs."""


@dataclass(frozen=True, slots=True)
class _Page:
    """A page as it was written, and until when it is shown."""

    body: bytes
    headers: Sequence[tuple[str, str]]
    until: float


class PageCache:
    """The pages that were asked for lately, each kept for `patience` times as long as it took.

    Pages that are about somebody may not be stored, and say so; those that somebody sees with more
    results on them than others are `private`, and neither kept nor taken from here. A page that was
    written in another `state` is none: more or less is shown now.
    """

    def __init__(
        self,
        patience: float,
        private: Callable[[], bool] = lambda: False,
        state: Callable[[], Hashable] = lambda: None,
    ) -> None:
        self._patience = patience
        self._private = private
        self._state = state
        self._pages: OrderedDict[Hashable, _Page] = OrderedDict()
        self._lock = Lock()

    def watch(self, app: Flask) -> None:
        """Answer requests of this application from here where that is possible."""
        app.before_request(self._found)
        app.after_request(self._keep)

    def _found(self) -> Response | None:
        """The kept page for this request, if there is one; else the clock is started."""
        if self._private():
            return None
        now = time.monotonic()
        g.kept_as = (request.url, self._state())
        with self._lock:
            page = self._pages.get(g.kept_as) if request.method == "GET" else None
        if page is not None and now < page.until:
            return Response(page.body, headers=Headers(page.headers))
        g.asked = now
        return None

    def _keep(self, response: Response) -> Response:
        asked = g.pop("asked", None)
        public = not response.cache_control.no_store
        whole = public and response.status_code == 200 and response.mimetype in KEPT
        if asked is None or not whole or request.method != "GET":
            return response
        body = response.get_data()
        if len(body) <= LARGEST:
            now = time.monotonic()
            until = now + min(LONGEST, self._patience * (now - asked))
            with self._lock:
                self._pages[g.kept_as] = _Page(body, [*response.headers], until)
                self._pages.move_to_end(g.kept_as)
                while len(self._pages) > PAGES:
                    self._pages.popitem(last=False)
        return response
