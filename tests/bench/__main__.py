"""What the arena costs, as ratios to the bare thing in the same run. `scripts/bench` runs it.

Every comparison is interleaved (one bare, one sandboxed, one bare ...), so that a machine which
slows down or speeds up does so for both, and medians are compared. Everything that plays one after
the other is pinned to one core: across two cores a wake-up costs more than everything else
together.

With `--write` each table goes into its block in the documentation as soon as it is measured.
"""

from __future__ import annotations

import argparse

from card_arena.tests.bench.pages import measured, write
from card_arena.tests.bench.tables import TABLES


def main() -> None:
    """Measure and print the tables."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--rounds", type=int, default=300, help="questions of each kind")
    parser.add_argument("--only", choices=tuple(TABLES), help="one of the tables")
    parser.add_argument(
        "--write", action="store_true", help="put the tables into the pages that show them"
    )
    arguments = parser.parse_args()
    names = [arguments.only] if arguments.only else list(TABLES)
    for name in names:
        if arguments.write and (missing := TABLES[name].missing()):
            parser.error(f"nothing is measured, since {name} would lack rows: {missing}")
    for name in names:
        text = measured(TABLES[name], arguments.rounds)
        print(f"{text}\n", flush=True)
        if arguments.write:
            print(f"wrote it to {write(name, text)}\n", flush=True)


if __name__ == "__main__":
    main()
