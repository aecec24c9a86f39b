"""What it costs a runner to tell of attempts: `python -m tests.bench.attempts`."""

from __future__ import annotations

import tempfile
import time
from contextlib import closing

from leaderboard.storage.store import Store
from tests.bench.stocking import Here, settings, stock

MATCHES = 400
AT_A_TIME = (1, 2, 16)


class Silent(Store):
    """A store whose ledger doesn't tell of attempts."""

    def note_attempts(self, season_id: int, keys: object) -> None:
        """Tell nothing."""


def cost(kind: type[Store], at_a_time: int) -> float:
    """Return the milliseconds of processor time of a match that is played in no time."""
    lane = Here(at_a_time)
    with (
        tempfile.TemporaryDirectory() as folder,
        closing(kind(f"sqlite:///{folder}/a.db")) as store,
        closing(stock(store, 10**9, settings(), lane, at_a_time)) as steps,
    ):
        next(steps)
        before, played = time.process_time() - lane.seconds, lane.played
        while lane.played < played + MATCHES:
            next(steps)
        return 1e3 * (time.process_time() - lane.seconds - before) / (lane.played - played)


def main() -> None:
    """Print a line for each number of matches at a time."""
    for at_a_time in AT_A_TIME:
        told, silent = (cost(kind, at_a_time) for kind in (Store, Silent))
        print(f"{at_a_time:>3} at a time: {told:.2f} ms a match, {silent:.2f} ms without attempts")


if __name__ == "__main__":
    main()
