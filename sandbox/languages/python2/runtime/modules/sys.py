"""`sys`, with what it has lost; all else is asked of Python's own, and set there."""

from __future__ import annotations

import sys as _now
from types import ModuleType

TYPE_CHECKING = False
if TYPE_CHECKING:  # importing typing would double the start of a bot
    from typing import Any

_LOST = {
    "maxint": 2**63 - 1,
    "version_info": (2, 7, 18, "final", 0),
    "hexversion": 0x020712F0,
    "version": "2.7.18 (translated to Python 3)",
    "py3kwarning": False,
    "subversion": ("CPython", "", ""),
    "setdefaultencoding": lambda _: None,
    "exc_clear": lambda: None,
    "getdefaultencoding": lambda: "ascii",
}


class _Sys(ModuleType):
    def __getattr__(self, name: str) -> Any:
        return getattr(_now, name)

    def __setattr__(self, name: str, value: Any) -> None:
        setattr(_now, name, value)

    @property
    def exc_value(self) -> Any:
        return _now.exc_info()[1]

    @property
    def exc_type(self) -> Any:
        return _now.exc_info()[0]


__all__ = sorted({*_LOST, *(name for name in dir(_now) if not name.startswith("_"))})
globals().update(_LOST)
_now.modules[__name__].__class__ = _Sys
