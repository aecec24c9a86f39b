"""Where each page of a site is in its archive: an address of the site as a file."""

from __future__ import annotations

import posixpath
from dataclasses import dataclass
from typing import Any
from urllib.parse import parse_qs, urlsplit

from flask import Flask
from werkzeug.exceptions import HTTPException
from werkzeug.routing import MapAdapter

from leaderboard.proof.season_file import file_name

PLACES = ("leg", "page", "bots")
"""The query parameters that make another page; those that sort or search a page don't."""

MATCH, SEASON_FILE, ASSETS = "pages.match", "pages.season_file", ("static", "style_sheet")

LEFT_OUT = ("pages.repro", "pages.llms")
"""What is of no use without the site: questions as files, and what tells programs of its API."""


@dataclass(frozen=True, slots=True)
class Target:
    """A page, a file or an asset: where it is on the site, and in the archive.

    `about` are the values in its address.
    """

    endpoint: str
    url: str
    file: str
    about: tuple[tuple[str, Any], ...] = ()

    @property
    def key(self) -> str:
        return str(dict(self.about)["key"])

    @property
    def is_packed(self) -> bool:
        """Whether a script shows it: a match, or one of the further pages of a long list."""
        return self.endpoint == MATCH or "?" in self.url


class Addresses:
    """Finds the targets of a site's links."""

    def __init__(self, app: Flask) -> None:
        self._map: MapAdapter = app.url_map.bind("localhost")

    def target(self, url: str) -> Target | None:
        """What an address of the site leads to; None if that is in no archive."""
        parts = urlsplit(url)
        if parts.scheme or parts.netloc or not parts.path.startswith("/"):
            return None
        try:
            endpoint, about = self._map.match(parts.path)
        except HTTPException:
            return None
        path = parts.path.strip("/")
        if endpoint in ASSETS:
            return Target(endpoint, parts.path, path)
        if not endpoint.startswith("pages.") or endpoint in LEFT_OUT:
            return None
        values = tuple(about.items())
        if endpoint == MATCH:
            return Target(endpoint, parts.path, f"{path}.html", values)
        if endpoint == SEASON_FILE:
            name = file_name(about["name"], about["number"])
            return Target(endpoint, parts.path, f"{posixpath.dirname(path)}/{name}", values)
        if endpoint == "pages.protocol_text":
            return Target(endpoint, parts.path, path, values)
        asked = parse_qs(parts.query)
        kept = [
            (name, asked[name][0])
            for name in PLACES
            if asked.get(name, ["1"])[0] != "1" or (name == "leg" and name in asked)
        ]
        query = "&".join(f"{name}={value}" for name, value in kept)
        file = "_".join((path or "index", *(f"{name}-{value}" for name, value in kept)))
        return Target(endpoint, f"{parts.path}{'?' * bool(query)}{query}", f"{file}.html", values)


def relative(file: str, to: str) -> str:
    """The link from one file of the archive to another one."""
    return posixpath.relpath(to, posixpath.dirname(file) or ".")
