"""The names that a Python 2 program finds without importing anything, where they differ."""

from __future__ import annotations

import builtins as now
import itertools
import sys
from _functools import reduce as _reduce  # type: ignore[import-not-found]

from .streams import (
    asked_line,
    compiled,
    evaluated,
    executed,
    executed_file,
    input_value,
    opened,
    printed,
)
from .values import Key, hashed, shown, sorted_list, text
from .values import cmp as cmp

TYPE_CHECKING = False
if TYPE_CHECKING:  # importing typing would double the start of a bot
    from collections.abc import Callable, Iterable
    from typing import Any

__all__ = [
    *("apply", "basestring", "buffer", "chr", "cmp", "coerce", "compile", "eval", "exec"),
    *("execfile", "file", "filter", "hash", "hex", "input", "intern", "long", "map", "max", "min"),
    *("oct", "open", "print", "range", "raw_input", "reduce", "reload", "repr", "round", "sorted"),
    *("StandardError", "str", "unichr", "unicode", "xrange", "zip"),
]

exec = executed
execfile = executed_file
eval = evaluated
compile = compiled
input = input_value
raw_input = asked_line
print = printed
open = file = opened
sorted = sorted_list
repr = shown
hash = hashed
intern = sys.intern
reduce = _reduce
long = int
unichr = now.chr
buffer = memoryview
StandardError = Exception


class _TextType(type):
    """The type of `str` and `unicode`, which are one type here: that of Python's own texts."""

    def __instancecheck__(cls, value: Any) -> bool:
        return isinstance(value, now.str)

    def __subclasscheck__(cls, kind: type) -> bool:
        return issubclass(kind, now.str)

    def __eq__(cls, other: object) -> bool:
        return other is now.str or isinstance(other, _TextType)

    def __hash__(cls) -> int:
        return now.hash(now.str)

    def __repr__(cls) -> now.str:
        return f"<type '{cls.__name__}'>"


class str(now.str, metaclass=_TextType):
    """`str`: numbers with a point are written with twelve digits."""

    def __new__(cls, value: Any = "") -> Any:
        written = text(value)
        return written if cls is str else super().__new__(cls, written)


class unicode(now.str, metaclass=_TextType):
    """`unicode`: decodes where an encoding is given."""

    def __new__(cls, value: Any = "", encoding: Any = None, errors: Any = "strict") -> Any:
        written = text(value)
        if encoding is not None:
            written = written.encode("latin-1").decode(encoding, errors)
        return written if cls is unicode else super().__new__(cls, written)


class basestring(now.str, metaclass=_TextType):
    """The base of `str` and `unicode`, for `isinstance`."""


def chr(number: Any) -> Any:
    """The text of one byte."""
    if not 0 <= number < 256:
        raise ValueError("chr() arg not in range(256)")
    return now.chr(number)


def range(*bounds: Any) -> Any:
    """A list of numbers."""
    return list(now.range(*bounds))


def xrange(*bounds: Any) -> Any:
    """Numbers one after another; bounds may be floats, whose fractions are dropped."""
    return now.range(*now.map(int, bounds))


def map(function: Any, *lists: Iterable[Any]) -> list[Any]:
    """A list of results; the shorter lists are filled with None, and None for a function pairs."""
    if len(lists) == 1:
        return list(lists[0]) if function is None else [function(each) for each in lists[0]]
    rows = itertools.zip_longest(*lists)
    return list(rows) if function is None else [function(*row) for row in rows]


def filter(function: Any, values: Any) -> Any:
    """The accepted items of a list, a tuple or a text, as one of the same type."""
    kept = now.filter(function, values)
    if isinstance(values, now.str):
        return "".join(kept)
    return tuple(kept) if isinstance(values, tuple) else list(kept)


def zip(*lists: Iterable[Any]) -> list[tuple[Any, ...]]:
    """A list of tuples."""
    return list(now.zip(*lists))  # noqa: B905


def apply(function: Any, args: Any = (), named: Any = None) -> Any:
    """Call a function with a list of arguments."""
    return function(*args, **(named or {}))


def coerce(left: Any, right: Any) -> tuple[Any, Any]:
    """Two numbers as numbers of one type."""
    for kind in (complex, float, int):
        if isinstance(left, kind) or isinstance(right, kind):
            return kind(left), kind(right)
    raise TypeError("number coercion failed")


def reload(module: Any) -> Any:
    """Run a module again."""
    import importlib

    return importlib.reload(module)


def hex(number: int) -> Any:
    """A number in base 16."""
    return now.hex(number) + _ending(number)


def oct(number: int) -> Any:
    """A number in base 8, with a zero before it."""
    digits = f"{abs(number):o}"
    return ("-" if number < 0 else "") + digits.zfill(len(digits) + (number != 0)) + _ending(number)


def _ending(number: int) -> str:
    return "L" if shown(number).endswith("L") else ""


def round(number: Any, digits: int = 0) -> float:
    """The nearest number, a half away from zero; always one with a point."""
    import decimal
    import math

    value = float(number)
    if not math.isfinite(value) or digits > 22:
        return value
    context = decimal.Context(prec=700, rounding=decimal.ROUND_HALF_UP)
    exact = decimal.Decimal(value).quantize(decimal.Decimal(1).scaleb(-digits), context=context)
    return float(exact)


def _extreme(choose: Callable[..., Any], values: tuple[Any, ...], named: dict[str, Any]) -> Any:
    given = list(values[0]) if len(values) == 1 else list(values)
    try:
        return choose(given, **named)
    except TypeError:
        key = named.pop("key", None)
        return choose(given, key=Key if key is None else lambda value: Key(key(value)), **named)


def max(*values: Any, **named: Any) -> Any:
    """The last in Python 2's order."""
    return _extreme(now.max, values, named)


def min(*values: Any, **named: Any) -> Any:
    """The first in Python 2's order."""
    return _extreme(now.min, values, named)
