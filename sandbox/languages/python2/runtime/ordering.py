"""Python 2's order, in which everything can be compared with everything.

None comes first, then numbers, then everything else by the name of its type; lists, tuples and
dicts are compared by what is in them.
"""

from __future__ import annotations

import operator
from _functools import cmp_to_key  # type: ignore[import-not-found]

TYPE_CHECKING = False
if TYPE_CHECKING:  # importing typing would double the start of a bot
    from collections.abc import Callable, Iterable
    from typing import Any

PLAIN = (int, str, float, bool)
SEQUENCES = (list, tuple)


def lt(left: Any, right: Any) -> Any:
    """`left < right`."""
    return _ordered(left, right, operator.lt)


def le(left: Any, right: Any) -> Any:
    """`left <= right`."""
    return _ordered(left, right, operator.le)


def gt(left: Any, right: Any) -> Any:
    """`left > right`."""
    return _ordered(left, right, operator.gt)


def ge(left: Any, right: Any) -> Any:
    """`left >= right`."""
    return _ordered(left, right, operator.ge)


def _ordered(left: Any, right: Any, order: Callable[[Any, Any], Any]) -> Any:
    kind = type(left)
    if kind in PLAIN and type(right) is kind:
        return order(left, right)
    for each in SEQUENCES:
        if isinstance(left, each) and isinstance(right, each):
            for one, other in zip(left, right):  # noqa: B905
                if one is not other and one != other:
                    return _ordered(one, other, order)
            return order(len(left), len(right))
    if isinstance(left, complex) or isinstance(right, complex):
        raise TypeError("no ordering relation is defined for complex numbers")
    try:
        return order(left, right)
    except TypeError:
        return order(_by_kind(left, right), 0)


def cmp(left: Any, right: Any) -> int:
    """Tell whether a value comes before another one (-1), after it (1), or neither (0)."""
    if left is right or left == right:
        return 0
    if _ordered(left, right, operator.lt):
        return -1
    return 1 if _ordered(left, right, operator.gt) else _by_kind(left, right)


def _by_kind(left: Any, right: Any) -> int:
    if isinstance(left, dict) and isinstance(right, dict):
        return _of_dicts(left, right)
    first, second = _rank(left), _rank(right)
    return (first > second) - (first < second)


def _rank(value: Any) -> tuple[int, str, int]:
    """Where a value stands among those of other types; among its own, by where it lies."""
    if value is None:
        return 0, "", 0
    if isinstance(value, int | float):
        return 1, "", 0
    return 2, type(value).__name__, id(value)


def _of_dicts(left: dict[Any, Any], right: dict[Any, Any]) -> int:
    """The smaller one first; else the first key, in order, that they don't share tells."""
    if len(left) != len(right):
        return -1 if len(left) < len(right) else 1
    mine = [key for key in left if key not in right or right[key] != left[key]]
    theirs = [key for key in right if key not in left or left[key] != right[key]]
    if not mine or not theirs:
        return 0
    one, other = min(mine, key=Key), min(theirs, key=Key)
    return cmp(one, other) or cmp(left[one], right[other])


Key = cmp_to_key(cmp)


def sort(
    values: list[Any],
    cmp: Callable[[Any, Any], int] | None = None,
    key: Callable[[Any], Any] | None = None,
    reverse: Any = False,
) -> None:
    """`list.sort`, which takes a comparison as its first argument."""
    values[:] = sorted_list(values, cmp, key, reverse)


def sorted_list(
    values: Iterable[Any],
    cmp: Callable[[Any, Any], int] | None = None,
    key: Callable[[Any], Any] | None = None,
    reverse: Any = False,
) -> list[Any]:
    """`sorted`, of what may not be comparable in Python 3."""
    given, keyed = list(values), key
    if cmp is not None:
        compared = cmp_to_key(cmp)
        by = compared if keyed is None else lambda value: compared(keyed(value))
        return sorted(given, key=by, reverse=bool(reverse))
    try:
        return sorted(given, key=keyed, reverse=bool(reverse))
    except TypeError:
        by = Key if keyed is None else lambda value: Key(keyed(value))
        return sorted(given, key=by, reverse=bool(reverse))


class Ordered:
    """A value in a chain such as `a < b < c`, which is compared as Python 2 would."""

    __slots__ = ("value",)
    __hash__ = None  # type: ignore[assignment]

    def __init__(self, value: Any) -> None:
        self.value = value

    def __lt__(self, other: Ordered) -> Any:
        return lt(self.value, other.value)

    def __le__(self, other: Ordered) -> Any:
        return le(self.value, other.value)

    def __gt__(self, other: Ordered) -> Any:
        return gt(self.value, other.value)

    def __ge__(self, other: Ordered) -> Any:
        return ge(self.value, other.value)

    def __eq__(self, other: object) -> Any:
        return self.value == (other.value if isinstance(other, Ordered) else other)

    def __ne__(self, other: object) -> Any:
        return self.value != (other.value if isinstance(other, Ordered) else other)

    def __contains__(self, other: object) -> bool:
        return (other.value if isinstance(other, Ordered) else other) in self.value
