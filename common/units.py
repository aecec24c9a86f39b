"""Durations and sizes as people write them, always with a unit: `500ms`, `5s`, `256MiB`."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Annotated

from pydantic import BeforeValidator, PlainSerializer

_SECONDS = {"ms": 0.001, "s": 1.0, "m": 60.0, "h": 3600.0}
_DAYS = {**_SECONDS, "d": 86400.0}
_BYTES = {"B": 1, "KiB": 2**10, "MiB": 2**20, "GiB": 2**30}
_QUANTITY = re.compile(r"(\d{1,9}(?:\.\d{1,3})?) ?([a-zA-Z]+)")


def read_duration(value: object) -> float:
    """Read `500ms`, `1.5s`, `2m` or `1h` as seconds; raises `ValueError`."""
    seconds = _scaled(value, _SECONDS)
    if not 0.001 <= seconds <= 86400:
        raise ValueError("must be a duration from 1ms to 24h, such as 500ms, 1s or 2m")
    return seconds


def read_allowance(value: object) -> float:
    """Read a duration, or 0 for none at all; raises `ValueError`."""
    return 0.0 if value in (0, "0", "0ms", "0s") else read_duration(value)


def read_days(value: object) -> float:
    """Read `3d`, or a duration of up to thirty days, as seconds; raises `ValueError`."""
    seconds = _scaled(value, _DAYS)
    if not 1 <= seconds <= 30 * 86400:
        raise ValueError("must be a duration from 1s to 30d, such as 20m, 12h or 3d")
    return seconds


def read_age(value: object) -> float:
    """Read `30d` or `12h` as seconds, or 0 for no time at all; raises `ValueError`."""
    seconds = 0.0 if value == "0" else _scaled(value, _DAYS)
    if not 0 <= seconds <= 36500 * 86400:
        raise ValueError("must be an age from 0 to 36500d, such as 12h or 30d")
    return seconds


def write_duration(seconds: float) -> str:
    """Write seconds in the notation that `read_duration` reads."""
    amount, unit = (seconds, "s") if seconds >= 1 else (seconds * 1000, "ms")
    return f"{amount:.6f}".rstrip("0").rstrip(".") + unit


def read_size(value: object) -> int:
    """Read `64KiB`, `256MiB` or `1GiB` as bytes; raises `ValueError`."""
    size = _scaled(value, _BYTES)
    if not 1 <= size <= 1024 * _BYTES["GiB"] or size % 1:
        raise ValueError("must be a size from 1B to 1024GiB, such as 64KiB, 256MiB or 1GiB")
    return int(size)


def write_size(size: int) -> str:
    """Write bytes in the notation that `read_size` reads."""
    unit = max((unit for unit in _BYTES if size % _BYTES[unit] == 0), key=_BYTES.__getitem__)
    return f"{size // _BYTES[unit]}{unit}"


def _scaled(value: object, units: Mapping[str, float]) -> float:
    """Read a quantity with one of these units; -1 for anything else."""
    match = _QUANTITY.fullmatch(value.strip()) if isinstance(value, str) else None
    return float(match[1]) * units[match[2]] if match and match[2] in units else -1.0


Duration = Annotated[
    float,
    BeforeValidator(read_duration),
    PlainSerializer(write_duration, return_type=str, when_used="json"),
]
"""A field in seconds that is written with a unit."""

Allowance = Annotated[
    float,
    BeforeValidator(read_allowance),
    PlainSerializer(write_duration, return_type=str, when_used="json"),
]
"""A duration that may be 0."""

Days = Annotated[
    float,
    BeforeValidator(read_days),
    PlainSerializer(write_duration, return_type=str, when_used="json"),
]
"""A duration for people, which may be in days."""

Size = Annotated[
    int,
    BeforeValidator(read_size),
    PlainSerializer(write_size, return_type=str, when_used="json"),
]
"""A field in bytes that is written with a unit."""
