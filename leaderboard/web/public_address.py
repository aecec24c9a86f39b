"""The address at which visitors reach the pages behind another server (a reverse proxy)."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlsplit

Wsgi = Callable[[dict[str, Any], Any], Iterable[bytes]]


class BadAddress(ValueError):
    """Not a possible address of the pages; the message says why."""


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
    wanted = "expected one such as https://cards.example or https://cards.example/arena"
    try:
        parts = urlsplit(text)
        port = parts.port
    except ValueError:
        raise BadAddress(f"{text!r} is not an address: {wanted}") from None
    if parts.scheme not in ("http", "https") or not parts.hostname:
        raise BadAddress(f"{text!r} is not the address of a site: {wanted}")
    if parts.query or parts.fragment or parts.username or not _plain(parts.path):
        raise BadAddress(f"{text!r} has more than a scheme, a host and a path: {wanted}")
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
    nothing that a visitor sends can change where links lead.
    """

    def __init__(self, pages: Wsgi, address: PublicAddress) -> None:
        self._pages = pages
        self._address = address

    def __call__(self, environ: dict[str, Any], start_response: Any) -> Iterable[bytes]:
        """Answer one request, by WSGI."""
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
