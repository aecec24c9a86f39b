"""How pages write numbers, shares, durations and sizes."""

from __future__ import annotations

import re

from leaderboard.views import places, reach_places


def number(value: float, places: int = 0) -> str:
    """Write a number with thin gaps between thousands and a real minus: `1 234.5`, `−12`."""
    text = f"{value:,.{places}f}".replace(",", "\u202f")
    if not re.search("[1-9]", text):
        return text.lstrip("-")
    return text.replace("-", "−")


def points(value: float) -> str:
    return number(value, places(value))


def reach(value: float, places: int) -> str:
    """Write how far an interval reaches beside a figure of so many decimals: `0.31`, `0.042`."""
    return number(value, max(places, reach_places(value)))


def signed(value: float, places: int = 0) -> str:
    """Write a change: `+12`, `−3`, `0`."""
    text = number(value, places)
    return f"+{text}" if value > 0 and re.search("[1-9]", text) else text


def figure(value: str) -> str:
    """Write a value of a scene as other numbers are, `1 234`, `−12`, `+3`; words stay words."""
    if not re.fullmatch("[+-]?[0-9]+", value):
        return value
    return f"{'+' * value.startswith('+')}{number(int(value))}"


def share(part: float, whole: float, places: int = 0) -> str:
    """Write a share as a percentage: `12 %`, or a dash where the whole is 0."""
    return f"{100 * part / whole:.{places}f} %" if whole else "–"


def took(microseconds: int) -> str:
    """Write how long something took: `0.8 ms`, `1.2 s`."""
    milliseconds = microseconds / 1000
    if milliseconds >= 1000:
        return f"{milliseconds / 1000:.1f} s"
    return f"{milliseconds:.1f} ms" if milliseconds < 10 else f"{milliseconds:.0f} ms"


def memory(size: int) -> str:
    """Write a number of bytes: `11.4 MiB`."""
    return f"{size / 2**20:.1f} MiB"


def progress(played: int, planned: int | None, *, at_most: bool = False) -> str:
    """Say how far something is: "55 of 192", or just how much where its end is not known.

    Where the end is a bound it reads "55 of at most 192".
    """
    if planned is None:
        return number(played)
    return f"{number(played)} of {'at most ' if at_most else ''}{number(planned)}"


def difference(value: float) -> str:
    """Write a difference of scores or of their mean: `+12`, `−3.5`."""
    return signed(value, 0 if value == int(value) else 1)
