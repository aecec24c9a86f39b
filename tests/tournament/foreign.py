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
