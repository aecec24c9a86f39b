"""A host as a job of dask-jobqueue.

It is started as `python -m card_arena.commands.cluster_job ADDRESS --nthreads N ...`.
It takes the options that dask-jobqueue gives to Dask's own worker, and needs few of them: the rest
is as for `arena cluster worker`.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path

from card_arena.cluster.engine import checked_address, security
from card_arena.cluster.host import HostOfSlots, host_info
from card_arena.cluster.parcels import default_blob_cache
from card_arena.commands.printer import guard, say
from card_arena.sandbox.backends.registry import BACKENDS
from card_arena.tournament.play.pool import cores


def main(words: Sequence[str] | None = None) -> None:
    """Check this node, and play until the job ends."""
    guard()
    parser = argparse.ArgumentParser(prog="card_arena.commands.cluster_job", description=__doc__)
    parser.add_argument("address")
    parser.add_argument("--name", default="job")
    parser.add_argument("--nthreads", type=int, default=None, help="how many matches at a time")
    parser.add_argument("--keys", type=Path, required=True)
    options, _ = parser.parse_known_args(words)
    address = checked_address(options.address)
    security(address, options.keys)
    ours = cores()[: options.nthreads]
    host = host_info(options.name, len(ours), tuple(BACKENDS))
    with HostOfSlots(host, ours, address, options.keys, default_blob_cache(), say) as slots:
        slots.wait()


if __name__ == "__main__":
    main()
