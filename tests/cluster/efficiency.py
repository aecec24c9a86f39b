"""`python -m tests.cluster.efficiency`: what a cluster costs, against the plain pool.

Four workers on this machine do tasks that wait, so that there may be more of them than cores.
"""

from __future__ import annotations

import tempfile
import time
from concurrent.futures import wait
from pathlib import Path

from tests.cluster.harness import Cluster
from tournament.play.lanes import Pool
from tournament.play.worker_pool import WorkerPool, _Place
from tournament.play.worker_process import cores

WORKERS = 4
LENGTHS = {0.05: 800, 1.0: 40}
"""Seconds of a task, and how many there are."""


class FourPlaces(WorkerPool):
    """The plain pool with more places than cores."""

    def __init__(self) -> None:
        super().__init__()
        ours = cores()
        self._places = [_Place(ours[number % len(ours)]) for number in range(WORKERS)]
        self._idle = self._places[::-1]


def seconds(pool: Pool, length: float, number: int) -> float:
    """How long a pool takes for so many tasks, once its workers are there."""
    with pool.lane(f"{length}") as lane:
        wait([lane.submit(time.sleep, length) for _ in range(2 * WORKERS)])
        began = time.monotonic()
        wait([lane.submit(time.sleep, length) for _ in range(number)])
        return time.monotonic() - began


def main() -> None:
    with FourPlaces() as pool:
        plain = {length: seconds(pool, length, number) for length, number in LENGTHS.items()}
    with tempfile.TemporaryDirectory(prefix="arena-cluster-") as folder:
        Path(folder).chmod(0o755)
        cluster = Cluster(Path(folder))
        try:
            cluster.host("alpha", slots=WORKERS)
            with cluster.pool([], slots=WORKERS) as pool:
                for length, number in LENGTHS.items():
                    took = seconds(pool, length, number)
                    share = plain[length] / took
                    print(
                        f"{number} tasks of {length:g} s: {plain[length]:.2f} s in the plain pool,"
                    )
                    print(f"  {took:.2f} s on the cluster: {share:.3f} of its efficiency")
        finally:
            cluster.end()


if __name__ == "__main__":
    main()
