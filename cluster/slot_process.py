"""The process of a slot: `python -m cluster.slot_process JSON`, started by its host.

It ends with its host, which holds its standard input, and when its scheduler is gone.
"""

from __future__ import annotations

import asyncio
import json
import os
import sys
from contextlib import suppress
from dataclasses import asdict, dataclass
from pathlib import Path
from threading import Thread
from typing import Any

from distributed import Worker

from cluster import engine
from cluster.parcels import Shelf
from cluster.slot import JOINED, PLUGIN, SlotPlugin, tell_host
from common.hosts import Host

JOINING = 30.0
"""Seconds in which a scheduler must be found."""

GONE = 3
"""The exit code of a slot that found no scheduler, or lost it."""


@dataclass(frozen=True, slots=True)
class Orders:
    """All that a slot is told when it starts; `core` is the one it keeps to, -1 for any."""

    address: str
    keys: str
    name: str
    core: int
    host: dict[str, Any]
    shelf: str
    shelf_name: str


async def serve(orders: Orders) -> int:
    """Join, and play until the scheduler is gone; return the exit code."""
    keys = engine.security(orders.address, Path(orders.keys))
    host, _ = engine.listens_at(orders.address)

    def said(_: Worker) -> dict[str, Any]:
        return {"host": orders.host, "shelf": orders.shelf, "shelf_name": orders.shelf_name}

    worker = Worker(
        orders.address,
        nthreads=1,
        name=orders.name,
        security=keys,
        memory_limit=0,
        death_timeout=JOINING,
        dashboard_address=engine.NO_PAGES,
        startup_information={PLUGIN: said},
        plugins=(SlotPlugin(orders.core, Path(orders.shelf)),),
        host="127.0.0.1" if engine.is_here(host) else None,
    )
    try:
        async with worker:
            tell_host(JOINED)
            await worker.finished()
    except (OSError, TimeoutError, RuntimeError):
        pass  # it can't be reached, or is going away
    return GONE


def main() -> None:
    """Serve until the scheduler or the host is gone; the host holds our standard input."""
    engine.set_up()
    orders = Orders(**json.loads(sys.argv[1]))
    Thread(target=_end_with_the_host, daemon=True).start()
    os._exit(asyncio.run(serve(orders)))


def _end_with_the_host() -> None:
    with suppress(OSError):
        while os.read(0, 1024):
            pass
    os._exit(0)  # the child's end of its socket closes, and it takes its boxes along


def written(orders: Orders) -> str:
    """Orders as they are passed to a slot's process."""
    return json.dumps(asdict(orders))


def orders_for(host: Host, number: int, core: int, address: str, keys: Path, shelf: Path) -> Orders:
    return Orders(
        address=address,
        keys=str(keys),
        name=f"{host.name}-{number}-{os.getpid()}",
        core=core,
        host=host.to_data(),
        shelf=str(shelf),
        shelf_name=Shelf(shelf).name,
    )


if __name__ == "__main__":
    main()
