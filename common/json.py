"""JSON that is written in one way only, so that its hash names its content."""

from __future__ import annotations

import hashlib
import json
import re
from typing import Any

from pydantic import ValidationError


def canonical(data: object) -> str:
    """Write plain data as canonical JSON: ASCII, keys sorted, no blanks, no line breaks.

    Integers are written in decimal, other numbers as the shortest decimal that reads back as the
    same double (Python's `repr`), and any character outside ASCII as `\\uXXXX`. Raises `ValueError`
    for numbers that JSON lacks.
    """
    return json.dumps(data, sort_keys=True, separators=(",", ":"), allow_nan=False)


def sha256(text: str) -> str:
    """The SHA-256 of an ASCII text, in 64 hexadecimal digits."""
    return hashlib.sha256(text.encode("ascii")).hexdigest()


DEEPEST = 100
"""How deeply lists and objects may be nested: what writes or compares them afterwards calls itself
as often."""

_SIGNS = re.compile(r'"(?:[^"\\]|\\.)*+"|[\[{]|[\]}]')


class BadJson(ValueError):
    """A text is not JSON that is read; the message says why."""


def read_json(text: str | bytes) -> Any:
    """Read JSON; raises `BadJson`.

    Numbers that JSON lacks, those too large for a double, and texts with lone surrogates, which
    nobody can write as UTF-8, are refused too.
    """
    try:
        if isinstance(text, bytes):
            text = text.decode("utf-8-sig")
        _check_depth(text)
        data = json.loads(text, parse_constant=_no_number, parse_float=_number)
    except BadJson:
        raise
    except UnicodeDecodeError as error:
        raise BadJson("it is not UTF-8") from error
    except ValueError as error:
        raise BadJson(str(error)[:200]) from error
    if "\\u" in text and _holds_surrogates(data):
        raise BadJson("a text in it has half of a surrogate pair")
    return data


def first_error(error: ValidationError) -> str:
    """Return the place and the message of the first error, such as `a.0: Field required`."""
    first = error.errors(include_url=False, include_input=False)[0]
    where = ".".join(map(str, first["loc"])) or "the whole"
    return f"{where}: {first['msg'][:200]}"


def _holds_surrogates(data: object) -> bool:
    """Whether a text in this data has a lone surrogate, which can't be written as UTF-8."""
    if isinstance(data, str):
        return not data.isascii() and any("\ud800" <= sign <= "\udfff" for sign in data)
    if isinstance(data, dict):
        return any(map(_holds_surrogates, data)) or any(map(_holds_surrogates, data.values()))
    return isinstance(data, list) and any(map(_holds_surrogates, data))


def _check_depth(text: str) -> None:
    depth = 0
    for sign in _SIGNS.finditer(text):
        first = sign[0][0]
        if first != '"':
            depth += 1 if first in "[{" else -1
            if depth > DEEPEST:
                raise BadJson(f"it is nested deeper than {DEEPEST} levels")


def _no_number(word: str) -> None:
    raise BadJson(f"{word} is not JSON")


def _number(word: str) -> float:
    value = float(word)
    if value in (float("inf"), float("-inf")):
        raise BadJson(f"the number {word[:40]} is too large")
    return value
