"""How long it takes until the library can be used, in a new process, beside an empty Python."""

from __future__ import annotations

import statistics
import subprocess
import sys
from collections.abc import Iterator
from functools import partial

from card_arena.tests.bench.timing import Row, interleaved

STEPS = {
    "`import card_arena`": "import card_arena",
    '`new_game("spades")`': "import card_arena; card_arena.new_game('spades')",
    "the first question": "import card_arena; card_arena.new_game('spades').question()",
}


def run(program: str) -> None:
    subprocess.run([sys.executable, "-c", program], check=True)


def import_rows(rounds: int) -> Iterator[Row]:
    """A row for each step, which includes those before it."""
    ways = [partial(run, program) for program in ("pass", *STEPS.values())]
    empty, *ours = (statistics.median(times) * 1e3 for times in interleaved(rounds, *ways))
    for what, taken in zip(STEPS, ours, strict=True):
        yield what, f"{taken:.0f} ms against {empty:.0f}", f"{taken / empty:.1f}", ""
