"""Where each page of a site is in its archive: an address of the site as a file."""

from __future__ import annotations

import html
import posixpath
import re
import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

from flask import Flask
from werkzeug.exceptions import HTTPException
from werkzeug.routing import MapAdapter

from card_arena.common.errors import UserError
from card_arena.results.proof.season_file import file_name

PLACES = ("leg", "page", "bots")
"""The query parameters that make another page; those that sort or search a page don't."""

MATCH, SEASON_FILE, ASSETS = "pages.match", "pages.season_file", ("static", "style_sheet")

LEFT_OUT = ("pages.repro", "pages.llms", "pages.preview")
"""Pages that need the site: question files, the index for programs, and pictures of positions."""


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
        """The target of an address of the site; None if it is in no archive."""
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
        if endpoint in ("pages.protocol_text", "pages.protocol_transcript"):
            return Target(endpoint, parts.path, path, values)
        arguments = parse_qs(parts.query)
        parameters = [
            (name, arguments[name][0])
            for name in PLACES
            if arguments.get(name, ["1"])[0] != "1" or (name == "leg" and name in arguments)
        ]
        query = "&".join(f"{name}={value}" for name, value in parameters)
        file = "_".join((path or "index", *(f"{name}-{value}" for name, value in parameters)))
        return Target(endpoint, f"{parts.path}{'?' * bool(query)}{query}", f"{file}.html", values)


def relative(file: str, to: str) -> str:
    """The link from one file of the archive to another one."""
    return posixpath.relpath(to, posixpath.dirname(file) or ".")


MARK = ".card-arena-archive"
"""The file by which a folder is known as an archive."""


class NotAnArchive(UserError):
    """The place of an archive is taken."""


@contextmanager
def new_folder(place: Path) -> Iterator[Path]:
    """A folder to write an archive to, which is at `place` when all went well.

    An archive that is there is replaced, anything else is not: raises `NotAnArchive`.
    """
    place = place.absolute()
    if place.exists() and not _may_go(place):
        raise NotAnArchive(
            f"{place} is not an archive. Name a new or empty folder, or an archive to replace."
        )
    place.parent.mkdir(parents=True, exist_ok=True)
    new, old = (place.with_name(f".{place.name}.{word}") for word in ("new", "old"))
    for left in (new, old):
        if left.exists():
            shutil.rmtree(left)
    new.mkdir()
    try:
        (new / MARK).touch()
        yield new
        if place.exists():
            place.rename(old)
        new.rename(place)
    except BaseException:
        if old.exists() and not place.exists():
            old.rename(place)
        shutil.rmtree(new, ignore_errors=True)
        raise
    shutil.rmtree(old, ignore_errors=True)


def _may_go(place: Path) -> bool:
    return place.is_dir() and ((place / MARK).exists() or not any(place.iterdir()))


_FORM = re.compile("<form .*?</form>", re.DOTALL)
_LINK = re.compile(r'<a ([^>]*?)href="([^"]*)"([^>]*)>(.*?)</a>', re.DOTALL)
_ASSET = re.compile(r'(href|src)="(/[^"]*)"')
_TURN = re.compile(r"\bturn=(\d+)")
_GAME = re.compile(r"\bgame=(\d+)")


def targets(page: str, addresses: Addresses) -> Iterator[Target]:
    for _, url, _, _ in _LINK.findall(_FORM.sub("", page)):
        target = addresses.target(html.unescape(url))
        if target is not None:
            yield target


def as_file(
    page: str, source: Target, addresses: Addresses, is_there: Callable[[Target], bool]
) -> str:
    """Make the links of a page lead to the files that are there; others are shown as text."""

    def link(link_: re.Match[str]) -> str:
        before, url, after, text = link_.groups()
        url = html.unescape(url)
        if not url.startswith("/"):  # in this page, or somewhere else
            return link_[0]
        target = addresses.target(url)
        if target is None or not is_there(target) or "by" in parse_qs(urlsplit(url).query):
            return text
        address = relative(source.file, target.file) + _anchor(url, target)
        return f'<a {before}href="{html.escape(address)}"{after}>{text}</a>'

    def asset(link_: re.Match[str]) -> str:
        target = addresses.target(html.unescape(link_[2]))
        return link_[0] if target is None else f'{link_[1]}="{relative(source.file, target.file)}"'

    return _ASSET.sub(asset, _LINK.sub(link, _FORM.sub("", page)))


def _anchor(url: str, target: Target) -> str:
    """The anchor of a link in its file, which has all games of a match."""
    parts = urlsplit(url)
    if target.endpoint != MATCH:
        return f"#{parts.fragment}" if parts.fragment else ""
    game, turn = _GAME.search(parts.query), _TURN.search(parts.query)
    if turn is None and game is None:
        return f"#{parts.fragment}" if parts.fragment else ""
    places = [f"game-{game[1]}"] if game and game[1] != "1" else []
    places += [f"turn-{turn[1]}"] if turn else []
    return f"#{'-'.join(places)}" if places else "#play"
