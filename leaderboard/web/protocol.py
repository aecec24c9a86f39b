"""protocol.md cut into pages: one for all games, and one for each, so that nobody reads it all."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache

from markdown_it import MarkdownIt
from markdown_it.token import Token
from markupsafe import Markup

from common.checkout import ROOT
from tables.registry import GAMES

SOURCE = ROOT / "protocol.md"

GENERAL, FAIR_DEALS, EXAMPLES = "", "fair-deals", "examples"
"""The pages that are about no game in particular, by their names."""

LINES = 30
"""Of a game that is told word by word, a page has so many lines."""

_SECTION = re.compile(r"^(?=# )", re.MULTILINE)
_PART = re.compile(r"^(?=## )", re.MULTILINE)
_MARK = re.compile(r"<!-- (?:begin|end) .*? -->\n*")
_FOLDED = re.compile(
    r"<details><summary>All (\d+) lines</summary>\n+```text\n(.*?)```\n+</details>\n*", re.DOTALL
)
_LINK = re.compile(r"\[([^\]]+)\]\(([^)\s]+)\)")
_FENCED = re.compile(r"(^```.*?^```$)", re.MULTILINE | re.DOTALL)

Address = Callable[[str, str], str]
"""The address of a page, by its name, and of a heading on it."""


@dataclass(frozen=True, slots=True)
class ProtocolPage:
    """A part of protocol.md as Markdown, which begins with its title."""

    name: str
    title: str
    text: str

    @property
    def anchors(self) -> frozenset[str]:
        """The headings on it, as links name them."""
        return frozenset(
            slug(line.lstrip("# ")) for line in _plain_lines(self.text) if line.startswith("#")
        )


@cache
def protocol_pages() -> Mapping[str, ProtocolPage]:
    """All pages by their names: that for all games first, then the games' own."""
    sections = {_title(text): text for text in _sections(SOURCE.read_text(encoding="utf-8"))}
    by_game = {
        name: title
        for title, text in sections.items()
        for name in GAMES
        if f"<!-- begin game {name} -->" in text
    }
    first, *rest = sections
    parts = {_title(text): text for text in _PART.split(sections[first])}
    fair = parts.pop("Fair deals")
    shared = [title for title in rest if title.startswith("What the other games")]
    examples = [title for title in rest if title not in {*by_game.values(), *shared}]
    general = [*parts.values(), *(f"#{sections[title]}" for title in shared)]
    return {
        GENERAL: _page(GENERAL, first, "\n".join(general)),
        **{name: _page(name, by_game[name], sections[by_game[name]]) for name in GAMES},
        FAIR_DEALS: _page(FAIR_DEALS, "Fair deals", fair.removeprefix("#")),
        EXAMPLES: _page(
            EXAMPLES,
            "The same bot in other languages",
            "\n".join(
                [
                    "# The same bot in other languages\n",
                    *(f"#{sections[each]}" for each in examples),
                ]
            ),
        ),
    }


def markdown(page: ProtocolPage, address: Address) -> str:
    """A page as Markdown, whose links lead to the other pages of this site."""
    return "".join(
        part if part.startswith("```") else _LINK.sub(lambda found: _led(found, address), part)
        for part in _FENCED.split(page.text)
    )


def html(page: ProtocolPage, address: Address) -> Markup:
    """A page as HTML: protocol.md is the project's own, so what it has is trusted."""
    reader = MarkdownIt("commonmark").enable("table")
    tokens = reader.parse(markdown(page, address))
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


def _led(found: re.Match[str], address: Address) -> str:
    """A link as it leads on this site; what lies only in the project is named instead."""
    said, target = found[1], found[2]
    if target.startswith(("http:", "https:")):
        return found[0]
    path, _, anchor = target.partition("#")
    if path:
        return f"{said} (`{path}`)"
    for page in protocol_pages().values():
        if anchor in page.anchors:
            return f"[{said}]({address(page.name, anchor)})"
    return said


def _page(name: str, title: str, text: str) -> ProtocolPage:
    plain = _FOLDED.sub(_shortened, _MARK.sub("", text))
    parts = _FENCED.split(plain)  # blank lines are not ours where they belong to a program
    spaced = (part if part.startswith("```") else re.sub(r"\n{3,}", "\n\n", part) for part in parts)
    return ProtocolPage(name, title, "".join(spaced).strip() + "\n")


def _shortened(found: re.Match[str]) -> str:
    """The beginning of a long game."""
    lines = found[2].splitlines()[:LINES]
    more = int(found[1]) - len(lines)
    return "```text\n" + "\n".join(lines) + f"\n```\n\n{more} more lines are in `protocol.md`.\n\n"


def _sections(text: str) -> Iterator[str]:
    """The sections under the headings of the first level; comments in programs are none."""
    kept = ""
    for piece in _SECTION.split(text):
        kept += piece
        if kept.count("```") % 2 == 0:
            if kept.strip():
                yield kept
            kept = ""


def _title(text: str) -> str:
    return text.lstrip("# ").split("\n", maxsplit=1)[0].strip()


def _plain_lines(text: str) -> Iterator[str]:
    for part in _FENCED.split(text):
        if not part.startswith("```"):
            yield from part.splitlines()
