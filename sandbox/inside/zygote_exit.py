"""A shortcut to the end of a forked bot, without finalizing Python's own modules.

A fork that takes apart what it has from its parent copies most of it, page by page. Without this
module a question to a bot of one line takes 4.9 ms of the processor's time instead of 2.4, and to
one with ten imports 9.5 instead of 3.1. So the interpreter ends the bot's threads and exit
functions, writes out what was printed and drops the bot's modules, all in its own way and order;
when nothing of the bot's is left, the process leaves with the exit code that it would have had.

Everything here is a shortcut: in unusual cases the interpreter goes the whole way.
"""

from __future__ import annotations

import _ctypes
import _weakref
import builtins
import gc
import sys
from types import ModuleType, TracebackType

EXIT = _ctypes.dlsym(_ctypes.dlopen("", 0), "exit")
"""The C library's, which still writes out what was printed in C."""
SYS_GROWS, BUILTINS_GROW = 5, 1
"""The names that an ending interpreter sets: ps1, ps2, last_type, last_value, last_traceback; _."""


class ExitShortcut:
    """The facts about a program's end. The bot's main file is the body of a `with` of this.

    Make it before the fork: the modules that are there then are the ones that are left alone.
    """

    def __init__(self) -> None:
        self.code: int | None = None
        self.failed = False
        names = ("sys", "builtins", "__main__", __name__)
        self.modules = {
            name: module
            for name, module in sys.modules.items()
            if isinstance(module, ModuleType) and name not in names
        }
        for module in self.modules.values():
            _ctypes.Py_INCREF(module)
        self.streams = (sys.stdout, sys.stderr)
        self.is_finalizing = sys.is_finalizing
        self.collect, self.survivors = gc.collect, gc.get_objects
        self.living: list[_weakref.ReferenceType[ModuleType]] = []
        self.kept: object = None
        """Another object that need not be taken apart."""

    def __enter__(self) -> None:
        """Hang a finalizer where the interpreter clears up just before it turns to modules."""
        hook = getattr(sys, "__interactivehook__", None)
        if hook:
            hook.at_the_end = Finalizer(self.shorten)
        self.sizes = len(vars(sys)) + SYS_GROWS, len(vars(builtins)) + BUILTINS_GROW

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
        """Keep the interpreter from taking Python's own modules apart, if no bot can tell."""
        out, errors = self.streams
        unusual = (
            self.code is None
            or not self.is_finalizing()
            or (sys.stdout, sys.stderr) != self.streams
            or (self.failed and sys.excepthook is not sys.__excepthook__)
            or (len(vars(sys)), len(vars(builtins))) != self.sizes
        )
        if unusual or not (flushed(out) and flushed(errors)):
            return
        for name, module in sys.modules.items():
            if self.modules.get(name) is module:
                sys.modules[name] = None  # type: ignore[assignment]
            elif isinstance(module, ModuleType) and name not in ("sys", "builtins"):
                self.living.append(_weakref.ref(module))
        # the interpreter comes to the last entry when it has let go of all others
        sys.modules[""] = Finalizer(self.leave)  # type: ignore[assignment]

    def leave(self) -> None:
        """Take the interpreter's next step, the last that a bot could notice; end the process.

        If the bot has left something in Python's own modules, these go, too.
        """
        sys.modules.clear()
        self.collect()
        if not self.left():
            for stream in self.streams:
                flushed(stream)
            _ctypes.call_function(EXIT, (self.code,))
        for module in self.modules.values():
            names = vars(module)
            for name in names:
                names[name] = None

    def left(self) -> bool:
        """Return whether an object is left that might act when the rest is taken apart."""
        if any(module() for module in self.living):
            return True
        kinds = set(map(type, self.survivors())) - {Finalizer}
        return any(hasattr(kind, "__del__") for kind in kinds)


class Finalizer:
    """Calls a function when it is dropped."""

    def __init__(self, call: object) -> None:
        self.call = call

    def __del__(self) -> None:
        self.call()  # type: ignore[operator]


def exit_code(argument: object) -> int:
    """Return the process's exit code for the argument of `SystemExit`."""
    if argument is None:
        return 0
    if not isinstance(argument, int):
        return 1
    return argument & 0xFF if -(2**63) <= argument < 2**63 else 0xFF


def flushed(stream: object) -> bool:
    """Write out what was printed; return whether that succeeded."""
    try:
        stream.flush()  # type: ignore[attr-defined]
    except Exception:
        return False
    return True
