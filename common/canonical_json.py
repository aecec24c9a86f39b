"""JSON that is written in one way only, so that its hash names its content."""

from __future__ import annotations

import hashlib
import json


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
