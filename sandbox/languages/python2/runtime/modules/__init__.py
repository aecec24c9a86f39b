"""Modules of Python 2's library that give something else in Python 3, under their own names."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:  # importing typing would double the start of a bot
    from collections.abc import Callable
    from types import ModuleType


def rest_of(module: ModuleType) -> Callable[[str], object]:
    """Return a `__getattr__` for a module that stands for one of Python 3.

    Only names that the replacement itself defines can be imported by star.
    """

    def get(name: str) -> object:
        if name.startswith("__"):
            raise AttributeError(name)
        return getattr(module, name)

    return get
