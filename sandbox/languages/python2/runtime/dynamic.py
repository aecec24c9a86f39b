"""Texts that are run while a bot plays: `exec`, `eval`, `execfile` and `input`.

The translator lies beside the bot where one of its files names one of these.
"""

# Without pathlib, which would add to the start of a bot:
# ruff: noqa: PTH100, PTH118, PTH120, PTH123

from __future__ import annotations

import os
import sys

from .streams import asked_line

TYPE_CHECKING = False
if TYPE_CHECKING:  # importing typing would double the start of a bot
    from typing import Any

TRANSLATOR = os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), ".python2")


def compiled(source: Any, filename: str, mode: str, *_: Any) -> Any:
    """`compile`: translate a program's text."""
    if TRANSLATOR not in sys.path:
        sys.path.append(TRANSLATOR)
    from sandbox.languages.python2.translator import translated

    return translated(source.strip(" \t") if mode == "eval" else source, filename, mode)


def _code(source: Any, mode: str) -> Any:
    return compiled(source, "<string>", mode) if isinstance(source, str) else source


def evaluated(source: Any, names: Any = None, local: Any = None) -> Any:
    """`eval`, with the caller's names unless others are given."""
    if names is None:
        frame = sys._getframe(1)
        names, local = frame.f_globals, frame.f_locals
    return eval(_code(source, "eval"), names, names if local is None else local)


def executed(source: Any, names: Any = None, local: Any = None) -> None:
    """`exec`, with the caller's names unless others are given."""
    if names is None:
        frame = sys._getframe(1)
        names, local = frame.f_globals, frame.f_locals
    if hasattr(source, "read"):
        source = source.read()
    exec(_code(source, "exec"), names, names if local is None else local)


def executed_file(path: Any, names: Any = None, local: Any = None) -> None:
    """`execfile`, with the caller's names unless others are given."""
    if names is None:
        frame = sys._getframe(1)
        names, local = frame.f_globals, frame.f_locals
    with open(path, "rb") as file:
        code = compiled(file.read(), path, "exec")
    exec(code, names, names if local is None else local)


def input_value(prompt: Any = "") -> Any:
    """`input`: the value of an expression that is typed."""
    frame = sys._getframe(1)
    return eval(_code(asked_line(prompt), "eval"), frame.f_globals, frame.f_locals)
