"""Packed pages: a few lines of HTML, and data that a script unpacks.

They can be opened as files, where a script can't load other files.
"""

from __future__ import annotations

import base64
import json
import re
import zlib
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from markupsafe import Markup

from card_arena.leaderboard.web import card_svg
from card_arena.leaderboard.web.archive.files import Target, relative
from card_arena.leaderboard.web.archive.replay_data import Patterns
from card_arena.tables.cards import ALL_CARDS

SCRIPT, SHARED = "static/archive.js", "static/shared.js"

_HEAD = re.compile("<title>(.*?)</title>", re.DOTALL)
_SCRIPTS = re.compile('<script src="([^"]*)" defer></script>')
_HEADING = re.compile("<h1[^>]*>(.*?)</h1>", re.DOTALL)
_MAIN = re.compile("<main .*</main>", re.DOTALL)
_INDENT = re.compile(r"\n\s*")
_ROOT = re.compile(r'href="(?!#|[a-z]+:)')
_MARKS = re.compile("<[^>]*>")

_SHELL = """<!doctype html>
<html lang="en"><head><meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark"><title>{title}</title>
<link rel="icon" href="{root}static/icon.svg"><link rel="stylesheet" href="{root}static/style.css">
{sheets}<script src="{root}{shared}" defer></script>
<script src="{root}{script}" data-root="{root}" data-then="{then}" defer></script></head>
<body><main class="wide"><h1>{heading}</h1>
<noscript><p>This page needs JavaScript. <a href="{root}index.html">Back to the start</a></p>
</noscript>
</main><script type="text/plain" id="packed">{packed}</script></body></html>
"""


def root_of(target: Target) -> str:
    """The relative path from a file to the folder of the archive."""
    return "../" * target.file.count("/")


Lines = Mapping[str, str]
"""The lines that many pages have, and the characters that stand for them."""

_FIRST_LINE, _MOST_LINES = 0xE200, 2_000


def main_of(page: str) -> str:
    main = _MAIN.search(page)
    assert main is not None
    return _INDENT.sub("\n", main[0])


def usual_lines(mains: Sequence[str]) -> Lines:
    """The lines that more than one of these have, the most frequent first."""
    counted = Counter(line for main in mains for line in {*main.split("\n")})
    often = (line for line, count in counted.most_common(_MOST_LINES) if count > 1)
    return {line: chr(_FIRST_LINE + at) for at, line in enumerate(often)}


def packed(page: str, target: Target, data: Mapping[str, Any], lines: Lines) -> str:
    """A page whose links lead to files already, with the data that a script of it reads."""
    title, heading = (part[1] for pattern in (_HEAD, _HEADING) if (part := pattern.search(page)))
    main = "".join(lines.get(line, f"{line}\n") for line in main_of(page).split("\n"))
    head = page[: page.index("</head>")]
    sheets = re.findall(r'<link rel="stylesheet" href="([^"]*vendor/[^"]*)">', head)
    scripts = _SCRIPTS.findall(head)
    if data:
        scripts.append(relative(target.file, "static/table.js"))
    return _SHELL.format(
        title=title,
        heading=_MARKS.sub("", heading),
        root=root_of(target),
        sheets="".join(f'<link rel="stylesheet" href="{sheet}">\n' for sheet in sheets),
        shared=SHARED,
        script=SCRIPT,
        then=" ".join(scripts),
        packed=base64.b64encode(_deflated({"main": main, **data})).decode(),
    )


def shared(page: str, controls: Markup, suits: str, patterns: Patterns, lines: Lines) -> str:
    """The common parts of all packed pages, as a script; `page` is the start page as a file."""
    top, bottom = (
        _ROOT.sub('href="@root/', part).replace(' aria-current="page"', "")
        for part in (
            page[page.index("<body>") + len("<body>") : page.index("<main ")],
            page[page.index("</main>") + len("</main>") : page.index("</body>")],
        )
    )
    everything = {
        "top": top,
        "bottom": bottom,
        "suits": suits,
        "controls": controls,
        "ring": card_svg.RING,
        "lines_of_hands": card_svg.LINES,
        "sizes_of_hands": card_svg.SIZES,
        "cards": {
            str(card): {"name": card.name, "chip": card_svg.chip(card), "symbol": symbol}
            for card, symbol in zip(sorted(ALL_CARDS), card_svg.symbols(ALL_CARDS), strict=True)
        },
        "lines": [*lines],
        "usual": {name: usual.as_json() for name, usual in patterns.items()},
    }
    return f'"use strict";\nwindow.archived = {json.dumps(everything)};\n'


def _deflated(data: Mapping[str, Any]) -> bytes:
    """Compress each member in a block of its own: each has other letters than its neighbours."""
    writer = zlib.compressobj(9, zlib.DEFLATED, -zlib.MAX_WBITS, 9)
    parts: list[bytes] = []
    for name, value in data.items():
        text = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
        start = "," if parts else "{"
        parts.append(writer.compress(f"{start}{json.dumps(name)}:{text}".encode()))
        parts.append(writer.flush(zlib.Z_BLOCK))
    parts += [writer.compress(b"}"), writer.flush()]
    return b"".join(parts)
