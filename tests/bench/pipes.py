"""The yardstick for living bots: a question and its answer between two C programs."""

from __future__ import annotations

import subprocess
import tempfile
from functools import lru_cache
from pathlib import Path


def bare_pipes_us(rounds: int) -> float:
    """Microseconds of one question and its answer through bare pipes, over so many of them.

    Both programs run where the caller is pinned to. Raises `subprocess.CalledProcessError`.
    """
    program = Path(_built().name) / "pipes"
    done = subprocess.run([program, str(rounds)], check=True, capture_output=True, text=True)
    return int(done.stdout) / 1000


@lru_cache
def _built() -> tempfile.TemporaryDirectory[str]:
    """Compile the program, once, into a folder that goes with this process."""
    folder = tempfile.TemporaryDirectory(prefix="arena-bench-")
    source = Path(__file__).with_suffix(".c")
    subprocess.run(["gcc", "-O2", "-o", f"{folder.name}/pipes", source], check=True)
    return folder
