"""Documents of the project as pages: read, with links to other pages of the site, as HTML."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from flask import url_for
from markdown_it import MarkdownIt
from markdown_it.token import Token
from markupsafe import Markup, escape

from card_arena.tables.registry import GAMES

PAGES: Mapping[str, tuple[str, str | None]] = {
    "protocol.md": ("pages.protocol", None),
    **{f"docs/games/{name}.md": ("pages.protocol", name) for name in GAMES},
    **{f"docs/rules/{name}.md": ("pages.rules", name) for name in GAMES},
    **{f"tests/transcripts/{name}.txt": ("pages.protocol_transcript", name) for name in GAMES},
}
"""The documents that the site shows: the endpoint of each, and its name there."""

_LINK = re.compile(r"\[([^\]]+)\]\(([^)\s]+)\)")
_FENCED = re.compile(r"(^```.*?^```$)", re.MULTILINE | re.DOTALL)
_ANCHOR = re.compile(r'<a id="([a-z0-9-]+)">|</a>')


@dataclass(frozen=True, slots=True)
class Heading:
    """A heading of the second level, and its anchor."""

    title: str
    anchor: str


@dataclass(frozen=True, slots=True)
class Article:
    """A document as HTML: the `opening` before its first heading of the second level, the rest."""

    opening: Markup
    body: Markup
    headings: Sequence[Heading]


def outside_programs(text: str, change: Callable[[str], str]) -> str:
    """Change all of a document but its fenced programs."""
    return "".join(part if part.startswith("```") else change(part) for part in _FENCED.split(text))


def with_links(text: str, path: str, protocol: str = "pages.protocol") -> str:
    """The document at `path`, whose links to other documents lead to pages of the site.

    `protocol` is the endpoint to which links to the protocol lead. A document without a page is
    only named.
    """

    def convert(link: re.Match[str]) -> str:
        label, target = link[1], link[2]
        if target.startswith(("http:", "https:", "#")):
            return link[0]
        place, hash_, anchor = target.partition("#")
        place = posixpath.normpath(posixpath.join(posixpath.dirname(path), place))
        if place in PAGES:
            endpoint, name = PAGES[place]
            page = url_for(protocol if endpoint == "pages.protocol" else endpoint, name=name)
            return f"[{label}]({page}{hash_}{anchor})"
        return f"`{place}`" if label == place else f"{label} (`{place}`)"

    return outside_programs(text, lambda part: _LINK.sub(convert, part))


def article(text: str) -> Article:
    """A document as HTML. Of its own tags only anchors are kept; others are shown as text."""
    reader = MarkdownIt("commonmark").enable("table")
    tokens = _with_anchors(reader.parse(text))
    reader.add_render_rule("table_open", _table_open)
    reader.add_render_rule("table_close", _table_close)
    reader.add_render_rule("html_inline", _anchor_or_text)
    reader.add_render_rule("html_block", _anchor_or_text)
    starts = [at for at, token in enumerate(tokens) if _is_heading(token, "h2")]
    first = starts[0] if starts else len(tokens)
    headings = [Heading(tokens[at + 1].content, str(tokens[at].attrs["id"])) for at in starts]
    opening, body = (
        Markup(reader.renderer.render(part, reader.options, {}))
        for part in (tokens[:first], tokens[first:])
    )
    return Article(opening, body, headings)


def slug(heading: str) -> str:
    """A heading as links name it."""
    return re.sub(r"[^\w\- ]", "", heading.lower()).strip().replace(" ", "-")


def _with_anchors(tokens: Sequence[Token]) -> list[Token]:
    """Number the tables, and give each heading the anchor alone before it, or else a slug."""
    kept: list[Token] = []
    tables = 0
    for at, token in enumerate(tokens):
        if token.type == "table_open":
            tables += 1
            token.meta["number"] = tables
        elif token.type == "heading_open":
            anchor = slug(tokens[at + 1].content)
            before = _ANCHOR.match(kept[-2].content) if len(kept) > 2 else None
            if before and kept[-2].content == f"{before[0]}</a>":
                anchor = before[1]
                del kept[-3:]
            token.attrSet("id", anchor)
        kept.append(token)
    return kept


def _is_heading(token: Token, tag: str) -> bool:
    return token.type == "heading_open" and token.tag == tag


def _anchor_or_text(_: object, tokens: list[Token], at: int, *__: object) -> str:
    tag = tokens[at].content
    return tag if _ANCHOR.fullmatch(tag) else str(escape(tag))


def _table_open(_: object, tokens: list[Token], at: int, *__: object) -> str:
    """A table in a frame in which it scrolls on a phone."""
    number = tokens[at].meta["number"]
    return f'<div class="scroll" role="region" aria-label="Table {number}" tabindex="0"><table>\n'


def _table_close(*_: object) -> str:
    return "</table></div>\n"
