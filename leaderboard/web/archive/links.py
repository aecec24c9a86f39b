"""A page of the site as a file: its links lead to files, and what needs the site is taken out."""

from __future__ import annotations

import html
import re
from collections.abc import Callable, Iterator
from urllib.parse import parse_qs, urlsplit

from leaderboard.web.archive.addresses import MATCH, Addresses, Target, relative

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
    page: str, here: Target, addresses: Addresses, is_there: Callable[[Target], bool]
) -> str:
    """Make the links of a page lead to the files that are there; others are shown as text."""

    def link(found: re.Match[str]) -> str:
        before, url, after, text = found.groups()
        url = html.unescape(url)
        if not url.startswith("/"):  # in this page, or somewhere else
            return found[0]
        target = addresses.target(url)
        if target is None or not is_there(target) or "by" in parse_qs(urlsplit(url).query):
            return text
        address = relative(here.file, target.file) + _anchor(url, target)
        return f'<a {before}href="{html.escape(address)}"{after}>{text}</a>'

    def asset(found: re.Match[str]) -> str:
        target = addresses.target(html.unescape(found[2]))
        return found[0] if target is None else f'{found[1]}="{relative(here.file, target.file)}"'

    return _ASSET.sub(asset, _LINK.sub(link, _FORM.sub("", page)))


def _anchor(url: str, target: Target) -> str:
    """Where in its file a link leads: a file has all games of a match."""
    parts = urlsplit(url)
    if target.endpoint != MATCH:
        return f"#{parts.fragment}" if parts.fragment else ""
    game, turn = _GAME.search(parts.query), _TURN.search(parts.query)
    if turn is None and game is None:
        return f"#{parts.fragment}" if parts.fragment else ""
    places = [f"game-{game[1]}"] if game and game[1] != "1" else []
    places += [f"turn-{turn[1]}"] if turn else []
    return f"#{'-'.join(places)}" if places else "#play"
