"""The yardsticks for living bots: a question and its answer on bare pipes, from C and Python."""

from __future__ import annotations

import os
import subprocess
import tempfile
import time
from pathlib import Path

QUESTION = b"17 K7 9#K675 10 190\n"
LONGEST = 256


def bare_pipes_us(rounds: int) -> tuple[float, float]:
    """Microseconds of one question and its answer through bare pipes, over so many of them.

    The first number is that of a C program that asks, the second that of this one in Python. All
    run where the caller is pinned to. Raises `subprocess.CalledProcessError`.
    """
    source = Path(__file__).with_suffix(".c")
    with tempfile.TemporaryDirectory(prefix="arena-bench-") as folder:
        program = f"{folder}/pipes"
        subprocess.run(["gcc", "-O2", "-o", program, source], check=True)
        done = subprocess.run([program, str(rounds)], check=True, capture_output=True, text=True)
        return int(done.stdout) / 1000, _python_us(program, rounds)


def _python_us(program: str, rounds: int) -> float:
    """The same for a loop in Python that does nothing but write questions and read answers."""
    with subprocess.Popen([program], stdin=subprocess.PIPE, stdout=subprocess.PIPE) as bot:
        assert bot.stdin is not None
        assert bot.stdout is not None
        there, back = bot.stdin.fileno(), bot.stdout.fileno()
        os.write(there, QUESTION)  # the first answer comes when the program has been loaded
        os.read(back, LONGEST)
        begun = time.perf_counter()
        for _ in range(rounds):
            os.write(there, QUESTION)
            os.read(back, LONGEST)
        return (time.perf_counter() - begun) / rounds * 1e6
