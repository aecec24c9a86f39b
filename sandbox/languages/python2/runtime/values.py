"""Values as Python 2 has them: how they are written, compared, divided, hashed and asked.

A text of Python 2 is bytes. Here it is a `str` of as many characters, each the one with the byte's
number, so that lengths, slices and what is printed stay the same.
"""

from __future__ import annotations

import codecs
import math
import operator
from _functools import cmp_to_key, partial  # type: ignore[import-not-found]

TYPE_CHECKING = False
if TYPE_CHECKING:  # importing typing would double the start of a bot
    import re
    from collections.abc import Callable, Iterable, Mapping
    from typing import Any

# How Python 2 writes values: `str`, `repr`, and `%` on texts.

LARGEST_INT = 2**63 - 1
CONTAINERS = (list, tuple, dict, set, frozenset)
TEXT_DIGITS = 12
"""The digits that `str` writes of a number with a point."""


def text(value: Any) -> str:
    """Write a value as `str` and `print` do: twelve digits of a number with a point."""
    kind = type(value)
    if kind is str:
        return value  # type: ignore[no-any-return]
    if kind is float:
        return twelve_digits(value)
    if kind in CONTAINERS or isinstance(value, type):
        return shown(value)
    return str(value)


def twelve_digits(value: float) -> str:
    """A number with a point, as Python 2 prints it: `0.1 + 0.2` is 0.3."""
    digits = f"{value:.12g}"
    if set(digits) & set(".en"):
        return digits
    if len(digits.lstrip("-")) < TEXT_DIGITS:
        return f"{digits}.0"
    mantissa, exponent = f"{value:.11e}".split("e")
    return f"{mantissa.rstrip('0').rstrip('.')}e{exponent}"


def shown(value: Any, inside: tuple[int, ...] = ()) -> str:
    """Write a value as `repr` does: a long number ends in L, a set says that it is one."""
    kind = type(value)
    if kind is str:
        return ascii(value)
    if kind is int:
        return f"{value}L" if not -LARGEST_INT - 1 <= value <= LARGEST_INT else str(value)
    if kind not in CONTAINERS:
        if isinstance(value, type) and value.__module__ == "builtins":
            module = "exceptions." if issubclass(value, BaseException) else ""
            return f"<type '{module}{value.__name__}'>"
        if isinstance(value, BaseException) and _repr_of(kind) is _repr_of(BaseException):
            return kind.__name__ + shown(value.args)
        return repr(value)
    if id(value) in inside:
        return {"list": "[...]", "tuple": "(...)", "dict": "{...}"}.get(kind.__name__, "set(...)")
    deeper = (*inside, id(value))
    if kind is dict:
        pairs = (f"{shown(key, deeper)}: {shown(each, deeper)}" for key, each in value.items())
        return "{" + ", ".join(pairs) + "}"
    items = ", ".join(shown(each, deeper) for each in value)
    if kind is tuple:
        return f"({items},)" if len(value) == 1 else f"({items})"
    listed = f"[{items}]"
    return listed if kind is list else f"{kind.__name__}({listed})"


def _repr_of(kind: type) -> object:
    return kind.__repr__


def formatted(form: str, values: Any) -> str:
    """`form % values`, with `%s` and `%r` as Python 2 writes them."""
    if "%s" in form and type(values) is str:
        return form % values
    import re  # not every bot formats, and it takes its time to load

    pattern = re.compile(
        r"%(?:\((?P<key>[^()]*)\))?(?P<flags>[-#0+ ]*)(?P<width>\*|\d+)?"
        r"(?:\.(?P<precision>\*|\d+))?[hlL]?(?P<kind>.)",
        re.DOTALL,
    )
    waiting = list(values) if isinstance(values, tuple) else [values]
    taken: list[Any] = []

    def rewritten(found: re.Match[str]) -> str:
        kind, key = found["kind"], found["key"]
        if kind == "%":
            return "%%"
        taken.extend(waiting.pop(0) for star in found.group("width", "precision") if star == "*")
        if key is not None:
            value = values[key]
        elif waiting:
            value = waiting.pop(0)
        else:
            raise TypeError("not enough arguments for format string")
        if kind in "sr":
            value = text(value) if kind == "s" else shown(value)
            kind = "s"
        elif kind in "xXo" and isinstance(value, float):
            value = int(value)
        taken.append(value)
        precision = "" if found["precision"] is None else f".{found['precision']}"
        return f"%{found['flags']}{found['width'] or ''}{precision}{kind}"

    result = pattern.sub(rewritten, form)
    if isinstance(values, tuple) and waiting:
        raise TypeError("not all arguments converted during string formatting")
    if not taken and not isinstance(values, tuple) and not hasattr(values, "keys"):
        raise TypeError("not all arguments converted during string formatting")
    return result % tuple(taken)


def format_text(form: str, *values: Any, **named: Any) -> str:
    """`form.format(...)`, in which a value without a format of its own is written as by `str`."""
    import string

    class Formatter(string.Formatter):
        def format_field(self, value: Any, spec: str) -> str:
            return format(value, spec) if spec else text(value)

        def convert_field(self, value: Any, conversion: str | None) -> Any:
            return {None: lambda each: each, "s": text, "r": shown}[conversion](value)

    return Formatter().vformat(form, values, named)


# Python 2's order, in which everything can be compared with everything.
#
# None comes first, then numbers, then everything else by the name of its type; lists, tuples and
# dicts are compared by what is in them.

PLAIN = (int, str, float, bool)
SEQUENCES = (list, tuple)


def _ordered(order: Callable[[Any, Any], Any], left: Any, right: Any) -> Any:
    kind = type(left)
    if kind in PLAIN and type(right) is kind:
        return order(left, right)
    for each in SEQUENCES:
        if isinstance(left, each) and isinstance(right, each):
            for one, other in zip(left, right):  # noqa: B905
                if one is not other and one != other:
                    return _ordered(order, one, other)
            return order(len(left), len(right))
    if isinstance(left, complex) or isinstance(right, complex):
        raise TypeError("no ordering relation is defined for complex numbers")
    try:
        return order(left, right)
    except TypeError:
        return order(_by_kind(left, right), 0)


lt: Any = partial(_ordered, operator.lt)
le: Any = partial(_ordered, operator.le)
gt: Any = partial(_ordered, operator.gt)
ge: Any = partial(_ordered, operator.ge)


def cmp(left: Any, right: Any) -> int:
    """Tell whether a value comes before another one (-1), after it (1), or neither (0)."""
    if left is right or left == right:
        return 0
    if lt(left, right):
        return -1
    return 1 if gt(left, right) else _by_kind(left, right)


def _by_kind(left: Any, right: Any) -> int:
    if isinstance(left, dict) and isinstance(right, dict):
        return _of_dicts(left, right)
    first, second = _rank(left), _rank(right)
    return (first > second) - (first < second)


def _rank(value: Any) -> tuple[int, str, int]:
    """The place of a value among those of other types; among its own type, by its address."""
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


class _Operand:
    """A value on one side of an operator of Python 3, which does what Python 2 would."""

    __slots__ = ("value",)

    def __init__(self, value: Any) -> None:
        self.value = value


def _plain(value: Any) -> Any:
    return value.value if isinstance(value, _Operand) else value


class Ordered(_Operand):
    """A value in a chain such as `a < b < c`."""

    __slots__ = ()
    __hash__ = None  # type: ignore[assignment]

    def __lt__(self, other: Ordered) -> Any:
        return lt(self.value, other.value)

    def __le__(self, other: Ordered) -> Any:
        return le(self.value, other.value)

    def __gt__(self, other: Ordered) -> Any:
        return gt(self.value, other.value)

    def __ge__(self, other: Ordered) -> Any:
        return ge(self.value, other.value)

    def __eq__(self, other: object) -> Any:
        return self.value == _plain(other)

    def __ne__(self, other: object) -> Any:
        return self.value != _plain(other)

    def __contains__(self, other: object) -> bool:
        return _plain(other) in self.value


# Division that floors, and `%` that writes numbers as Python 2 did.


class Divisor(_Operand):
    """The right side of `x /= y`."""

    __slots__ = ()

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


# Classes whose special methods have the names of Python 2, under those that Python 3 looks for.


def fit(cls: Any) -> Any:
    """Let a class keep its meaning: `__cmp__`, `__nonzero__`, `next`, `__div__` and their like."""
    own = vars(cls)
    renamed = {
        "__nonzero__": "__bool__",
        "next": "__next__",
        "__idiv__": "__itruediv__",
        "__rdiv__": "__rtruediv__",
    }
    for before, now in renamed.items():
        if before in own and now not in own:
            setattr(cls, now, own[before])
    if "__div__" in own and "__truediv__" not in own:
        divide = own["__div__"]
        cls.__truediv__ = lambda self, other: divide(self, _plain(other))
    if "__cmp__" in own:
        _compare(cls, own["__cmp__"])
    # In Python 2 a class that says when two are equal can still be a key.
    if own.get("__hash__", cls) is None:
        cls.__hash__ = object.__hash__
    return cls


def _compare(cls: Any, cmp: Any) -> None:
    """Give a class the six comparisons that it has not said, by its `__cmp__`."""
    answers = {
        "__lt__": lambda self, other: cmp(self, other) < 0,
        "__le__": lambda self, other: cmp(self, other) <= 0,
        "__gt__": lambda self, other: cmp(self, other) > 0,
        "__ge__": lambda self, other: cmp(self, other) >= 0,
        "__eq__": lambda self, other: cmp(self, other) == 0,
        "__ne__": lambda self, other: cmp(self, other) != 0,
    }
    hashed = "__hash__" in vars(cls)
    for name, answer in answers.items():
        if name not in vars(cls):
            setattr(cls, name, answer)
    if not hashed:
        cls.__hash__ = object.__hash__


# Python 2's hashes of numbers and texts, by which a text seeds its `random`.

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
    for character in value:
        bits = (1000003 * bits ^ ord(character)) & MASK
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


# What values had in Python 2 and have lost, or what gives something else now: by attribute.


def _decoded(value: str, encoding: str = "ascii", errors: str = "strict") -> str:
    result = codecs.decode(_for_codec(value.encode("latin-1"), encoding), encoding, errors)
    return result if isinstance(result, str) else result.decode("latin-1")


def _encoded(value: str, encoding: str = "ascii", errors: str = "strict") -> str:
    try:
        result: Any = value.encode(encoding, errors)
    except LookupError:  # hex, base64 and their like
        result = codecs.encode(_for_codec(value.encode("latin-1"), encoding), encoding, errors)
    return result if isinstance(result, str) else result.decode("latin-1")


def _for_codec(value: bytes, encoding: str) -> Any:
    """The input of a codec; rot13's takes text."""
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
