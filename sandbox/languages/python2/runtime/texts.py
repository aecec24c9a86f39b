"""How Python 2 writes values: `str`, `repr`, and `%` on texts.

A text of Python 2 is bytes. Here it is a `str` of as many characters, each the one with the byte's
number, so that lengths, slices and what is printed stay the same.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:  # importing typing would double the start of a bot
    from typing import Any


LARGEST_INT = 2**63 - 1
CONTAINERS = (list, tuple, dict, set, frozenset)
TEXT_DIGITS = 12
"""How many digits of a number with a point `str` writes."""


def text(value: Any) -> str:
    """What `str` gives and `print` writes: twelve digits of a number with a point."""
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
    """What `repr` and backticks give: a long number ends in L, a set says that it is one."""
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
