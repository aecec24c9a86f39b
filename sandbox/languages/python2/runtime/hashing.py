"""Python 2's hashes of numbers and texts, by which a text seeds its `random`."""

from __future__ import annotations

import math

TYPE_CHECKING = False
if TYPE_CHECKING:  # importing typing would double the start of a bot
    from typing import Any

MASK = 2**64 - 1


def hashed(value: Any) -> int:
    """`hash`: of a number or a text as on a 64-bit machine, of anything else as in Python 3."""
    if type(value) is str:
        return _signed(_of_text(value))
    if type(value) is float and math.isfinite(value) and value != int(value):
        return _of_fraction(value)
    if type(value) in (int, float, bool) and math.isfinite(value):
        return _of_whole(int(value))
    return hash(value)


def _signed(bits: int) -> int:
    bits &= MASK
    number = bits - 2**64 if bits >= 2**63 else bits
    return -2 if number == -1 else number


def _of_text(value: str) -> int:
    if not value:
        return 0
    bits = ord(value[0]) << 7
    for each in value:
        bits = (1000003 * bits ^ ord(each)) & MASK
    return bits ^ len(value)


def _of_fraction(value: float) -> int:
    fraction, exponent = math.frexp(value)
    fraction *= 2.0**31
    high = int(fraction)
    low = (fraction - high) * 2.0**31
    return _signed(high + int(low) + (exponent << 15))


def _of_whole(number: int) -> int:
    """The number itself; of a long one, its 30-bit digits, rotated together and added."""
    if -(2**63) <= number < 2**63:
        return _signed(number)
    bits, rest, digits = 0, abs(number), []
    while rest:
        digits.append(rest & (2**30 - 1))
        rest >>= 30
    for digit in reversed(digits):
        bits = (bits << 30 & MASK) | (bits >> 34)
        bits += digit
        bits = (bits & MASK) + (bits >> 64)
    return _signed(-bits if number < 0 else bits)
