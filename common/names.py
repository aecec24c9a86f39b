"""What no name may look like, whatever it is of: a bot, a team, a person, a tag or a file."""

from __future__ import annotations

import unicodedata


def name_flaw(name: str) -> str:
    """What a name must not be, as the end of a sentence that begins with it; empty if it is sound.

    It may stand on a command line, in a path and on a page. So it doesn't look like an option or a
    folder, shows where it begins and ends, and holds nothing that isn't seen.
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
    """Whether a character is one of those by which a text hides in which order it is read."""
    return unicodedata.bidirectional(sign) in _TURNING or sign in "\u200e\u200f\u061c"


_TURNING = {"LRE", "RLE", "LRO", "RLO", "PDF", "LRI", "RLI", "FSI", "PDI"}
