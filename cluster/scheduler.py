"""A cluster's scheduler: the process that hosts and runners connect to.

It is started as `python -m card_arena.cluster.scheduler ADDRESS KEYS`, and prints the address that
it listens at. It stores nothing: after a restart it knows all hosts as soon as they have joined
again, and runners ask their store which matches are missing.
"""

from __future__ import annotations

import asyncio
import signal
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import partial
from pathlib import Path

from distributed import Scheduler

from card_arena.cluster import engine
from card_arena.cluster.engine import host_name, make_keys
from card_arena.cluster.host import CHECKING, HostOfSlots, host_info
from card_arena.cluster.parcels import default_blob_cache
from card_arena.cluster.pool import ClusterPool
from card_arena.common.errors import ArenaFailure
from card_arena.common.processes import end_with_input
from card_arena.sandbox.backends.registry import BACKENDS
from card_arena.tournament.play.pool import cores


class CannotListen(engine.BadAddress):
    """A scheduler can't listen at an address."""


def serve(address: str, keys: Path, say: Callable[[str], None]) -> None:
    """Serve until interrupted; `say` hears the address. Raises `CannotListen`."""
    engine.set_up()
    asyncio.run(_serve(address, keys, say))


async def _serve(address: str, keys: Path, say: Callable[[str], None]) -> None:
    host, port = engine.listens_at(address)
    scheme = address.partition("://")[0]
    scheduler = Scheduler(
        host=host,
        port=port,
        protocol=f"{scheme}://",
        security=engine.security(address, keys),
        dashboard_address=engine.NO_PAGES,
    )
    try:
        await scheduler
    except (OSError, RuntimeError) as error:
        cause = error.__cause__ or error
        reason = getattr(cause, "strerror", None) or cause
        raise CannotListen(f"no scheduler can listen at {address}: {reason}") from error
    say(scheduler.address)
    # Interrupted in the middle of a task, Dask would write that task's traceback.
    interrupted = asyncio.Event()
    for number in (signal.SIGINT, signal.SIGTERM):
        asyncio.get_running_loop().add_signal_handler(number, interrupted.set)
    async with scheduler:
        await interrupted.wait()
    raise KeyboardInterrupt


def main() -> None:
    """Serve until the parent ends, which holds our standard input and reads our address."""
    end_with_input()
    with suppress(KeyboardInterrupt):
        serve(sys.argv[1], Path(sys.argv[2]), partial(print, flush=True))


if __name__ == "__main__":
    main()


LOCAL = "local"
"""The word for a cluster that is made for this run, on this machine, instead of an address."""


class NoScheduler(ArenaFailure):
    """The scheduler of a local cluster did not start."""


@contextmanager
def local_cluster(say: Callable[[str], None]) -> Iterator[ClusterPool]:
    """Start a scheduler and a host with a slot for each core, in processes of their own."""
    with tempfile.TemporaryDirectory(prefix="arena-keys-") as folder:
        keys = Path(folder, "keys")
        make_keys(keys)
        ours = cores()
        say(CHECKING)
        host = host_info(host_name(), len(ours), tuple(BACKENDS))
        with (
            own_scheduler("tls://127.0.0.1:0", keys) as address,
            HostOfSlots(host, ours, address, keys, default_blob_cache(), say),
            ClusterPool(address, keys, say, trusted=True) as pool,
        ):
            yield pool


@contextmanager
def own_scheduler(address: str, keys: Path) -> Iterator[str]:
    """Start a scheduler in a child process; yield the address that it listens at."""
    process = subprocess.Popen(
        [sys.executable, "-P", "-m", __name__, address, str(keys)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
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
