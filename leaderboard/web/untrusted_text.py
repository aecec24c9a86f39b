"""Text that strangers wrote, made safe for a page."""

from __future__ import annotations

from markupsafe import Markup, escape

from common.escaping import LINES, one_line, runs, spelled
from leaderboard.web.number_formats import number

MOST = 1000
"""How many characters of a stranger's text a page shows."""

MOST_PRINTED = 4_000
"""How many characters it shows of the beginning of a build log, and of its end."""


def stranger(text: object, most: int = MOST) -> Markup:
    """Write text that a stranger wrote: it can do no harm, hides nothing and is cut off.

    Markup is escaped; characters that don't print (escape sequences, direction marks, zero width
    spaces) are spelled out in a box. After `most` characters comes how many there are in all.
    """
    whole = str(text)
    written = _written(whole[:most], "")
    if len(whole) <= most:
        return written
    return written + Markup('… <span class="quiet">({} characters in all)</span>').format(
        number(len(whole))
    )


def _written(text: str, kept: str) -> Markup:
    return Markup("").join(
        escape(run) if plain else Markup('<span class="odd">{}</span>').format(spelled(run))
        for plain, run in runs(text, kept)
    )


def plain(text: object, most: int = MOST) -> str:
    """Write text as `stranger` does where no markup is possible, on one line."""
    line = one_line(" ".join(str(text)[: 2 * most].split()))
    return line if len(line) <= most else f"{line[: most - 1]}…"


def output(text: str) -> Markup:
    """Write a build log as `stranger` does, over several lines, with its beginning and its end."""
    if len(text) <= 2 * MOST_PRINTED:
        return _written(text, LINES)
    left_out = Markup('\n<span class="quiet">… {} characters left out …</span>\n').format(
        number(len(text) - 2 * MOST_PRINTED)
    )
    ends = (text[:MOST_PRINTED], text[-MOST_PRINTED:])
    return left_out.join(_written(end, LINES) for end in ends)
