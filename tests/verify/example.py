"""Run the independent verifier."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from card_arena.tests.tournament.foreign import PROGRAM
from card_arena.tournament.settings import settings_of


def run(path: Path, *more: str) -> tuple[int, str]:
    """What the program says, without site packages and away from the arena."""
    done = subprocess.run(
        [sys.executable, "-I", "-S", PROGRAM, path, *more],
        capture_output=True, text=True, cwd=path.parent, timeout=100, check=False,
    )  # fmt: skip
    return done.returncode, done.stdout + done.stderr


SETTINGS = settings_of({"name": "random", "game": "spades"}).freeze().data()
