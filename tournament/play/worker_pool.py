"""Where matches are played: processes on this machine, one per core, shared among seasons.

A worker stays on its core, and so do the bots that it starts: a round trip to a bot takes a
fraction of the time when both are on the same core. A worker that dies loses one task and is
replaced; when the pool itself is gone, the workers end and their boxes with them.
"""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass
from multiprocessing.connection import Connection
from types import TracebackType
from typing import Self, cast

from common.checkout import ROOT
from tournament.play import worker
from tournament.play.pool import Lane, Pool, Task, TaskFailed, WorkerLost


def cores() -> list[int]:
    """The processors available to this program."""
    if hasattr(os, "sched_getaffinity"):
        return sorted(os.sched_getaffinity(0))
    return [-1] * (os.cpu_count() or 1)


def our_environment() -> dict[str, str]:
    """The environment of a child process of ours, which finds the arena's modules."""
    path = os.pathsep.join([str(ROOT), *filter(None, [os.environ.get("PYTHONPATH")])])
    return {**os.environ, "PYTHONPATH": path}


class WorkerProcess:
    """A worker on a core, -1 for any; raises `WorkerLost` if it can't be started."""

    def __init__(self, core: int) -> None:
        self.core = core
        self._socket, other = socket.socketpair()
        self._link = Connection(os.dup(self._socket.fileno()))
        with other:
            try:
                self._process = subprocess.Popen(
                    [sys.executable, "-P", "-m", worker.__name__, str(other.fileno()), str(core)],
                    stdin=subprocess.DEVNULL,
                    env=our_environment(),
                    pass_fds=[other.fileno()],
                    # Ctrl-C in a terminal is for the process that owns the pool; it then closes
                    # the pool.
                    process_group=0,
                )
            except OSError as error:
                self._link.close()
                self._socket.close()
                raise WorkerLost(f"no worker process can be started: {error}") from error

    def do(self, task: Callable[..., object], arguments: tuple[object, ...]) -> tuple[bool, object]:
        """Have a task done; return whether it succeeded, and its answer or its exception."""
        try:
            self._link.send((task, arguments))
            return cast(tuple[bool, object], self._link.recv())
        except (EOFError, OSError) as error:
            raise WorkerLost("a worker process ended in the middle of its task") from error

    def dismiss(self) -> None:
        """Tell the worker to drop its task and exit; callers waiting for it see it as lost."""
        with suppress(OSError):
            self._socket.shutdown(socket.SHUT_RDWR)

    def see_off(self) -> None:
        """Wait for the worker to exit, and kill it if that takes too long."""
        self.dismiss()
        try:
            self._process.wait(worker.PATIENCE + 1)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        self._link.close()
        self._socket.close()


@dataclass(eq=False)
class _Place:
    """A core, with the worker that keeps to it; None before its first task and after a loss."""

    core: int
    worker: WorkerProcess | None = None


class WorkerPool(Pool):
    """A number of workers, each started for its first task and ended when the `with` block is left.

    There are never more workers than cores: two matches on one core would use each other's time.
    A free worker goes to the lane that has received the least for its share. Leaving
    the block drops every task that is not done.
    """

    def __init__(self, workers: int | None = None) -> None:
        self._places = [_Place(core) for core in cores()[:workers]]
        self._idle = self._places[::-1]
        self._beside: dict[Task, set[int]] = {}
        """The tasks that are being done, each with the versions seated beside it since it began."""
        self._next_alone: Lane | None = None
        """The lane whose next task waits until nothing else is being done."""
        super().__init__()

    @property
    def workers(self) -> int:
        """How many tasks are done at a time."""
        return len(self._places)

    def __enter__(self) -> Self:
        self._threads = ThreadPoolExecutor(self.workers, thread_name_prefix="pool")
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._close()
        members = [place.worker for place in self._places if place.worker]
        for member in members:
            member.dismiss()
        self._threads.shutdown()
        for member in members:
            member.see_off()

    def _supply(self) -> None:
        now = time.monotonic()
        while self._idle and not self._leaving and not any(task.alone for task in self._beside):
            waiting, self._next_alone = self._next_alone, None
            lane = waiting if waiting and waiting.wants_a_machine else self._next_lane(now)
            if lane is None:
                return
            if lane.wants_a_machine and self._beside:
                self._next_alone = lane
                return
            task = lane.waiting.popleft()
            if task.future.set_running_or_notify_cancel():
                self._accounts.begin(lane.account, task, now)
                lane.busy += 1
                self._note_beginning(task)
                self._threads.submit(self._delegate, self._idle.pop(), lane, task)

    def _note_beginning(self, task: Task) -> None:
        for versions in self._beside.values():
            versions |= task.seats
        self._beside[task] = {version for other in self._beside for version in other.seats}

    def _delegate(self, place: _Place, lane: Lane, task: Task) -> None:
        """Have a task done at a place, in a thread that waits for it."""
        try:
            good, answer = self._worker_at(place).do(task.function, task.arguments)
        except Exception as error:
            good, answer = False, error
            self._give_up(place)  # whatever interrupted it, it can't be asked again
        with self._lock:
            lane.busy -= 1
            beside = self._beside.pop(task)
            self._accounts.end(lane.account, task, time.monotonic())
            self._idle.append(place)
            self._supply()
        if good:
            task.future.set_result(answer)
        else:
            if isinstance(answer, TaskFailed):
                answer.beside = beside
            task.future.set_exception(cast(Exception, answer))

    def _worker_at(self, place: _Place) -> WorkerProcess:
        """The worker of a place, started if there is none; raises `WorkerLost` if it can't be."""
        with self._lock:
            if place.worker is None:
                if self._leaving:
                    raise WorkerLost("the pool of workers is closed")
                place.worker = WorkerProcess(place.core)
            return place.worker

    def _give_up(self, place: _Place) -> None:
        """Part from a lost worker, unless the pool is closing and does that anyway."""
        with self._lock:
            lost = None if self._leaving else place.worker
            if lost is not None:
                place.worker = None
        if lost is not None:
            lost.see_off()
