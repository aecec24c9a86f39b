"""`python -m card_arena.tests.coverage`: every interval's coverage, the tables of docs/ratings.md.

It takes some minutes. `--runs` says how many seasons are simulated in every cell of the formats,
and in the other cells how many of five units: longer ones are as many fewer as they are longer.
"""

from __future__ import annotations

import argparse
import random
from collections import Counter
from collections.abc import Callable

from card_arena.tests.coverage import formats, simulated
from card_arena.tests.coverage.noises import NOISES
from card_arena.tests.coverage.simulated import Held

UNITS = {"looks": (100, 300, 1000)}
USUAL = (5, 10, 30, 100)
"""The numbers of clusters, boards or matches in the columns of a part."""


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


Season = Callable[[random.Random, int], Held]
Show = Callable[[str, Season, Callable[[int], int]], None]
"""Simulates so many seasons for a number of units, and prints a line for each kind of interval."""


def of_statistics(show: Show, runs: int) -> None:
    """Means, rates, and strengths of bots that met by lot or by results, as the fit has them."""

    def alike(units: int) -> int:
        return max(10, runs * 5 // units)

    def clusters(units: int) -> int:
        return max(10, 50 * runs * 5 // units)

    for name, noise in NOISES.items():
        show(name, lambda rng, units, noise=noise: simulated.means(rng, noise, units), clusters)
    for part in (0.5, 0.8, 0.95):
        show("games of a match alike", lambda r, n, p=part: simulated.rates(r, p, n), clusters)
    for seats in (2, 3, 4):
        for name, noise in NOISES.items():
            show(
                f"{name}; {seats} seats, by lot",
                lambda rng, units, noise=noise, seats=seats: simulated.margins(
                    rng, noise, units, seats, simulated.by_lot, 0.1
                ),
                alike,
            )
    for seats in (2, 4):
        for spread in (0.1, 1.0):
            show(
                f"normal; {seats} seats, by results, bots {spread:g} apart",
                lambda rng, units, seats=seats, spread=spread: simulated.margins(
                    rng, NOISES["normal"], units, seats, simulated.by_results, spread
                ),
                alike,
            )
    for seats in (2, 4):
        show(f"ranks; {seats} seats", lambda r, n, s=seats: simulated.ranks(r, n, s), alike)


def of_formats(show: Show, runs: int) -> None:
    """Every format, with the intervals that are printed of it."""
    for name in formats.COURSES:
        for seats in (2,) if name == "gauntlet" else (2, 4):
            for noise, spread in (("normal", 0.1), ("normal", 0.3), ("heavy tails", 0.1)):
                show(
                    f"{name}; {noise}; {seats} seats, bots {spread:g} apart",
                    lambda rng, units, name=name, noise=noise, seats=seats, spread=spread: (
                        formats.played(rng, name, NOISES[noise], units, seats, spread)
                    ),
                    lambda _: runs,
                )


def of_looks(show: Show, runs: int) -> None:
    """The interval that holds at any time, looked at after every board (paragraph m.7)."""
    for name in simulated.BOARDS:
        show(
            name, lambda rng, boards, name=name: simulated.looks(rng, name, boards), lambda _: runs
        )


PARTS = {"statistics": of_statistics, "formats": of_formats, "looks": of_looks}


def main() -> None:
    """Simulate and print: `statistics` for paragraph k.1, `formats` for k.4, `looks` for m.7."""
    parser = argparse.ArgumentParser(prog="python -m card_arena.tests.coverage")
    parser.add_argument("parts", nargs="*", choices=[[], *PARTS], metavar="PART")
    parser.add_argument("--runs", type=int, default=200)
    asked = parser.parse_args()

    def show(what: str, season: Season, seasons: Callable[[int], int]) -> None:
        columns = [
            covered(lambda rng, units=units: season(rng, units), seasons(units), f"{what} {units}")
            for units in UNITS.get(part, USUAL)
        ]
        for kind in sorted({kind for column in columns for kind in column}):
            cells = " | ".join(column.get(kind, "-") for column in columns)
            print(f"| {kind} | {what} | {cells} |", flush=True)

    for part in asked.parts or PARTS:
        units = UNITS.get(part, USUAL)
        print(f"| interval | noise and tables | {' | '.join(map(str, units))} |")
        print("| --- | --- |" + " --- |" * len(units))
        PARTS[part](show, asked.runs)


if __name__ == "__main__":
    main()
