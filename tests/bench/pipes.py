"""The yardstick for living bots: a question and its answer between two C programs."""

from __future__ import annotations

import subprocess
import tempfile
from pathlib import Path


def bare_pipes_us(rounds: int) -> float:
    """Microseconds of one question and its answer through bare pipes, over so many of them.

    Both programs run where the caller is pinned to. Raises `subprocess.CalledProcessError`.
    """
    source = Path(__file__).with_suffix(".c")
    with tempfile.TemporaryDirectory(prefix="arena-bench-") as folder:
        program = f"{folder}/pipes"
        subprocess.run(["gcc", "-O2", "-o", program, source], check=True)
        done = subprocess.run([program, str(rounds)], check=True, capture_output=True, text=True)
    return int(done.stdout) / 1000
