"""Pages kept for a moment, so that many readers of one page cost as much as one."""

from __future__ import annotations

import time
from collections import OrderedDict
from dataclasses import dataclass
from threading import Lock

from flask import Flask, Response, g, request

PATIENCE = 20.0
"""Each page is written for at most about a twentieth of the time."""

LONGEST = 10.0
"""The most seconds for which a page is kept."""

PAGES = 256
"""How many pages are kept."""


@dataclass(frozen=True, slots=True)
class _Page:
    """A page as it was written, and until when it is shown."""

    body: bytes
    until: float


class PageCache:
    """The pages that were asked for lately, each kept for `patience` times as long as it took.

    Everybody sees the same pages, as nobody logs in.
    """

    def __init__(self, patience: float) -> None:
        self._patience = patience
        self._pages: OrderedDict[str, _Page] = OrderedDict()
        self._lock = Lock()

    def watch(self, app: Flask) -> None:
        """Answer requests of this application from here where that is possible."""
        app.before_request(self._found)
        app.after_request(self._keep)

    def _found(self) -> Response | None:
        """The kept page for this request, if there is one; else the clock is started."""
        now = time.monotonic()
        with self._lock:
            page = self._pages.get(request.url) if request.method == "GET" else None
        if page is not None and now < page.until:
            return Response(page.body, mimetype="text/html")
        g.asked = now
        return None

    def _keep(self, response: Response) -> Response:
        asked = g.pop("asked", None)
        whole = response.status_code == 200 and response.mimetype == "text/html"
        if asked is not None and whole and request.method == "GET":
            now = time.monotonic()
            until = now + min(LONGEST, self._patience * (now - asked))
            with self._lock:
                self._pages[request.url] = _Page(response.get_data(), until)
                self._pages.move_to_end(request.url)
                while len(self._pages) > PAGES:
                    self._pages.popitem(last=False)
        return response
