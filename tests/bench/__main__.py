"""What the arena costs, as ratios to the bare thing in the same run. `scripts/bench` runs it.

Every comparison is interleaved (one bare, one boxed, one bare ...), so that a machine which slows
down or speeds up does so for both, and medians are compared. Everything that plays one after the
other is pinned to one core: across two cores a wake-up costs more than everything else together.
"""

from __future__ import annotations

import argparse

from tables.manual import table
from tests.bench.boxes import (
    IMPORTS,
    argv_row,
    docker_rows,
    game_row,
    living_row,
    start_rows,
    stdin_row,
    warm_row,
)
from tests.bench.contests import contest_rows
from tests.bench.formats import HEADINGS as FORMATS
from tests.bench.formats import format_rows
from tests.bench.games import game_rows, pyspiel_rows
from tests.bench.hangs import HEADINGS as HANGING
from tests.bench.hangs import gone_rows, hang_rows
from tests.bench.languages import HEADINGS, language_rows
from tests.bench.timing import Row, one_core
from tests.bench.whispers import HEADINGS as WHISPERING
from tests.bench.whispers import whisper_rows


def main() -> None:
    """Measure and print the tables."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=300, help="questions of each kind")
    parser.add_argument(
        "--only",
        choices=("boxes", "games", "contests", "formats", "languages", "hangs", "whispers"),
        help="one part of the tables",
    )
    arguments = parser.parse_args()
    rounds = arguments.rounds
    rows: list[Row] = []
    with one_core():
        if arguments.only in (None, "boxes"):
            rows.append(argv_row("c", "at most 1.20 and 1.30", rounds))
            rows.append(argv_row("python", "at most 1.05", rounds))
            rows.append(warm_row("", "at most 0.20", rounds))
            rows.append(warm_row(IMPORTS, "at most 0.12", rounds))
            rows.append(living_row("at most 2.96", rounds, stopped=False))
            rows.append(living_row("at most 37", rounds, stopped=True))
            rows.append(stdin_row("c", "at most 1.50", rounds))
            rows.append(stdin_row("python", "at most 1.50", rounds))
            rows.append(game_row("starters/python", rounds))
            rows.append(game_row("spades/bis-srp", rounds))
            rows.extend(start_rows(max(20, rounds // 10), "at most 10 ms"))
            rows.extend(docker_rows(rounds))
        if arguments.only in (None, "games"):
            rows.extend(game_rows(max(3, rounds // 20), seconds=3.0))
            rows.extend(pyspiel_rows(max(3, rounds // 10)))
    if arguments.only in (None, "contests"):
        rows.extend(contest_rows(legs=4, seasons=2))
    if arguments.only in (None, "boxes", "hangs"):
        rows.extend(gone_rows(max(10, rounds // 20)))
    if rows:
        print(table(("what", "median", "ratio", "target"), rows))
    if arguments.only in (None, "formats"):
        with one_core():
            print(table(FORMATS, list(format_rows())))
    if arguments.only in (None, "languages"):
        with one_core():
            print(table(HEADINGS, list(language_rows(max(20, rounds // 10)))))
    if arguments.only in (None, "hangs"):
        print(table(HANGING, list(hang_rows())))
    if arguments.only in (None, "whispers"):
        with one_core():
            print(table(WHISPERING, list(whisper_rows())))


if __name__ == "__main__":
    main()
