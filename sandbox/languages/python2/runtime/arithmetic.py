"""Division that floors, and `%` that writes numbers as Python 2 did."""

from __future__ import annotations

from .texts import formatted

TYPE_CHECKING = False
if TYPE_CHECKING:  # importing typing would double the start of a bot
    from typing import Any


class Divisor:
    """The right side of `x /= y`, which has `x` divided as Python 2 would."""

    __slots__ = ("value",)

    def __init__(self, value: Any) -> None:
        self.value = value

    def __rtruediv__(self, dividend: Any) -> Any:
        return div(dividend, self.value)


def div(dividend: Any, divisor: Any) -> Any:
    """`dividend / divisor`: whole numbers give a whole number, rounded down."""
    if isinstance(dividend, int) and isinstance(divisor, int):
        return dividend // divisor
    return dividend / divisor


def mod(left: Any, right: Any) -> Any:
    """`left % right`, which formats where `left` is a text."""
    return formatted(left, right) if type(left) is str else left % right
