"""How a forked bot ends: as Python ends a program, but without taking Python itself apart.

A fork that takes apart what it has from its parent copies all of it, page by page, which would
cost three times as much as the question. So the interpreter ends the bot's own modules, threads
and exit functions in its own way and order, and then, when nothing of the bot's is left, the
process leaves with the exit code that it would have had.

Everything here is a shortcut: where something is unusual, the interpreter goes the whole way.
"""

from __future__ import annotations

import _ctypes
import builtins
import sys
from types import ModuleType, TracebackType

EXIT = _ctypes.dlsym(_ctypes.dlopen("", 0), "exit")
"""The C library's, which still writes out what was printed in C."""

MADE_AT_THE_END = ("_", "_last", "ps1", "ps2", "last_type", "last_value", "last_traceback")
"""Names that `sys` and `builtins` get when a program ends."""


class Ending:
    """What is known of a program's end. The bot's main file is the body of a `with` of this.

    Make it before the fork: the modules that are there then are the ones that are left alone.
    """

    def __init__(self) -> None:
        self.code: int | None = None
        self.failed = False
        self.modules: dict[str, ModuleType] = dict(sys.modules)
        for kept in ("sys", "builtins", "__main__"):
            del self.modules[kept]
        for module in self.modules.values():
            _ctypes.Py_INCREF(module)
        self.streams = (sys.stdout, sys.stderr)
        self.is_finalizing = sys.is_finalizing
        self.names = frozenset({*vars(sys), *vars(builtins), *MADE_AT_THE_END})

    def __enter__(self) -> None:
        """Be in two places that the interpreter clears before and after the bot's own modules."""
        hook = getattr(sys, "__interactivehook__", None)
        if hook:
            hook.first = First(self)
            sys._last = Last(self)  # type: ignore[attr-defined]

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Note the exit code that Python will make of this, if it is simple."""
        if kind is None:
            self.code = 0
        elif isinstance(error, Exception):
            self.code, self.failed = 1, True
        elif isinstance(error, SystemExit) and kind is SystemExit:
            self.code = exit_code(error.code)

    def shorten(self) -> None:
        """Keep the interpreter from taking Python's own modules apart, if nobody can tell."""
        out, errors = self.streams
        unusual = (
            not self.is_finalizing()
            or (sys.stdout, sys.stderr) != self.streams
            or (self.failed and sys.excepthook is not sys.__excepthook__)
            or not self.names >= vars(sys).keys() | vars(builtins).keys()
        )
        if unusual or not (flushed(out) and flushed(errors)):
            self.code = None
            return
        for name, module in self.modules.items():
            if sys.modules.get(name) is module:
                sys.modules[name] = None  # type: ignore[assignment]

    def leave(self) -> None:
        """End the process, if all is as it was thought to be."""
        if self.code is not None and self.is_finalizing():
            for stream in self.streams:
                flushed(stream)
            _ctypes.call_function(EXIT, (self.code,))


class First:
    """Goes when the interpreter has ended threads and exit functions, and turns to modules."""

    def __init__(self, ending: Ending) -> None:
        self.ending = ending

    def __del__(self) -> None:
        self.ending.shorten()


class Last:
    """Goes when all modules are gone but `sys` and `builtins`."""

    def __init__(self, ending: Ending) -> None:
        self.ending = ending

    def __del__(self) -> None:
        self.ending.leave()


def exit_code(given: object) -> int:
    """The process's exit code for what `SystemExit` was given."""
    if given is None:
        return 0
    if not isinstance(given, int):
        return 1
    return given & 0xFF if -(2**63) <= given < 2**63 else 0xFF


def flushed(stream: object) -> bool:
    """Write out what was printed; tell whether that went well."""
    try:
        stream.flush()  # type: ignore[attr-defined]
    except Exception:
        return False
    return True
