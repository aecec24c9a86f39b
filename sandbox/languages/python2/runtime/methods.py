"""What values had in Python 2 and have lost, or what gives something else now: by attribute."""

from __future__ import annotations

from _functools import partial  # type: ignore[import-not-found]

from .ordering import sort
from .texts import format_text

TYPE_CHECKING = False
if TYPE_CHECKING:  # importing typing would double the start of a bot
    from collections.abc import Callable, Mapping
    from typing import Any


def _decoded(value: str, encoding: str = "ascii", errors: str = "strict") -> str:
    import codecs

    result = codecs.decode(_for_codec(value.encode("latin-1"), encoding), encoding, errors)
    return result if isinstance(result, str) else result.decode("latin-1")


def _encoded(value: str, encoding: str = "ascii", errors: str = "strict") -> str:
    import codecs

    try:
        result: Any = value.encode(encoding, errors)
    except LookupError:  # hex, base64 and their like
        result = codecs.encode(_for_codec(value.encode("latin-1"), encoding), encoding, errors)
    return result if isinstance(result, str) else result.decode("latin-1")


def _for_codec(value: bytes, encoding: str) -> Any:
    """What a codec works on; rot13's takes text."""
    return value.decode("latin-1") if encoding.replace("_", "") == "rot13" else value


def _translated(value: str, table: Any, deleted: str = "") -> str:
    if isinstance(table, dict):
        return value.translate(table)
    kept = (each for each in value if each not in deleted)
    return "".join(kept if table is None else (table[ord(each)] for each in kept))


_OF_DICTS: Mapping[str, Callable[..., Any]] = {
    "has_key": lambda value, key: key in value,
    "keys": lambda value: [*value.keys()],
    "values": lambda value: [*value.values()],
    "items": lambda value: [*value.items()],
    "iterkeys": lambda value: iter(value.keys()),
    "itervalues": lambda value: iter(value.values()),
    "iteritems": lambda value: iter(value.items()),
    "viewkeys": lambda value: value.keys(),
    "viewvalues": lambda value: value.values(),
    "viewitems": lambda value: value.items(),
}
_OF_TEXTS: Mapping[str, Callable[..., Any]] = {
    "decode": _decoded,
    "encode": _encoded,
    "translate": _translated,
    "format": format_text,
}
_OWN: tuple[tuple[type, Mapping[str, Callable[..., Any]]], ...] = (
    (dict, _OF_DICTS),
    (list, {"sort": sort}),
    (str, _OF_TEXTS),
)
_LOST: Mapping[str, Callable[[Any], Any]] = {
    "has_key": lambda value: lambda key: key in value,
    "next": lambda value: value.__next__,
    "xreadlines": lambda value: lambda: iter(value),
    "message": lambda value: value.args[0] if len(value.args) == 1 else "",
    "func_name": lambda value: value.__name__,
    "func_doc": lambda value: value.__doc__,
    "func_code": lambda value: value.__code__,
    "func_defaults": lambda value: value.__defaults__,
    "func_globals": lambda value: value.__globals__,
    "func_dict": lambda value: value.__dict__,
    "im_func": lambda value: value.__func__,
    "im_self": lambda value: value.__self__,
    "im_class": lambda value: type(value.__self__),
}

NAMES = frozenset({*_OF_DICTS, *_OF_TEXTS, *_LOST, "sort"})
"""The attributes that are asked for here."""


def attr(value: Any, name: str) -> Any:
    """`value.name`, for one of `NAMES`; a class that has its own of that name keeps it."""
    for kind, methods in _OWN:
        if isinstance(value, kind) and name in methods:
            if getattr(type(value), name, None) in (getattr(kind, name, None), None):
                return partial(methods[name], value)
            break
    try:
        return getattr(value, name)
    except AttributeError:
        if name not in _LOST:
            raise
        try:
            return _LOST[name](value)
        except AttributeError:
            pass
        raise
