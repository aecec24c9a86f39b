"""The coverage of every interval: `python -m tests.coverage` prints the table of docs/ratings.md.

It takes some minutes; `--runs` says how many seasons of five units are simulated in every cell, and
longer ones are as many fewer as they are longer.
"""

from __future__ import annotations

import argparse
import random
from collections import Counter
from collections.abc import Callable

from tests.coverage import simulated
from tests.coverage.noises import NOISES
from tests.coverage.simulated import Held

UNITS = (5, 10, 30, 100)


def covered(season: Callable[[random.Random], Held], runs: int, seed: str) -> dict[str, str]:
    """The part of intervals of each kind that hold the truth, in per cent."""
    rng = random.Random(seed)
    seen: Counter[str] = Counter()
    held: Counter[str] = Counter()
    for _ in range(runs):
        for kind, true in season(rng):
            seen[kind] += 1
            held[kind] += true
    return {
        kind: f"{100 * held[kind] / seen[kind]:.1f}" if seen[kind] > 99 else "-" for kind in seen
    }


def main() -> None:
    """Simulate and print."""
    parser = argparse.ArgumentParser(prog="python -m tests.coverage")
    parser.add_argument("--runs", type=int, default=200)
    runs = parser.parse_args().runs
    print(
        "| interval | noise and tables | 5 | 10 | 30 | 100 |\n| --- | --- | --- | --- | --- | --- |"
    )

    def show(what: str, season: Callable[[random.Random, int], Held], times: int = 1) -> None:
        columns = [
            covered(
                lambda rng, units=units: season(rng, units),
                max(10, times * runs * 5 // units),
                f"{what} {units}",
            )
            for units in UNITS
        ]
        for kind in sorted({kind for column in columns for kind in column}):
            cells = " | ".join(column.get(kind, "-") for column in columns)
            print(f"| {kind} | {what} | {cells} |", flush=True)

    for name, noise in NOISES.items():
        show(name, lambda rng, units, noise=noise: simulated.means(rng, noise, units), 50)
    for part in (0.5, 0.8, 0.95):
        show("games of a match alike", lambda r, n, p=part: simulated.rates(r, p, n), 50)
    for seats in (2, 3, 4):
        for name, noise in NOISES.items():
            show(
                f"{name}; {seats} seats, by lot",
                lambda rng, units, noise=noise, seats=seats: simulated.leads(
                    rng, noise, units, seats, simulated.by_lot, 0.1
                ),
            )
    for seats in (2, 4):
        for spread in (0.1, 1.0):
            show(
                f"normal; {seats} seats, by results, bots {spread:g} apart",
                lambda rng, units, seats=seats, spread=spread: simulated.leads(
                    rng, NOISES["normal"], units, seats, simulated.by_results, spread
                ),
            )
    for seats in (2, 4):
        show(f"ranks; {seats} seats", lambda r, n, s=seats: simulated.ranks(r, n, s))


if __name__ == "__main__":
    main()
