"""A cluster's scheduler: the process that hosts and runners meet at.

It is started as `python -m tournament.cluster.scheduler ADDRESS KEYS`, and prints the address that
it listens at. It keeps nothing: killed and started again, it knows all hosts as soon as they have
joined again, and runners ask their store what is missing.
"""

from __future__ import annotations

import asyncio
import os
import signal
import sys
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from threading import Thread

from distributed import Scheduler

from tournament.cluster import engine


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
    """Serve for whoever holds our standard input."""
    Thread(target=_end_with_the_parent, daemon=True).start()
    with suppress(KeyboardInterrupt):
        serve(sys.argv[1], Path(sys.argv[2]), _tell_the_parent)


def _tell_the_parent(address: str) -> None:
    os.write(1, f"{address}\n".encode())


def _end_with_the_parent() -> None:
    with suppress(OSError):
        while os.read(0, 1024):
            pass
    os._exit(0)


if __name__ == "__main__":
    main()
