"""Margins of real boards, which the error rates of comparisons are measured over.

House bots have played them once, and `experiments/formats/margins.json` keeps how often each margin
came. To play them again: `python -m card_arena.tests.bench.margins`, which takes about twenty
minutes on two cores.
"""

from __future__ import annotations

import argparse
import hashlib
import json
from collections import Counter
from dataclasses import dataclass
from fractions import Fraction

from card_arena.tests.bench.timing import TOP
from card_arena.tournament.comparison import play_boards
from card_arena.tournament.exhibition import guest_at, house_rules, house_table, ticket
from card_arena.tournament.play.pool import WorkerPool

KEPT = TOP / "experiments" / "formats" / "margins.json"


@dataclass(frozen=True, slots=True)
class Pair:
    """Two house bots of a game, by their folders, and how many boards they have played.

    `seats` is how many bots sit at the table: the first, and the second in all other seats.
    """

    game: str
    new: str
    old: str
    boards: int
    seats: int = 2

    @property
    def title(self) -> str:
        """Name the pair in a table."""
        table = f", {self.seats} at a table" if self.seats > 2 else ""
        return f"{self.game}: {self.new} against {self.old}{table}"


PAIRS = (
    Pair("blackjack", "lim17", "lim15", 2000),
    Pair("blackjack", "counter", "basic", 600),
    Pair("durak", "value-intended", "value", 1500),
    Pair("spades", "bis-srp", "bis-no-nil", 400),
    Pair("blot", "v1", "v1-printed", 400),
    Pair("tarot", "points", "random", 100, seats=3),
    Pair("durak", "value", "lowest", 150, seats=4),
)


def main() -> None:
    """Play the boards of all pairs and keep their margins, pair by pair."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--again", action="store_true", help="play the pairs that are kept, too")
    again = parser.parse_args().again
    kept = json.loads(KEPT.read_text()) if KEPT.exists() and not again else {}
    with WorkerPool() as pool:
        for pair in PAIRS:
            if pair.title not in kept:
                kept[pair.title] = counts = played(pair, pair.boards, pool)
                KEPT.write_text(json.dumps(kept, indent=None, separators=(",", ":")))
                print(pair.title, len(counts), flush=True)


def played(pair: Pair, boards: int, pool: WorkerPool) -> dict[str, int]:
    """Play a pair's boards; return how often each margin came, as text such as `-7/2`."""
    bots = [guest_at(str(TOP / "bots" / pair.game / name)) for name in (pair.new, pair.old)]
    table = house_rules(house_table(pair.game), pair.seats, duplicate=True)
    guests = [bots[0], *[bots[1]] * (pair.seats - 1)]
    seed = hashlib.sha256(pair.title.encode()).digest()
    found: Counter[Fraction] = Counter()
    for board in play_boards(ticket(guests, table, seed), pool, boards):
        found[board.showings[0].margin / board.games] += 1
    return {str(margin): found[margin] for margin in sorted(found)}


if __name__ == "__main__":
    main()
