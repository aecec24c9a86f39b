"""`string`, with the functions that became methods."""

from __future__ import annotations

import string as _now
from string import *  # noqa: F403
from string import ascii_lowercase, ascii_uppercase

from . import rest_of as _rest_of

TYPE_CHECKING = False
if TYPE_CHECKING:  # importing typing would double the start of a bot
    from typing import Any

lowercase, uppercase = ascii_lowercase, ascii_uppercase
letters = lowercase + uppercase
atoi, atol, atof = int, int, float


def _method(name: str) -> Any:
    def call(text: str, *args: Any) -> Any:
        return getattr(text, name)(*args)

    call.__name__ = name
    return call


(capitalize, center, count, expandtabs, find, index, ljust, lower, lstrip, replace) = map(
    _method,
    (
        *("capitalize", "center", "count", "expandtabs", "find", "index", "ljust", "lower"),
        *("lstrip", "replace"),
    ),
)
(rfind, rindex, rjust, rsplit, rstrip, split, strip, swapcase, upper) = map(
    _method,
    ("rfind", "rindex", "rjust", "rsplit", "rstrip", "split", "strip", "swapcase", "upper"),
)
splitfields = split


def join(words: Any, between: str = " ") -> str:
    """The words with a text between them."""
    return between.join(words)


joinfields = join


def capwords(text: str, between: Any = None) -> str:
    """Every word with a capital letter."""
    return (between or " ").join(word.capitalize() for word in text.split(between))


def zfill(text: Any, width: int) -> str:
    """The text or number with zeros before it."""
    return (text if isinstance(text, str) else repr(text)).zfill(width)


def maketrans(given: str, wanted: str) -> str:
    """A table for `translate`: the 256 characters, some of them replaced."""
    if len(given) != len(wanted):
        raise ValueError("maketrans arguments must have same length")
    table = [chr(number) for number in range(256)]
    for one, other in zip(given, wanted):  # noqa: B905
        table[ord(one)] = other
    return "".join(table)


def translate(text: str, table: str, deleted: str = "") -> str:
    """The text by a table of 256 characters, without those that are deleted."""
    return "".join(table[ord(each)] for each in text if each not in deleted)


__getattr__ = _rest_of(_now)
