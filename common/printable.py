"""A stranger's text, made safe for a terminal; the one place where that is done.

Every part of the arena may import it: it imports nothing.
"""

from __future__ import annotations


def printable(text: str, kept: str = "\n\t") -> str:
    """Spell out what a terminal would obey, or would not show, as a backslash escape.

    That is every control character, also those that turn the direction of writing, have no width,
    or are half a pair of surrogates. What is in `kept` stays: line ends and tabs, where nothing
    else is said.
    """
    rest = text
    for sign in kept:
        rest = rest.replace(sign, "")
    if rest.isprintable():  # as nearly all of it is
        return text
    return "".join(
        sign if sign.isprintable() or sign in kept else ascii(sign)[1:-1] for sign in text
    )
