"""Makes texts of strangers safe to display; checks and compares names.

One rule says which characters are plain: those that Python calls printable. All others are control
characters, change the writing direction, have no width or are lone surrogates; they become
backslash escapes and are never removed, so that nothing can be hidden. HTML's special characters
(`<`, `&`) are escaped by markupsafe, in every template.
"""

from __future__ import annotations

import json
import unicodedata
from collections.abc import Collection, Iterable, Iterator, Sequence
from difflib import get_close_matches

LONGEST_REASON = 300
"""Characters of the reason of an operation, as it stands in ledgers and logs."""

LONGEST_TITLE = 40
"""Characters of the title of a bot."""

LINES = "\n\t"
"""The characters that are also kept in a text of several lines."""


def printable(text: str, allowed: str = LINES) -> str:
    """Escape characters that a terminal would obey or would not show, except `allowed` ones."""
    rest = text
    for sign in allowed:
        rest = rest.replace(sign, "")
    if rest.isprintable():  # as is usual
        return text
    return "".join(run if plain else spelled(run) for plain, run in runs(text, allowed))


def one_line(text: str) -> str:
    """Make a text safe for a single line: line ends and tabs are escaped as well."""
    return printable(text, allowed="")


def runs(text: str, allowed: str = "") -> Iterator[tuple[bool, str]]:
    """Cut a text into runs of plain characters (True) and runs of all others (False)."""
    begin = 0
    for end in range(1, len(text) + 1):
        plain = _is_plain(text[begin], allowed)
        if end == len(text) or _is_plain(text[end], allowed) != plain:
            yield plain, text[begin:end]
            begin = end


def spelled(run: str) -> str:
    r"""Write characters as backslash escapes: `\x1b`, `\u202e`, `\n`."""
    return run.encode("unicode_escape", "surrogatepass").decode("ascii")


def decoded(raw: bytes) -> str:
    """Decode a program's bytes into safe text; bytes that are not UTF-8 become escapes too."""
    return printable(raw.decode("utf-8", "backslashreplace"))


def json_text(data: object) -> str:
    """Write data as JSON that is safe for a terminal.

    `json` escapes everything that is not ASCII and every control character except delete.
    """
    return json.dumps(data, indent=2).replace("\x7f", "\\u007f")


def _is_plain(sign: str, allowed: str) -> bool:
    return sign.isprintable() or sign in allowed


def storable(text: str) -> str:
    """Replace what some databases reject: NUL characters and lone surrogates."""
    return text.replace("\0", "\ufffd").encode("utf-8", "replace").decode("utf-8")


def name_flaw(name: str) -> str:
    """Return what is wrong with a name, as the end of a sentence; empty if nothing is.

    Names occur on command lines, in paths and on pages. So a name must not look like an option or a
    folder, begin or end with a space, or contain invisible characters.
    """
    if name.startswith("-"):
        return "must not begin with a hyphen, as options of commands do"
    if name in (".", ".."):
        return f"must not be {name!r}, which stands for a folder"
    if name != name.strip():
        return "must not begin or end with a blank"
    if not name.isprintable():
        sign = next(sign for sign in name if not sign.isprintable())
        kind = "turns the direction of writing" if _turns(sign) else "can't be printed"
        return f"must not hold {sign!a}, which {kind}"
    return ""


def _turns(sign: str) -> bool:
    """Return whether a character changes the direction of writing."""
    return unicodedata.bidirectional(sign) in _TURNING or sign in "\u200e\u200f\u061c"


_TURNING = {"LRE", "RLE", "LRO", "RLO", "PDF", "LRI", "RLI", "FSI", "PDI"}


_ALIKE = str.maketrans({"0": "o", "1": "l", "i": "l", "|": "l", "5": "s", "8": "b"})

_LIKE_LATIN = str.maketrans(
    "АВЕЅІЈКМНОРСТУХаеѕіјорсухвкмнтһӏԁԛԝΑΒΕΖΗΙΚΜΝΟΡΤΥΧαικνορτυχєԌԍ",
    "ABESIJKMHOPCTYXaesijopcyxbkmhthldqwABEZHIKMNOPTYXaikvoptuxeGg",
)
"""Cyrillic and Greek letters, and the Latin ones that look like them (Unicode UTS 39)."""


def skeleton(text: str) -> str:
    """Return a name without case, accents, spaces and signs; letters that look alike are one.

    Two names with the same skeleton could be confused, such as "Davey", "dave-y", and one with a
    Cyrillic a.
    """
    latin = unicodedata.normalize("NFKD", text).translate(_LIKE_LATIN)
    plain = unicodedata.normalize("NFKD", latin.casefold())
    letters = "".join(sign for sign in plain if sign.isalnum() or sign == "|")
    return letters.translate(_ALIKE)


def mixes_scripts(text: str) -> bool:
    """Return whether a text mixes letters of several scripts, such as Latin with a Cyrillic a.

    The letters that Japanese and Korean write together count as one script.
    """
    scripts = {_script(sign) for sign in text if sign.isalpha()}
    return len(scripts) > 1


def _script(letter: str) -> str:
    script = unicodedata.name(letter, "?").split(" ", 1)[0]
    return "CJK" if script in ("CJK", "HIRAGANA", "KATAKANA", "HANGUL") else script


def nearest(name: str, names: Iterable[str], most: int = 1, alike: float = 0.6) -> list[str]:
    """Find the names that resemble one, the most similar first.

    `alike` is the least similarity, from 0 to 1.
    """
    return get_close_matches(name, list(names), most, alike)


def did_you_mean(near: Collection[str]) -> str:
    """Ask whether one of these was meant; empty if there are none."""
    return f"did you mean {' or '.join(near)}?" if near else ""


def suggestion(name: str, names: Collection[str]) -> str:
    """Suggest the nearest existing names, or list them all if none is near."""
    return did_you_mean(nearest(name, names)) or f"there are {', '.join(names) or 'none'}"


def markdown_table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """Write a Markdown table."""
    lines = [head, ["---"] * len(head), *rows]
    cells = ([cell.replace("|", "\\|").replace("\n", " ") for cell in line] for line in lines)
    return "\n".join(f"| {' | '.join(line)} |" for line in cells)


QUOTED = 80
"""The most characters of a bot's answer that are ever quoted."""


def quoted(line: str) -> str:
    """Cut a bot's line to the length that may be quoted, with everything unprintable escaped."""
    safe = one_line(line[: QUOTED + 1])
    return safe if len(safe) <= QUOTED else safe[: QUOTED - 1] + "…"
