"""`python -m card_arena.tests.killed contest --times 30`: small seasons, killed at random."""

from __future__ import annotations

import argparse
import tempfile
from pathlib import Path
from random import Random

from card_arena.tests.killed.harness import killed_and_calm
from card_arena.tests.killed.small_seasons import SEASONS


def main() -> None:
    """Kill each of the format's seasons; fail if one ends otherwise than undisturbed."""
    parser = argparse.ArgumentParser(prog="card_arena.tests.killed", description=__doc__)
    parser.add_argument("format", choices=SEASONS)
    parser.add_argument(
        "--times",
        type=int,
        default=30,
        help="kills of each tournament (30), in as many runs of it as that takes",
    )
    parser.add_argument("--seed", type=int, default=None, help="of the random points")
    given = parser.parse_args()
    random = Random(given.seed)
    for number, small in enumerate(SEASONS[given.format], start=1):
        print(f"{given.format}, tournament {number}", flush=True)
        done = 0
        while done < given.times:  # a season is over after a few
            with tempfile.TemporaryDirectory(prefix="arena-killed-") as folder:
                kills, killed, calm = killed_and_calm(
                    Path(folder),
                    small,
                    given.times - done,
                    random,
                    lambda sentence: print(f"  {sentence}", flush=True),
                )
            assert killed == calm, "the killed seasons ended otherwise"
            done += kills
        print(f"  {done} kills changed nothing, and every record was verified", flush=True)


if __name__ == "__main__":
    main()
