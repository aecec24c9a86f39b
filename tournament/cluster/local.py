"""A cluster on this machine alone: everything that ten machines need, to be tried on one."""

from __future__ import annotations

import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from common.errors import ArenaFailure
from sandbox.backends.registry import BACKENDS
from tournament.cluster import scheduler
from tournament.cluster.engine import host_name
from tournament.cluster.hello import EXAMINING, hello
from tournament.cluster.host import HostOfSlots
from tournament.cluster.keys import make_keys
from tournament.cluster.pool import ClusterPool
from tournament.cluster.shelf import default_shelf
from tournament.play.worker_process import cores, our_environment

LOCAL = "local"
"""What stands for an address of a cluster that is made for this run, on this machine."""


class NoScheduler(ArenaFailure):
    """A scheduler of our own did not start."""


@contextmanager
def local_cluster(say: Callable[[str], None]) -> Iterator[ClusterPool]:
    """A scheduler and a host with a slot for each core, in processes of their own."""
    with tempfile.TemporaryDirectory(prefix="arena-keys-") as folder:
        keys = Path(folder, "keys")
        make_keys(keys)
        ours = cores()
        say(EXAMINING)
        host = hello(host_name(), len(ours), tuple(BACKENDS))
        with (
            own_scheduler("tls://127.0.0.1:0", keys) as address,
            HostOfSlots(host, ours, address, keys, default_shelf(), say),
            ClusterPool(address, keys, say, trusted=True) as pool,
        ):
            yield pool


@contextmanager
def own_scheduler(address: str, keys: Path) -> Iterator[str]:
    """A scheduler in a child process, which ends with us; the address that it listens at."""
    process = subprocess.Popen(
        [sys.executable, "-P", "-m", scheduler.__name__, address, str(keys)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        env=our_environment(),
        process_group=0,
    )
    assert process.stdin is not None
    assert process.stdout is not None
    try:
        listening = process.stdout.readline().strip()
        if not listening:
            raise NoScheduler("the scheduler of the local cluster did not start")
        yield listening
    finally:
        process.stdin.close()
        process.wait()
        process.stdout.close()
