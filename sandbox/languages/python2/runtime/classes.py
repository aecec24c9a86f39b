"""Classes whose special methods have the names of Python 2, under those that Python 3 looks for."""

from __future__ import annotations

from .arithmetic import Divisor

TYPE_CHECKING = False
if TYPE_CHECKING:  # importing typing would double the start of a bot
    from typing import Any


def fit(made: Any) -> Any:
    """Let a class keep its meaning: `__cmp__`, `__nonzero__`, `next`, `__div__` and their like."""
    own = vars(made)
    renamed = {
        "__nonzero__": "__bool__",
        "next": "__next__",
        "__idiv__": "__itruediv__",
        "__rdiv__": "__rtruediv__",
    }
    for before, now in renamed.items():
        if before in own and now not in own:
            setattr(made, now, own[before])
    if "__div__" in own and "__truediv__" not in own:
        divide = own["__div__"]
        made.__truediv__ = lambda self, other: divide(self, _divisor(other))
    if "__cmp__" in own:
        _compare(made, own["__cmp__"])
    # In Python 2 a class that says when two are equal can still be a key.
    if own.get("__hash__", made) is None:
        made.__hash__ = object.__hash__
    return made


def _divisor(value: Any) -> Any:
    return value.value if isinstance(value, Divisor) else value


def _compare(made: Any, cmp: Any) -> None:
    """Give a class the six comparisons that it has not said, by its `__cmp__`."""
    answers = {
        "__lt__": lambda self, other: cmp(self, other) < 0,
        "__le__": lambda self, other: cmp(self, other) <= 0,
        "__gt__": lambda self, other: cmp(self, other) > 0,
        "__ge__": lambda self, other: cmp(self, other) >= 0,
        "__eq__": lambda self, other: cmp(self, other) == 0,
        "__ne__": lambda self, other: cmp(self, other) != 0,
    }
    hashed = "__hash__" in vars(made)
    for name, answer in answers.items():
        if name not in vars(made):
            setattr(made, name, answer)
    if not hashed:
        made.__hash__ = object.__hash__
