"""`python -m card_arena.tests.collusion`: the power and false alarms of the test of soft play.

With the defaults this takes about twenty minutes on one core. docs/collusion.md has the figures.
"""

from __future__ import annotations

import argparse
import sys

from card_arena.collusion.pairs import soft_play
from card_arena.tests.collusion.fields import KINDS, season


def main() -> None:
    """Play seasons, and print how often the colluders and how often anybody else were found."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("games", nargs="*", default=[*KINDS], metavar="GAME")
    parser.add_argument("--fields", type=int, default=100, help="seasons of each kind")
    parser.add_argument("--tables", type=int, nargs="+", default=[6], help="common tables")
    parser.add_argument("--parts", type=float, nargs="+", default=[0.0, 0.25, 1.0])
    asked = parser.parse_args()
    for game in asked.games:
        for tables in asked.tables:
            for part in asked.parts:
                print(measured(game, tables, part, asked.fields), flush=True)


def measured(game: str, tables: int, part: float, fields: int) -> str:
    """Play so many seasons; one line says what was found."""
    caught = alarms = 0
    largest = 0.0
    for seed in range(fields):
        found = soft_play(season(game, seed, tables, part=part))
        pairs = {(each.one, each.other) for each in found if each.found}
        caught += (0, 1) in pairs
        alarms += bool(pairs - {(0, 1)} if part else pairs)
        largest = max([largest, *(each.t for each in found)])
        if seed % 10 == 9:
            print(f"{game} {part:g} {seed + 1}: {caught} {alarms}", file=sys.stderr, flush=True)
    who = f"colluders found in {caught}, others" if part else "a pair"
    return (
        f"{game}, {tables} common tables, part {part:g}: {who} found in {alarms} of {fields}"
        f" fields; largest t {largest:.1f}"
    )


if __name__ == "__main__":
    main()
