"""Requests: their size, rate and public address, and plain lines in the log."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable, Mapping
from copy import copy
from dataclasses import dataclass, field
from typing import Any, TextIO
from urllib.parse import urlsplit

from flask import Flask, Response, request
from flask_limiter import Limiter
from waitress.parser import HTTPRequestParser, ParsingError
from waitress.utilities import Error
from werkzeug.exceptions import BadRequest, NotFound

from card_arena.common.text import one_line, printable
from card_arena.leaderboard.web.api.failures import wants_json
from card_arena.leaderboard.web.client_address import by_address

HEAD_ONLY = 1024
"""The most bytes of a body of a request for a page."""

AT_ONCE = 8
"""Large requests that one person may be sending at the same time."""


@dataclass(frozen=True, slots=True)
class Allowance:
    """At most `most` bytes from the person `whose`; empty for an anonymous request."""

    most: int = HEAD_ONLY
    whose: str = ""


Allowing = Callable[[Mapping[str, str]], Allowance]
"""Returns the allowance of a request by its header, a mapping from HEADER_NAMES to values."""


def nothing(_: Mapping[str, str]) -> Allowance:
    """For pages that only read."""
    return Allowance()


class TooMany(Error):  # type: ignore[misc]
    """A person sends too many large requests at the same time."""

    code = 429
    reason = "Too Many Requests"


class Request(HTTPRequestParser):  # type: ignore[misc]
    """A request that is being read, with the allowance that its head gives it.

    `sending` counts those of a person that are being read now; it may not exceed `AT_ONCE`.
    """

    path = ""
    """The requested path; waitress reads it before it sets it."""

    def __init__(self, adjustments: Any, allowed: Allowing, sending: Callable[[str], int]) -> None:
        super().__init__(adjustments)
        self._allowed = allowed
        self._sending = sending
        self.whose = ""

    def received(self, data: bytes) -> int:
        """Read data; return how much of it belongs to this request."""
        taken = int(super().received(data))
        if self.completed:
            self.expect_continue = False  # or waitress would wait for the rejected body
        return taken

    def parse_header(self, header_plus: bytes) -> None:
        """Read the header; its allowance holds for this request alone."""
        try:
            super().parse_header(header_plus)
        except ValueError as error:  # of a host such as [::1, or a length with thousands of digits
            raise ParsingError("Invalid address or length") from error
        if self.content_length <= 0 and not self.chunked:
            return
        allowance = self._allowed(self.headers)
        self.adj: Any = copy(self.adj)
        # waitress rejects a body as large as its limit
        self.adj.max_request_body_size = allowance.most + 1
        if allowance.whose and (self.chunked or self.content_length > HEAD_ONLY):
            if self._sending(allowance.whose) >= AT_ONCE:
                self.error = TooMany(f"{AT_ONCE} files at a time")
                self.completed = True
            self.whose = allowance.whose


def refuse_nul() -> None:
    """Reject an address with a NUL in it; raises `NotFound` and `BadRequest`."""
    if "\0" in request.path:
        raise NotFound
    if any("\0" in value for pair in request.args.items(multi=True) for value in pair):
        raise BadRequest("The query contains the character NUL.")


def refuse_nul_in_forms() -> None:
    """Reject a form with a NUL in it; raises `BadRequest`.

    Programs send JSON, which is checked where it is read.
    """
    if not wants_json() and any("\0" in value for _, value in request.form.items(multi=True)):
        raise BadRequest("A field of the form contains the character NUL.")


@dataclass
class RateLimits:
    """The rates, such as "60/minute", of a blueprint or of a single endpoint; others have none.

    Requests with the same rate are counted together, for all pages of a blueprint. `who` returns
    the key of the person or address of a request. Counts are in memory, and a restart resets them.
    """

    who: Callable[[], str]
    blueprints: dict[str, str] = field(default_factory=dict)
    endpoints: dict[str, str] = field(default_factory=dict)

    def of_request(self) -> str:
        """The rate that holds for the present request; empty if there is none."""
        blueprint = self.blueprints.get(request.blueprint or "", "")
        return self.endpoints.get(request.endpoint or "", blueprint)


def limit_rates(app: Flask) -> RateLimits:
    """Refuse requests of a site that come too fast, with status 429 and a Retry-After."""
    limits = RateLimits(by_address)
    app.after_request(_told_to_wait)  # Limiter's own comes first: the last one is called first
    Limiter(
        key_func=lambda: limits.who(),
        app=app,
        application_limits=[limits.of_request],
        application_limits_exempt_when=lambda: not limits.of_request(),
        storage_uri="memory://",
        headers_enabled=True,
    )
    app.extensions["rates"] = limits
    return limits


def _told_to_wait(answer: Response) -> Response:
    """Remove `Retry-After` from other answers: on a redirect it would delay the next request."""
    if answer.status_code not in (429, 503):
        answer.headers.pop("Retry-After", None)
    return answer


def rates(app: Flask) -> RateLimits:
    """The limits of a site."""
    limits = app.extensions["rates"]
    assert isinstance(limits, RateLimits)
    return limits


Wsgi = Callable[[dict[str, Any], Any], Iterable[bytes]]


class BadAddress(ValueError):
    """Not a possible address of the site."""


@dataclass(frozen=True, slots=True)
class PublicAddress:
    """The pages' address in parts: `https`, `cards.example` and the path below it, `/arena`.

    `host` may end with a port; `prefix` is empty if the pages are at the root of the site.
    """

    scheme: str
    host: str
    prefix: str

    def __str__(self) -> str:
        """Write it as a browser does, without a slash at the end."""
        return f"{self.scheme}://{self.host}{self.prefix}"


def public_address(text: str) -> PublicAddress:
    """Read an address such as `https://cards.example/arena`; raises `BadAddress`."""
    expected = "expected one such as https://cards.example or https://cards.example/arena"
    try:
        parts = urlsplit(text)
        port = parts.port
    except ValueError:
        raise BadAddress(f"{text!r} is not an address: {expected}") from None
    if parts.scheme not in ("http", "https") or not parts.hostname:
        raise BadAddress(f"{text!r} is not the address of a site: {expected}")
    if parts.query or parts.fragment or parts.username or not _plain(parts.path):
        raise BadAddress(f"{text!r} has more than a scheme, a host and a path: {expected}")
    host = f"[{parts.hostname}]" if ":" in parts.hostname else parts.hostname
    return PublicAddress(
        parts.scheme, host if port is None else f"{host}:{port}", parts.path.rstrip("/")
    )


def _plain(path: str) -> bool:
    """Whether a path needs no escaping in an address, a header or a page."""
    return (
        path.isascii()
        and all(sign.isalnum() or sign in "/-._~" for sign in path)
        and "//" not in path
    )


class PublicAddressMiddleware:
    """WSGI middleware that makes every link of the pages one that visitors can reach.

    Requests may come with the prefix, or without it if the proxy removes it. No header is trusted:
    no request can change the targets of links.
    """

    def __init__(self, pages: Wsgi, address: PublicAddress) -> None:
        self._pages = pages
        self._address = address

    def __call__(self, environ: dict[str, Any], start_response: Any) -> Iterable[bytes]:
        path, prefix = environ.get("PATH_INFO", ""), self._address.prefix
        if prefix and (path == prefix or path.startswith(f"{prefix}/")):
            path = path[len(prefix) :]
        environ |= {
            "wsgi.url_scheme": self._address.scheme,
            "HTTP_HOST": self._address.host,
            "SCRIPT_NAME": prefix,
            "PATH_INFO": path or "/",
        }
        return self._pages(environ, start_response)


class PlainLines(logging.Formatter):
    """A record as one line, and a traceback below it; unprintable characters are spelled out.

    A request controls part of the logged text, so it must not be able to add lines.
    """

    def format(self, record: logging.LogRecord) -> str:
        """Write a record."""
        plain = copy(record)
        plain.msg, plain.args = one_line(record.getMessage()), None
        return printable(super().format(plain))


def log_plainly(stream: TextIO | None = None) -> logging.Handler:
    """Have everything logged in plain lines, on standard error or another stream."""
    handler = logging.StreamHandler(stream)
    handler.setFormatter(PlainLines("%(asctime)s %(levelname)s %(name)s: %(message)s"))
    logging.getLogger().addHandler(handler)
    return handler
