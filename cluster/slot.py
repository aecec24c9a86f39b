"""A slot: a Dask worker that plays one match at a time, in a child process on a core of its own.

The worker itself only waits, so its heartbeats never wait for a match. Runners
connect to it and send parcels of calls; no task goes through Dask's scheduler. When a runner's
connection closes, because it left or was killed, what it sent is dropped.
"""

from __future__ import annotations

import asyncio
import json
import os
import sys
import time
from collections.abc import Iterable, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass
from pathlib import Path
from threading import Lock, Thread
from typing import Any, NamedTuple

from distributed import Worker, WorkerPlugin
from distributed.comm.core import Comm

from cluster import engine
from cluster.parcels import Shelf, do
from common.hosts import Host
from tournament.play.pool import WorkerLost, WorkerProcess

PLUGIN = "arena"
"""The name under which a worker's plugin is found, and under which it says hello."""

PLAY, KEEP, NOTE = "arena_play", "arena_keep", "arena_note"
"""What a runner may ask of a slot: a connection for parcels, to keep contents, to print a note."""

JOINED, NOTED = "joined", "noted"
"""The first words of what a slot's process tells its host's."""


class Outcome(NamedTuple):
    """What became of a call: its packed outcome, or why there is none, and how long it took."""

    data: bytes
    lost: str
    seconds: float


class SlotPlugin(WorkerPlugin):
    """Keeps a slot to its core, and the child that plays."""

    name = PLUGIN

    def __init__(self, core: int, shelf: Path) -> None:
        self._core = core
        self._shelf = shelf
        self._child: WorkerProcess | None = None
        self._lock = Lock()
        self._turn = asyncio.Lock()

    def setup(self, worker: Worker) -> None:
        """Keep to the core, where the child is pinned too, and answer runners."""
        if self._core >= 0:
            os.sched_setaffinity(0, {self._core})
        worker.handlers.update({PLAY: self.serve, KEEP: keep, NOTE: note})

    def teardown(self, worker: Worker) -> None:  # noqa: ARG002
        """Send the child home."""
        with self._lock:
            child, self._child = self._child, None
        if child is not None:
            child.see_off()

    async def serve(self, comm: Comm) -> None:
        """Play the parcels that come over a connection, in their order, until it closes."""
        parcels = asyncio.Queue[Sequence[bytes]]()
        playing = asyncio.create_task(self._play_all(parcels, comm))
        playing.add_done_callback(lambda _: comm.abort())  # if it fails, the runner is to know
        try:
            while True:
                parcels.put_nowait(await comm.read())
        finally:
            playing.cancel()
            await asyncio.gather(playing, return_exceptions=True)

    async def _play_all(self, parcels: asyncio.Queue[Sequence[bytes]], comm: Comm) -> None:
        while True:
            calls = await parcels.get()
            async with self._turn:
                outcomes = [await self._play(call) for call in calls]
            await comm.write(outcomes)

    async def _play(self, call: bytes) -> Outcome:
        """Do a call; cancelled, it dismisses the child that does it."""
        began = time.monotonic()
        doing = asyncio.create_task(asyncio.to_thread(self._do, call))
        try:
            data, lost = await asyncio.shield(doing)
        except asyncio.CancelledError:
            with self._lock:
                if self._child is not None:
                    self._child.dismiss()
            await asyncio.wait({doing})  # the next call needs another child
            raise
        return Outcome(data, lost, time.monotonic() - began)

    def _do(self, call: bytes) -> tuple[bytes, str]:
        child = None
        try:
            child = self._child_here()
            good, answer = child.do(do, (call, self._shelf))
        except WorkerLost as error:
            if child is not None:
                with self._lock:
                    self._child = None
                child.see_off()
            return b"", str(error)
        if not good or not isinstance(answer, bytes):
            return b"", f"a worker answered with {answer!r:.300}"
        return answer, ""

    def _child_here(self) -> WorkerProcess:
        with self._lock:
            if self._child is None:
                self._child = WorkerProcess(self._core)
            return self._child


async def keep(shelf: str, contents: Iterable[bytes]) -> str:
    """Put contents on this host's shelf, beside whatever is being played; say what went wrong."""
    try:
        await asyncio.to_thread(Shelf(Path(shelf)).put, contents)
    except OSError as error:
        return error.strerror or str(error)
    return ""


def note(text: str) -> None:
    """Pass a runner's note for the host's owner on to the host's process, as one line."""
    tell_host(NOTED, " ".join(text.split()))


def tell_host(kind: str, text: str = "") -> None:
    """Tell the process of this host something; it reads our standard output."""
    os.write(1, f"{kind} {text}\n".encode())


# The process of a slot: `python -m cluster.slot JSON`, started by its host.
#
# It ends with its host, which holds its standard input, and when its scheduler is gone.


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
