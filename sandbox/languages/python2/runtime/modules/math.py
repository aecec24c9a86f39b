"""`math`, whose `floor` and `ceil` give numbers with a point."""

from __future__ import annotations

import math as _now
from math import *  # noqa: F403

from . import rest_of as _rest_of

TYPE_CHECKING = False
if TYPE_CHECKING:  # importing typing would double the start of a bot
    from typing import Any


def floor(number: Any) -> float:
    """The next whole number below, as a number with a point."""
    value = float(number)
    return float(_now.floor(value)) if _now.isfinite(value) else value


def ceil(number: Any) -> float:
    """The next whole number above, as a number with a point."""
    value = float(number)
    return _now.copysign(float(_now.ceil(value)), value) if _now.isfinite(value) else value


__getattr__ = _rest_of(_now)
