"""A slot: a Dask worker that plays one match at a time, in a child process on a core of its own.

The worker itself (`slot_process.py`) only waits, so its heartbeats never wait for a match. When the
match that is played is no longer wanted, or the worker ends, the child is dismissed.
"""

from __future__ import annotations

import asyncio
import os
import time
from collections.abc import Iterable, Sequence
from pathlib import Path
from threading import Lock
from typing import NamedTuple

from distributed import Worker, WorkerPlugin, get_worker

from tournament.cluster.parcels import do
from tournament.cluster.shelf import Shelf
from tournament.play.lanes import WorkerLost
from tournament.play.worker_process import WorkerProcess

PLUGIN = "arena"
"""The name under which a worker's plugin is found, and under which it says hello."""

UNWANTED = ("cancelled", "released", "forgotten", "resumed")
"""States that Dask brings a task to when nobody waits for it any more."""


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
        self._doing: object = None
        self._lock = Lock()

    def setup(self, worker: Worker) -> None:  # noqa: ARG002
        """Keep to the core; the child is pinned to the same one."""
        if self._core >= 0:
            os.sched_setaffinity(0, {self._core})

    def teardown(self, worker: Worker) -> None:  # noqa: ARG002
        """Send the child home."""
        with self._lock:
            child, self._child = self._child, None
        if child is not None:
            child.see_off()

    def transition(self, key: object, start: str, finish: str, **_: object) -> None:  # noqa: ARG002
        """Drop a match that nobody waits for any more."""
        if finish in UNWANTED and key == self._doing:
            with self._lock:
                self._doing = None
                if self._child is not None:
                    self._child.dismiss()

    def play(self, key: object, calls: Sequence[bytes]) -> list[Outcome]:
        """Do calls one after the other, in a thread of the worker."""
        self._doing = key
        outcomes = []
        try:
            for call in calls:
                if self._doing != key:
                    break
                began = time.monotonic()
                data, lost = self._do(call)
                outcomes.append(Outcome(data, lost, time.monotonic() - began))
        finally:
            if self._doing == key:
                self._doing = None
        return outcomes

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


def play_parcel(calls: Sequence[bytes]) -> list[Outcome]:
    """The task that a slot is given: calls, done one after the other."""
    worker = get_worker()
    plugin = worker.plugins[PLUGIN]
    assert isinstance(plugin, SlotPlugin)
    return plugin.play(worker.get_current_task(), calls)


async def keep(shelf: str, contents: Iterable[bytes]) -> str:
    """Put contents on this host's shelf, beside whatever is being played; say what went wrong."""
    try:
        await asyncio.to_thread(Shelf(Path(shelf)).put, contents)
    except OSError as error:
        return error.strerror or str(error)
    return ""
