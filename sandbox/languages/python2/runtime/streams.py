"""Standard streams and files of Python 2: texts of bytes, and `print` that remembers its blanks.

Also texts that are run while a bot plays: `exec`, `eval`, `execfile` and `input`. The translator
lies beside the bot if one of its files names one of these.
"""

# Without contextlib and pathlib, which would add to the start of a bot:
# ruff: noqa: PTH100, PTH118, PTH120, PTH123, SIM105

from __future__ import annotations

import atexit
import io
import os
import sys

from .values import text

TYPE_CHECKING = False
if TYPE_CHECKING:  # importing typing would double the start of a bot
    from typing import Any


class File(io.TextIOWrapper):
    """A file of Python 2.

    `softspace` says that a `print` with a comma at its end was the last to write: the next one
    begins with a blank.
    """

    softspace = 0

    def write(self, written: str) -> int:
        """Write a text as it stands; what `print` left open is closed by that."""
        self.softspace = 0
        return super().write(written)


def opened(name: Any, mode: str = "r", buffering: int = -1) -> Any:
    """`open` and `file`: lines end as they do in the file, unless the mode holds a U."""
    plain = mode.replace("b", "").replace("t", "")
    newline = None if "U" in plain else "\n"
    plain = plain.replace("U", "") or "r"
    if not set("rwa") & set(plain):
        plain = f"r{plain}"
    if isinstance(name, str):
        name = os.fsdecode(name.encode("latin-1"))
    binary: Any = open(name, f"{plain}b", 0 if buffering == 0 and plain != "r" else -1)  # noqa: SIM115
    if isinstance(binary, io.FileIO):
        binary = io.BufferedWriter(binary, 1)
    return File(binary, "latin-1", newline=newline, write_through=buffering == 0)


class Printing:
    """The statement `print`, as it writes one item after the other."""

    __slots__ = ("stream",)

    def __init__(self, stream: Any = None) -> None:
        self.stream: Any = sys.stdout if stream is None else stream

    def item(self, value: Any) -> Printing:
        """Write a value, after a blank where one was written before it on this line."""
        written = text(value)
        if getattr(self.stream, "softspace", 0):
            self.stream.write(" ")
        self.stream.write(written)
        last = written[-1:] if type(value) is str else ""
        self._remember(not (last.isspace() and last != " "))
        return self

    def line(self) -> None:
        self.stream.write("\n")
        self._remember(False)

    def _remember(self, space: bool) -> None:
        try:
            self.stream.softspace = int(space)
        except AttributeError:
            pass


def printed(*items: Any, end: str = "\n", file: Any = None) -> None:
    """The statement `print` of at most one item; an `end` of one blank is a comma after it."""
    printing = Printing(file)
    for item in items:
        printing.item(item)
    if end == "\n":
        printing.line()


def print_function(*items: Any, sep: Any = " ", end: Any = "\n", file: Any = None) -> None:
    """The function `print` of `from __future__ import print_function`."""
    stream = sys.stdout if file is None else file
    stream.write((" " if sep is None else sep).join(map(text, items)))
    stream.write("\n" if end is None else end)


def asked_line(prompt: Any = "") -> str:
    """`raw_input`: write a prompt and read a line, without its end."""
    stream: Any = sys.stdout
    if getattr(stream, "softspace", 0):
        stream.write(" ")
    if prompt != "":
        stream.write(text(prompt))
        stream.flush()
    line = sys.stdin.readline()
    if not line:
        raise EOFError("EOF when reading a line")
    return line.removesuffix("\n")


def begin(main: str) -> None:
    """Make the streams and arguments those of Python 2; `main` is the file that was started."""
    for name in ("stdin", "stdout", "stderr"):
        before: Any = getattr(sys, name)
        if isinstance(before, File):
            return  # a module of the bot's was there first
        if before is None:
            continue
        stream = File(before.detach(), "latin-1", newline="\n", write_through=name == "stderr")
        setattr(sys, name, stream)
        setattr(sys, f"__{name}__", stream)
    sys.argv[:] = [main, *(os.fsencode(word).decode("latin-1") for word in sys.argv[1:])]
    atexit.register(_close_line)


def _close_line() -> None:
    """End the line that the last `print` left open, as Python 2 does when a program ends."""
    stream = sys.stdout
    if getattr(stream, "softspace", 0) and not stream.closed:
        stream.write("\n")


TRANSLATOR = os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), ".python2")


def compiled(source: Any, filename: str, mode: str, *_: Any) -> Any:
    """`compile`: translate a program's text."""
    if TRANSLATOR not in sys.path:
        sys.path.append(TRANSLATOR)
    from card_arena.sandbox.languages.python2.translator import translated

    return translated(source.strip(" \t") if mode == "eval" else source, filename, mode)


def _code(source: Any, mode: str) -> Any:
    return compiled(source, "<string>", mode) if isinstance(source, str) else source


def _scope(names: Any, local: Any) -> tuple[Any, Any]:
    """Return the given names, or those of the caller's caller."""
    if names is None:
        frame = sys._getframe(2)
        return frame.f_globals, frame.f_locals
    return names, names if local is None else local


def evaluated(source: Any, names: Any = None, local: Any = None) -> Any:
    """`eval`, with the caller's names unless others are given."""
    names, local = _scope(names, local)
    return eval(_code(source, "eval"), names, local)


def executed(source: Any, names: Any = None, local: Any = None) -> None:
    """`exec`, with the caller's names unless others are given."""
    names, local = _scope(names, local)
    if hasattr(source, "read"):
        source = source.read()
    exec(_code(source, "exec"), names, local)


def executed_file(path: Any, names: Any = None, local: Any = None) -> None:
    """`execfile`, with the caller's names unless others are given."""
    names, local = _scope(names, local)
    with open(path, "rb") as file:
        code = compiled(file.read(), path, "exec")
    exec(code, names, local)


def input_value(prompt: Any = "") -> Any:
    """`input`: the value of an expression that is typed."""
    frame = sys._getframe(1)
    return eval(_code(asked_line(prompt), "eval"), frame.f_globals, frame.f_locals)
