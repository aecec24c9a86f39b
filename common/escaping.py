"""A stranger's text, made safe for where it is written.

One rule says which characters are plain: those that Python calls printable. All others are control
characters, change the writing direction, have no width or are lone surrogates; they become
backslash escapes and are never removed, so that nothing can be hidden. HTML's special characters
(`<`, `&`) are escaped by markupsafe, in every template.
"""

from __future__ import annotations

import json
from collections.abc import Iterator

LINES = "\n\t"
"""The characters that are also kept in a text of several lines."""


def printable(text: str, kept: str = LINES) -> str:
    """Escape characters that a terminal would obey or would not show, except those in `kept`."""
    rest = text
    for sign in kept:
        rest = rest.replace(sign, "")
    if rest.isprintable():  # as is usual
        return text
    return "".join(run if plain else spelled(run) for plain, run in runs(text, kept))


def one_line(text: str) -> str:
    """Make a text safe for a single line: line ends and tabs are escaped as well."""
    return printable(text, kept="")


def runs(text: str, kept: str = "") -> Iterator[tuple[bool, str]]:
    """Cut a text into runs of plain characters (True) and runs of all others (False)."""
    begin = 0
    for end in range(1, len(text) + 1):
        plain = _is_plain(text[begin], kept)
        if end == len(text) or _is_plain(text[end], kept) != plain:
            yield plain, text[begin:end]
            begin = end


def spelled(run: str) -> str:
    r"""Write characters as backslash escapes: `\x1b`, `\u202e`, `\n`."""
    return run.encode("unicode_escape", "surrogatepass").decode("ascii")


def decoded(raw: bytes) -> str:
    """Decode a program's bytes into safe text; bytes that are not UTF-8 become escapes too."""
    return printable(raw.decode("utf-8", "backslashreplace"))


def markdown_cell(text: str) -> str:
    """Write a text into one cell of a Markdown table."""
    return text.replace("|", "\\|").replace("\n", " ")


def json_text(data: object) -> str:
    """Write data as JSON that is safe for a terminal.

    `json` escapes everything that is not ASCII and every control character except delete.
    """
    return json.dumps(data, indent=2).replace("\x7f", "\\u007f")


def _is_plain(sign: str, kept: str) -> bool:
    return sign.isprintable() or sign in kept


def storable(text: str) -> str:
    """Replace what some databases reject: NUL characters and lone surrogates."""
    return text.replace("\0", "\ufffd").encode("utf-8", "replace").decode("utf-8")
