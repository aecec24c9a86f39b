"""The pages of the protocol as HTML and as Markdown, transcripts, and llms.txt."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache

from flask import Response, abort, render_template, url_for

from card_arena.common.checkout import ROOT
from card_arena.leaderboard.web.pages.documents import (
    article,
    outside_programs,
    with_links,
)
from card_arena.leaderboard.web.pages.site import blueprint
from card_arena.tables.registry import GAMES
from card_arena.tables.transcript import transcript

GENERAL = ""
"""The name of the page for all games."""

_PATHS = {GENERAL: "protocol.md"} | {name: f"docs/games/{name}.md" for name in GAMES}
_MARK = re.compile(r"<!-- (?:begin|end) .*? -->\n*")


@dataclass(frozen=True, slots=True)
class ProtocolPage:
    """A page as Markdown, which begins with its title."""

    name: str
    title: str
    text: str


@cache
def protocol_pages() -> Mapping[str, ProtocolPage]:
    """All pages by their names: that for all games first, then the games' own."""
    return {name: _read(name, path) for name, path in _PATHS.items()}


def _read(name: str, path: str) -> ProtocolPage:
    text = _MARK.sub("", (ROOT / path).read_text(encoding="utf-8"))
    # blank lines are left alone where they belong to a program
    text = outside_programs(text, lambda part: re.sub(r"\n{3,}", "\n\n", part)).strip() + "\n"
    return ProtocolPage(name, text.partition("\n")[0].removeprefix("# "), text)


@blueprint.get("/protocol")
@blueprint.get("/protocol/<name>")
def protocol(name: str = GENERAL) -> str:
    """A page of the protocol."""
    page = _page(name)
    return render_template(
        "protocol.html",
        page=page,
        article=article(with_links(page.text, _PATHS[name])),
        others=protocol_pages().values(),
    )


@blueprint.get("/protocol.md")
@blueprint.get("/protocol/<name>.md")
def protocol_text(name: str = GENERAL) -> Response:
    """The same page as Markdown."""
    text = with_links(_page(name).text, _PATHS[name], "pages.protocol_text")
    return Response(text, mimetype="text/markdown")


@blueprint.get("/protocol/<name>.txt")
def protocol_transcript(name: str) -> Response:
    """A whole game, word by word."""
    if name not in GAMES:
        abort(404, f"The protocol has no transcript of {name[:80]!r}.")
    text = "\n".join(transcript(GAMES[name])) + "\n"
    return Response(text, mimetype="text/plain")


@blueprint.get("/llms.txt")
def llms() -> Response:
    """An index of the site for language models (llmstxt.org)."""
    text = render_template("llms.txt", pages=protocol_pages().values(), address=_text_address)
    return Response(text, mimetype="text/plain")


def _page(name: str) -> ProtocolPage:
    page = protocol_pages().get(name)
    if page is None:
        abort(404, f"The protocol has no page {name[:80]!r}.")
    return page


def _text_address(name: str) -> str:
    return url_for("pages.protocol_text", name=name or None, _external=True)
