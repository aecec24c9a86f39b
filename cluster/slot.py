"""A slot: a Dask worker that plays one match at a time, in a child process on a core of its own.

The worker itself only waits, so its heartbeats never wait for a match. Runners connect to it and
send parcels of calls; no task goes through Dask's scheduler. When a runner's connection closes, its
calls are dropped. A slot ends with its host, which holds its standard input, and when its scheduler
is gone.
"""

from __future__ import annotations

import asyncio
import json
import os
import sys
import time
from collections.abc import Iterable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, NamedTuple

from distributed import Worker, WorkerPlugin
from distributed.comm.core import Comm

from card_arena.cluster import engine
from card_arena.cluster.parcels import BlobCache, do
from card_arena.common.hosts import Host
from card_arena.common.processes import end_with_input
from card_arena.tournament.play.pool import WorkerLost, WorkerProcess

PLUGIN = "arena"
"""The name of a worker's plugin, and of its entry in the scheduler's facts."""

PLAY, KEEP, NOTE = "arena_play", "arena_keep", "arena_note"
"""The requests of a runner: a connection for parcels, to keep contents, to print a note."""

JOINED, NOTED = "joined", "noted"
"""The first words of the lines that a slot's process writes to its host."""

USED_AGAIN = "used again"
"""The end of a note to a host that may play again."""


class Outcome(NamedTuple):
    """The result of a call: its packed outcome, or why there is none, and its seconds."""

    data: bytes
    lost: str
    seconds: float


class SlotPlugin(WorkerPlugin):
    """Pins a slot to its core, and holds the child process that plays."""

    name = PLUGIN

    def __init__(self, core: int, blob_cache: Path) -> None:
        self._core = core
        self._blob_cache = blob_cache
        self._child = WorkerProcess(core)
        self._turn = asyncio.Lock()

    def setup(self, worker: Worker) -> None:
        """Pin the worker to the core of its child, and answer runners."""
        if self._core >= 0:
            os.sched_setaffinity(0, {self._core})
        worker.handlers.update({PLAY: self.serve, KEEP: keep, NOTE: note})

    def teardown(self, worker: Worker) -> None:  # noqa: ARG002
        self._child.end()

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
            self._child.dismiss()
            await asyncio.wait({doing})  # the next call needs another child
            raise
        return Outcome(data, lost, time.monotonic() - began)

    def _do(self, call: bytes) -> tuple[bytes, str]:
        try:
            good, answer = self._child.do(do, (call, self._blob_cache))
        except WorkerLost as error:
            return b"", str(error)
        if not good or not isinstance(answer, bytes):
            return b"", f"a worker answered with {answer!r:.300}"
        return answer, ""


async def keep(blob_cache: str, contents: Iterable[bytes]) -> str:
    """Put contents on this host's blob cache; return what went wrong, empty for nothing."""
    try:
        await asyncio.to_thread(BlobCache(Path(blob_cache)).put, contents)
    except OSError as error:
        return error.strerror or str(error)
    return ""


def note(text: str) -> None:
    """Pass a runner's note for the host's owner to the host's process, as one line."""
    tell_host(NOTED, " ".join(text.split()))


def tell_host(kind: str, text: str = "") -> None:
    """Write a line to the process of this host, which reads our standard output."""
    os.write(1, f"{kind} {text}\n".encode())


JOINING = 30.0
"""Seconds in which a scheduler must be found."""

GONE = 3
"""The exit code of a slot that found no scheduler, or lost it."""


def arguments_for(
    host: Host, number: int, core: int, address: str, keys: Path, blob_cache: Path
) -> str:
    """Write the argument of a slot's process: `python -m card_arena.cluster.slot JSON`.

    It has the arguments of `serve`.
    """
    arguments = {
        "address": address,
        "keys": str(keys),
        "name": f"{host.name}-{number}-{os.getpid()}",
        "core": core,
        "facts": {
            "host": host.to_data(),
            "blob_cache": str(blob_cache),
            "blob_cache_name": BlobCache(blob_cache).name,
        },
    }
    return json.dumps(arguments)


async def serve(address: str, keys: str, name: str, core: int, facts: dict[str, Any]) -> int:
    """Join, and play until the scheduler is gone; return the exit code.

    `core` is the one that the slot is pinned to, -1 for any, and `facts` describe its host.
    """
    host, _ = engine.listens_at(address)
    worker = Worker(
        address,
        nthreads=1,
        name=name,
        security=engine.security(address, Path(keys)),
        memory_limit=0,
        death_timeout=JOINING,
        dashboard_address=engine.NO_PAGES,
        startup_information={PLUGIN: lambda _: facts},
        plugins=(SlotPlugin(core, Path(facts["blob_cache"])),),
        host="127.0.0.1" if engine.is_here(host) else None,
    )
    with suppress(OSError, TimeoutError, RuntimeError):  # it can't be reached, or is going away
        async with worker:
            tell_host(JOINED)
            await worker.finished()
    return GONE


def main() -> None:
    """Serve until the scheduler or the host is gone; the host holds our standard input."""
    engine.set_up()
    arguments = json.loads(sys.argv[1])
    end_with_input()  # the child sees the end of its socket, and removes its sandboxes
    os._exit(asyncio.run(serve(**arguments)))


if __name__ == "__main__":
    main()
