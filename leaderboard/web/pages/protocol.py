"""The pages of the protocol as HTML and as Markdown, transcripts, and llms.txt."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from flask import Response, abort, render_template, url_for
from markdown_it import MarkdownIt
from markdown_it.token import Token
from markupsafe import Markup

from common.checkout import ROOT
from leaderboard.web.pages.site import blueprint
from tables.registry import GAMES
from tables.transcript import transcript

_INSTALLED = Path(__file__).parents[1] / "documents"
DOCUMENTS = _INSTALLED if _INSTALLED.is_dir() else ROOT
"""The folder of the documents: in an installed arena a copy (see pyproject.toml)."""

GENERAL = ""
"""The name of the page for all games."""

_PATHS = {GENERAL: "protocol.md"} | {name: f"docs/games/{name}.md" for name in GAMES}
_TRANSCRIPTS = {f"tests/transcripts/{name}.txt": name for name in GAMES}
_MARK = re.compile(r"<!-- (?:begin|end) .*? -->\n*")
_LINK = re.compile(r"\[([^\]]+)\]\(([^)\s]+)\)")
_FENCED = re.compile(r"(^```.*?^```$)", re.MULTILINE | re.DOTALL)


@dataclass(frozen=True, slots=True)
class ProtocolPage:
    """A page as Markdown, which begins with its title."""

    name: str
    title: str
    text: str


@dataclass(frozen=True, slots=True)
class Addresses:
    """The addresses of a page and of a game's transcript on the site, by their names."""

    page: Callable[[str], str]
    transcript: Callable[[str], str]


@cache
def protocol_pages() -> Mapping[str, ProtocolPage]:
    """All pages by their names: that for all games first, then the games' own."""
    return {name: _read(name, path) for name, path in _PATHS.items()}


def markdown(page: ProtocolPage, addresses: Addresses) -> str:
    """A page as Markdown, whose links lead to other pages of the site."""
    return "".join(
        part
        if part.startswith("```")
        else _LINK.sub(lambda link: _converted(link, page, addresses), part)
        for part in _FENCED.split(page.text)
    )


def html(page: ProtocolPage, addresses: Addresses) -> Markup:
    """A page as HTML. The documents are the project's own, so their text is trusted."""
    reader = MarkdownIt("commonmark").enable("table")
    tokens = reader.parse(markdown(page, addresses))
    tables = 0
    for token, following in zip(tokens, [*tokens[1:], None], strict=True):
        if token.type == "heading_open" and following is not None:
            token.attrSet("id", slug(following.content))
        if token.type == "table_open":
            tables += 1
            token.meta["number"] = tables
    reader.add_render_rule("table_open", _table_open)
    reader.add_render_rule("table_close", _table_close)
    return Markup(reader.renderer.render(tokens, reader.options, {}))


def slug(heading: str) -> str:
    """A heading as links name it."""
    return re.sub(r"[^\w\- ]", "", heading.lower()).strip().replace(" ", "-")


def _table_open(_: object, tokens: list[Token], at: int, *__: object) -> str:
    """A table in a frame in which it scrolls on a phone."""
    number = tokens[at].meta["number"]
    return f'<div class="scroll" role="region" aria-label="Table {number}" tabindex="0"><table>\n'


def _table_close(*_: object) -> str:
    return "</table></div>\n"


def _read(name: str, path: str) -> ProtocolPage:
    text = _MARK.sub("", (DOCUMENTS / path).read_text(encoding="utf-8"))
    # blank lines are left alone where they belong to a program
    parts = (
        part if part.startswith("```") else re.sub(r"\n{3,}", "\n\n", part)
        for part in _FENCED.split(text)
    )
    text = "".join(parts).strip() + "\n"
    return ProtocolPage(name, text.partition("\n")[0].removeprefix("# "), text)


def _converted(link: re.Match[str], page: ProtocolPage, addresses: Addresses) -> str:
    """A link to a page of the site; a file that the site doesn't have is only named."""
    label, target = link[1], link[2]
    if target.startswith(("http:", "https:", "#")):
        return link[0]
    path, hash_, anchor = target.partition("#")
    path = posixpath.normpath(posixpath.join(posixpath.dirname(_PATHS[page.name]), path))
    if path in _TRANSCRIPTS:
        return f"[{label}]({addresses.transcript(_TRANSCRIPTS[path])})"
    for name, place in _PATHS.items():
        if path == place:
            return f"[{label}]({addresses.page(name)}{hash_}{anchor})"
    return f"`{path}`" if label == path else f"{label} (`{path}`)"


@blueprint.get("/protocol")
@blueprint.get("/protocol/<name>")
def protocol(name: str = GENERAL) -> str:
    """A page of the protocol."""
    page = _page(name)
    return render_template(
        "protocol.html",
        page=page,
        text=html(page, _addresses("pages.protocol")),
        others=protocol_pages().values(),
    )


@blueprint.get("/protocol.md")
@blueprint.get("/protocol/<name>.md")
def protocol_text(name: str = GENERAL) -> Response:
    """The same page as Markdown."""
    text = markdown(_page(name), _addresses("pages.protocol_text"))
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


def _addresses(endpoint: str) -> Addresses:
    return Addresses(
        lambda name: url_for(endpoint, name=name or None),
        lambda game: url_for("pages.protocol_transcript", name=game),
    )


def _text_address(name: str) -> str:
    return url_for("pages.protocol_text", name=name or None, _external=True)
