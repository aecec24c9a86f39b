"""The program in examples/verify, which imports nothing of ours, for tests that call its parts."""

from __future__ import annotations

import importlib
import sys
from pathlib import Path
from typing import Any

PROGRAM = Path(__file__).parents[2] / "examples" / "verify"


def part(name: str) -> Any:
    """A module of the program, as it imports it itself."""
    if str(PROGRAM) not in sys.path:
        sys.path.insert(0, str(PROGRAM))
    return importlib.import_module(name)


def by_the_example(path: Path, head: str = "") -> list[str]:
    """What the program says is wrong with a season's file."""
    try:
        season = part("season").Season(path)
    except part("basics").READ_ERRORS as error:
        return [repr(error)]
    found: list[str] = season.found
    try:
        season.check(head, {})
    except part("basics").READ_ERRORS as error:
        found.append(repr(error))
    return found
