"""`python -m card_arena.tests.cluster.efficiency`: a warm cluster against the plain pool.

Both have a worker on each core of this machine and do the same in turn, so that both see the same
machine; the table has medians. Tasks only wait, so other work on the machine matters less. *Chains*
are a few tasks and, when all are done, the next few, as in a season whose matches wait for each
other. Then such a season is played: chips that are carried on, by bots in C, in bubblewrap.
"""

from __future__ import annotations

import argparse
import tempfile
import time
from collections.abc import Callable
from concurrent.futures import wait
from contextlib import closing
from pathlib import Path
from statistics import median

from card_arena.sandbox.guarantees import GUARANTEES
from card_arena.tests.cluster.harness import SEED, Cluster
from card_arena.tests.results.fresh import fresh_store
from card_arena.tests.tournament import stage
from card_arena.tournament.play.pool import Pool, WorkerPool, cores
from card_arena.tournament.play.runner import run_once

BATCHES = ((0.02, 1, 50), (0.02, 4, 25), (0.1, 2, 10), (0.05, 200, 1), (0.5, 20, 1))
"""Seconds of a task, how many are handed in at once, and how often, each time after the last."""

LEGS, ROUNDS = 2, 12
"""Of the season of six bots in C at tables for three."""

C_BOT = r"""
#include <stdio.h>
#include <string.h>
#include <stdlib.h>
int main(void) {
    static char line[1 << 16];
    while (fgets(line, sizeof line, stdin))
        if (line[0] != '#') { puts(atoi(line) < LIMIT ? "H" : "S"); fflush(stdout); }
}
"""


def in_batches(length: float, width: int, number: int) -> Callable[[Pool], object]:
    """Hand so many tasks in at once, and again as soon as all are done."""

    def play(pool: Pool) -> None:
        with pool.queue(f"{length}") as queue:
            for _ in range(number):
                wait([queue.submit(time.sleep, length) for _ in range(width)])

    return play


def season(folder: Path) -> Callable[[Pool], object]:
    """Play a season from the start, in a database of its own."""
    settings = stage.tournament(
        sandbox="bubblewrap", legs=LEGS, rounds=ROUNDS, seats=3, workers=None
    )
    number = 0

    def play(pool: Pool) -> None:
        nonlocal number
        number += 1
        with closing(fresh_store(folder / f"{number}.db")) as store:
            for limit in range(12, 18):
                source = C_BOT.replace("LIMIT", str(limit))
                bot = stage.Bot(f"lim{limit}", "stdin", "c", source)
                stage.submit(store, bot.write(folder / f"bots{number}"), author=f"a{limit}")
            run_once(store, settings, stage.Notes(), SEED, pool)

    return play


def compare(what: str, task: Callable[[Pool], object], plain: Pool, warm: Pool, runs: int) -> None:
    """Do a task with both pools in turn, and print a line of a table."""
    took: dict[Pool, list[float]] = {plain: [], warm: []}
    for run in range(runs):
        for pool in (plain, warm) if run % 2 else (warm, plain):
            began = time.monotonic()
            task(pool)
            took[pool].append(time.monotonic() - began)
    ratios = [there / here for here, there in zip(took[plain], took[warm], strict=True)]
    here, there = median(took[plain]), median(took[warm])
    print(f"| {what} | {here:.2f} s | {there:.2f} s | {median(ratios):.2f} |", flush=True)


def main() -> None:
    """Print a table."""
    parser = argparse.ArgumentParser(
        prog="card_arena.tests.cluster.efficiency", description=__doc__
    )
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--seasons", type=int, default=5)
    given = parser.parse_args()
    slots = len(cores())
    with tempfile.TemporaryDirectory(prefix="arena-cluster-") as name, WorkerPool() as plain:
        folder = Path(name)
        folder.chmod(0o755)
        cluster = Cluster(folder)
        try:
            sandboxes = {"bare": ["wall-time"], "bubblewrap": [*GUARANTEES]}
            cluster.host("alpha", slots=slots, languages={"c": "cc 1"}, sandboxes=sandboxes)
            with cluster.pool([], slots=slots) as warm:
                for pool in (plain, warm):  # every worker has started
                    wait([pool.submit(time.sleep, 0.5) for _ in range(4 * slots)])
                print("| what | plain pool | warm cluster | ratio |\n| --- | --- | --- | --- |")
                for length, width, number in BATCHES:
                    what = f"{number} times {width} tasks of {length:g} s"
                    compare(what, in_batches(length, width, number), plain, warm, given.runs)
                play = season(folder)
                for pool in (plain, warm):  # every bot is built
                    play(pool)
                compare("a season with chips carried on", play, plain, warm, given.seasons)
        finally:
            cluster.end()


if __name__ == "__main__":
    main()
