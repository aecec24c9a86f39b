"""What it costs a runner to tell of attempts: `python -m card_arena.tests.bench.attempts`."""

from __future__ import annotations

import tempfile
import time
from contextlib import closing

from card_arena.results.entries import Entrant
from card_arena.results.store import Store
from card_arena.tests.bench.stocking import Here, enrolled, running, settings, stock

MATCHES = 400
AT_A_TIME = (1, 2, 16)
NAMED = (1, 3, 30)
ENTRIES = 500


class Silent(Store):
    """A store whose ledger doesn't tell of attempts."""

    def note_attempts(self, season_id: int, keys: object) -> None:
        """Tell nothing."""


def cost(kind: type[Store], at_a_time: int) -> float:
    """Return the milliseconds of processor time of a match that is played in no time."""
    queue = Here(at_a_time)
    with (
        tempfile.TemporaryDirectory() as folder,
        closing(kind(f"sqlite:///{folder}/a.db")) as store,
        closing(stock(store, 10**9, settings(), queue, at_a_time)) as steps,
    ):
        next(steps)
        before, played = time.process_time() - queue.seconds, queue.played
        while queue.played < played + MATCHES:
            next(steps)
        return 1e3 * (time.process_time() - queue.seconds - before) / (queue.played - played)


def entry_cost(named: int) -> float:
    """Return the milliseconds of processor time of an entry, for each of the matches it names."""
    with (
        tempfile.TemporaryDirectory() as folder,
        closing(Store(f"sqlite:///{folder}/a.db")) as store,
    ):
        entrants = [Entrant(version) for version in enrolled(store)]
        season, _ = running(store, settings(), entrants)
        keys = [f"weekly/0001/t01/r01/{number:03}" for number in range(named)]
        before = time.process_time()
        for _ in range(ENTRIES):
            store.note_attempts(season.id, keys)
        return 1e3 * (time.process_time() - before) / (ENTRIES * named)


def main() -> None:
    """Print a line for each size of an entry, and for each number of matches at a time."""
    for named in NAMED:
        print(f"{named:>3} in an entry: {entry_cost(named):.2f} ms a match")
    for at_a_time in AT_A_TIME:
        told, silent = (cost(kind, at_a_time) for kind in (Store, Silent))
        print(f"{at_a_time:>3} at a time: {told:.2f} ms a match, {silent:.2f} ms without attempts")


if __name__ == "__main__":
    main()
