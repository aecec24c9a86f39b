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
from collections import deque
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass, field
from multiprocessing.connection import Connection
from threading import Lock
from types import TracebackType
from typing import Any, Self, TypeVar, cast

from common.checkout import ROOT
from common.errors import ArenaFailure
from tournament.play import worker
from tournament.play.sharing import Account, Accounts

Answer = TypeVar("Answer")


class WorkerLost(ArenaFailure):
    """A worker ended in the middle of a task; no bot can cause that."""


def cores() -> list[int]:
    """The processors available to this program."""
    if hasattr(os, "sched_getaffinity"):
        return sorted(os.sched_getaffinity(0))
    return [-1] * (os.cpu_count() or 1)


@dataclass(eq=False)
class _Task:
    """A call that waits for a worker or is being made by one."""

    function: Callable[..., Any]
    arguments: tuple[object, ...]
    future: Future[Any] = field(default_factory=Future)


@dataclass(eq=False)
class _Place:
    """A core, with the worker that keeps to it; None before its first task and after a loss."""

    core: int
    worker: _Worker | None = None


class Lane:
    """One claimant's way to the workers; its tasks are begun in the order in which they came.

    `at_a_time` is how many of its tasks are done at a time, at most. Use it in a `with` block: its
    end drops the tasks that no worker has begun.
    """

    def __init__(self, pool: WorkerPool, account: Account, at_a_time: int) -> None:
        self.at_a_time = at_a_time
        self.account = account
        self.waiting: deque[_Task] = deque()
        self._pool = pool

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._pool.leave(self)

    def submit(self, function: Callable[..., Answer], *arguments: object) -> Future[Answer]:
        """Have a worker call a module's function.

        Function, arguments and answer must be picklable. The future raises what the function
        raised, or `WorkerLost`.
        """
        task = _Task(function, arguments)
        self._pool.enter(self, task)
        return task.future

    @property
    def wants_a_worker(self) -> bool:
        """Whether another of its tasks may begin."""
        return bool(self.waiting) and len(self.account.running) < self.at_a_time


class WorkerPool:
    """A number of workers, each started for its first task and ended when the `with` block is left.

    There are never more workers than cores: two matches on one core would use each other's time.
    A free worker goes to the lane that has received the least for its share (`sharing.py`). Leaving
    the block drops every task that is not done.
    """

    def __init__(self, workers: int | None = None) -> None:
        self._places = [_Place(core) for core in cores()[:workers]]
        self.workers = len(self._places)
        self._idle = self._places[::-1]
        self._accounts = Accounts()
        self._lock = Lock()
        self._leaving = False
        self._lanes: list[Lane] = []
        self._own = self.lane("")

    def __enter__(self) -> Self:
        self._threads = ThreadPoolExecutor(self.workers, thread_name_prefix="pool")
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        with self._lock:
            self._leaving = True
            for lane in self._lanes:
                _drop(lane)
        members = [place.worker for place in self._places if place.worker]
        for member in members:
            member.dismiss()
        self._threads.shutdown()
        for member in members:
            member.see_off()

    def lane(self, name: str, share: int = 1, at_a_time: int | None = None) -> Lane:
        """Open a lane; one that is opened again under its name has not lost its debts."""
        with self._lock:
            account = self._accounts.join(name, share)
            lane = Lane(self, account, min(at_a_time or self.workers, self.workers))
            self._lanes.append(lane)
        return lane

    def submit(self, function: Callable[..., Answer], *arguments: object) -> Future[Answer]:
        """Have a worker call a module's function, as `Lane.submit` does, in a lane of the pool."""
        return self._own.submit(function, *arguments)

    def enter(self, lane: Lane, task: _Task) -> None:
        """Take a task into a lane."""
        with self._lock:
            if self._leaving:
                raise WorkerLost("the pool of workers is closed")
            lane.waiting.append(task)
            self._hand_out()

    def leave(self, lane: Lane) -> None:
        """Close a lane; its tasks that have begun are finished for nobody."""
        with self._lock:
            _drop(lane)
            self._lanes.remove(lane)
            self._accounts.leave(lane.account, time.monotonic())

    def _hand_out(self) -> None:
        """Give tasks to workers while there are both; only under the lock."""
        now = time.monotonic()
        while self._idle and not self._leaving:
            wanting = {lane.account: lane for lane in self._lanes if lane.wants_a_worker}
            if not wanting:
                return
            lane = wanting[self._accounts.next(wanting, now)]
            task = lane.waiting.popleft()
            if task.future.set_running_or_notify_cancel():
                self._accounts.begin(lane.account, task, now)
                self._threads.submit(self._delegate, self._idle.pop(), lane, task)

    def _delegate(self, place: _Place, lane: Lane, task: _Task) -> None:
        """Have a task done at a place, in a thread that waits for it."""
        try:
            good, answer = self._worker_at(place).do(task.function, task.arguments)
        except Exception as error:
            good, answer = False, error
            self._give_up(place)  # whatever interrupted it, it can't be asked again
        with self._lock:
            self._accounts.end(lane.account, task, time.monotonic())
            self._idle.append(place)
            self._hand_out()
        if good:
            task.future.set_result(answer)
        else:
            task.future.set_exception(cast(Exception, answer))

    def _worker_at(self, place: _Place) -> _Worker:
        """The worker of a place, started if there is none; raises `WorkerLost` if it can't be."""
        with self._lock:
            if place.worker is None:
                if self._leaving:
                    raise WorkerLost("the pool of workers is closed")
                try:
                    place.worker = _Worker(place.core)
                except OSError as error:
                    raise WorkerLost(f"no worker process can be started: {error}") from error
            return place.worker

    def _give_up(self, place: _Place) -> None:
        """Part from a lost worker, unless the pool is closing and does that anyway."""
        with self._lock:
            lost = None if self._leaving else place.worker
            if lost is not None:
                place.worker = None
        if lost is not None:
            lost.see_off()


def _drop(lane: Lane) -> None:
    """Cancel what no worker has begun."""
    while lane.waiting:
        task = lane.waiting.popleft()
        task.future.cancel()
        task.future.set_running_or_notify_cancel()


class _Worker:
    """The pool's end of one worker process."""

    def __init__(self, core: int) -> None:
        self.core = core
        self._socket, other = socket.socketpair()
        self._link = Connection(os.dup(self._socket.fileno()))
        path = os.pathsep.join([str(ROOT), *filter(None, [os.environ.get("PYTHONPATH")])])
        with other:
            self._process = subprocess.Popen(
                [sys.executable, "-P", "-m", worker.__name__, str(other.fileno()), str(core)],
                stdin=subprocess.DEVNULL,
                env={**os.environ, "PYTHONPATH": path},
                pass_fds=[other.fileno()],
                # Ctrl-C in a terminal is for the process that owns the pool; it then closes the
                # pool.
                process_group=0,
            )

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
