"""Caches of computed values and of pages."""

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
"""Fits of a running season take at most about a twentieth of a processor's time."""


class ThrottledCache(Generic[Value]):
    """A cached value that is computed again when its state changes.

    After a computation that took t seconds, it stays for `patience` · t seconds even if the state
    changes.
    """

    def __init__(self, patience: float = 0.0, clock: Callable[[], float] = time.monotonic) -> None:
        self.patience = patience
        self._clock = clock
        self._cached: tuple[Hashable, Value] | None = None
        self._ended = self._took = 0.0

    def at(self, state: Hashable, work_out: Callable[[], Value]) -> Value:
        """Return the value for this state, or for a state shortly before."""
        began = self._clock()
        if self._cached is None or (
            self._cached[0] != state and began >= self._ended + self.patience * self._took
        ):
            self._cached = state, work_out()
            self._ended = self._clock()
            self._took = self._ended - began
        return self._cached[1]


PATIENCE = 20.0
"""Each page takes at most about a twentieth of a processor's time."""

LONGEST = 10.0
"""The most seconds for which a page is cached."""

PAGES = 256
"""The most pages in the cache."""

LARGEST = 256 * 1024
"""The most bytes of a cached page."""

CACHED_TYPES = ("text/html", "application/json")


@dataclass(frozen=True, slots=True)
class _Page:
    """A written page, and the end of its validity."""

    body: bytes
    headers: Sequence[tuple[str, str]]
    until: float


class PageCache:
    """Recently requested pages, each cached for `patience` times as long as it took to write.

    Pages with `no-store` are not cached. Requests for which `private` is true bypass the cache,
    since their reader sees more results than others. `state` is part of the key: it changes when
    the visible results change.
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
        """Answer requests of this application from the cache where possible."""
        app.before_request(self._cached)
        app.after_request(self._keep)

    def _cached(self) -> Response | None:
        """Return the cached page of this request, or start its clock."""
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
        began = g.pop("asked", None)
        public = not response.cache_control.no_store
        whole = public and response.status_code == 200 and response.mimetype in CACHED_TYPES
        if began is None or not whole or request.method != "GET":
            return response
        body = response.get_data()
        if len(body) <= LARGEST:
            now = time.monotonic()
            until = now + min(LONGEST, self._patience * (now - began))
            with self._lock:
                self._pages[g.kept_as] = _Page(body, [*response.headers], until)
                self._pages.move_to_end(g.kept_as)
                while len(self._pages) > PAGES:
                    self._pages.popitem(last=False)
        return response
