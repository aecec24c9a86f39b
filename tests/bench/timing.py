"""How everything is timed: interleaved, on one core, and compared by medians."""

from __future__ import annotations

import os
import statistics
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

TOP = Path(__file__).parents[2]

Row = tuple[str, str, str, str]
"""One line of the table: what was measured, the median, a ratio, and the target of the ratio."""


def median_us(seconds: Sequence[float]) -> float:
    """The median in microseconds."""
    return statistics.median(seconds) * 1e6


def interleaved(rounds: int, *ways: Callable[[], None], batch: int = 1) -> list[list[float]]:
    """Time each way in turn, `rounds` times; the first tenth is warming up and not counted.

    A way is repeated `batch` times in a row and its mean is kept. What it leaves to be done
    afterwards then counts in its own time, not in that of the next way.
    """
    taken: list[list[float]] = [[] for _ in ways]
    for number in range(-rounds // 10, rounds):
        for way, times in zip(ways, taken, strict=True):
            begun = time.perf_counter()
            for _ in range(batch):
                way()
            ended = time.perf_counter()
            if number >= 0:
                times.append((ended - begun) / batch)
    return taken


def compared(what: str, target: str, bare: Sequence[float], sandboxed: Sequence[float]) -> Row:
    """One row of the table: both medians and their ratio, and that of both 90th percentiles."""
    slow, fast = median_us(sandboxed), median_us(bare)
    slowest, slower = (statistics.quantiles(times, n=10)[-1] for times in (sandboxed, bare))
    ratio = f"{slow / fast:.2f}, of the slowest tenth {slowest / slower:.2f}"
    return what, f"{slow:.1f} µs against {fast:.1f}", ratio, target


@contextmanager
def one_core() -> Iterator[None]:
    """Keep this process, and what it starts, on one core."""
    before = os.sched_getaffinity(0)
    os.sched_setaffinity(0, {max(before)})
    try:
        yield
    finally:
        os.sched_setaffinity(0, before)
