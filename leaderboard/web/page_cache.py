"""Pages kept for a moment, so that many readers of one page cost as much as one."""

from __future__ import annotations

import time
from collections import OrderedDict
from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass
from threading import Lock

from flask import Flask, Response, g, request
from werkzeug.datastructures import Headers

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
