"""The places where tasks are done, shared by queues; on this machine a process for each core.

Which queue is served next is decided here, once for all pools. The slots of a cluster are in
`cluster/pool.py`.
"""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import time
from abc import ABC, abstractmethod
from collections import deque
from collections.abc import Callable, Collection, Iterable
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass, field
from multiprocessing.connection import Connection
from threading import Lock
from typing import Any, Self, TypeVar, cast

from card_arena.common.errors import ArenaFailure
from card_arena.tournament.play import worker
from card_arena.tournament.requirements import Requirements, demand
from card_arena.tournament.settings import Settings

# Which season gets the next free worker: start-time fair queueing (Goyal, Vin and Cheng 1996) in
# seconds of workers. Each account has a clock that advances by the time it receives, divided by its
# share; the account whose clock is furthest behind is served next. Matches differ in length, so
# their time is counted and not their number. Pure: the time is passed in, never looked up.


MEMORY = 8
"""About how many of the latest tasks make up the expected length of the next one."""


@dataclass(eq=False)
class Account:
    """The time that one queue has received; `share` is its weight.

    A task counts from its beginning, at first by its expected length, and in the end by its own.
    """

    name: str
    share: int
    paid: float = 0.0
    """Its clock without the running tasks."""
    expected: float = 0.0
    done: int = 0
    running: dict[object, float] = field(default_factory=dict)

    def clock(self, now: float) -> float:
        """Everything received so far, in seconds of workers for each unit of its share."""
        taken = sum(max(self.expected, now - began) for began in self.running.values())
        return self.paid + taken / self.share


class Accounts:
    """The accounts at one set of workers, and the order in which they are served.

    Time can't be saved up: an account that comes late, or wants nothing for a while, continues from
    the clock of the others. One that comes back under its old name keeps its debts.
    """

    def __init__(self) -> None:
        self._clock = 0.0
        self._wanting: set[Account] = set()
        self._left: dict[str, float] = {}

    def join(self, name: str, share: int) -> Account:
        return Account(name, share, paid=self._left.pop(name, 0.0))

    def leave(self, account: Account, now: float) -> None:
        self._wanting -= {account}
        self._left[account.name] = account.clock(now)

    def next(self, wanting: Collection[Account], now: float) -> Account:
        """Return the account that gets the next worker, among those that want one."""
        for account in wanting:
            if account not in self._wanting:
                account.paid += max(0.0, self._clock - account.clock(now))
        self._wanting = set(wanting)
        chosen = min(wanting, key=lambda one: (one.clock(now), len(one.running) / one.share))
        self._clock = max(self._clock, chosen.clock(now))
        return chosen

    def begin(self, account: Account, task: object, now: float) -> None:
        """Note that a worker begins a task for this account; `now` may be a moment to come."""
        account.running[task] = now

    def end(self, account: Account, task: object, now: float, took: float | None = None) -> None:
        """Note that a task is done; `took` is the worker's time, by default since it began.

        A task that no worker did took no time, and does not count for the expected length.
        """
        began = account.running.pop(task)
        if took is None:
            took = now - began
        if not took:
            return
        account.paid += took / account.share
        account.done += 1
        account.expected += (took - account.expected) / min(account.done, MEMORY)


Answer = TypeVar("Answer")

IN_HAND = 3
"""Tasks that a queue should hold for each that runs, so that no place is idle while
an answer is being stored."""


class TaskFailed(ArenaFailure):
    """A task failed through no fault of its own.

    `beside` are the versions that other tasks had in sandboxes on the same machine meanwhile, as
    far as the pool knows.
    """

    beside: Collection[int] = ()


class WorkerLost(TaskFailed):
    """A worker ended in the middle of a task; no bot can cause that."""


class PlaceLost(WorkerLost):
    """The machine or the network was lost during a task; no task can cause that."""


@dataclass(eq=False)
class Task:
    """A call that waits for a worker or is running in one.

    `seats` are the versions for which it opens sandboxes. If it is `alone`, nothing else runs on
    its machine meanwhile.
    """

    function: Callable[..., Any]
    arguments: tuple[object, ...]
    seats: frozenset[int] = frozenset()
    alone: bool = False
    future: Future[Any] = field(default_factory=Future)


class FairQueue:
    """One season's queue of tasks, which begin in order.

    Use it in a `with` block: its end drops the tasks that no worker has begun. `requirements` are
    those for hosts, for pools that have several.
    """

    def __init__(
        self, pool: Pool, account: Account, most: int | None, requirements: Requirements | None
    ) -> None:
        self.account = account
        self.waiting: deque[Task] = deque()
        self.requirements = requirements
        self.busy = 0
        """The number of places that are working for it now."""
        self._pool = pool
        self._most = most

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._pool.leave(self)

    def submit(
        self,
        function: Callable[..., Answer],
        *arguments: object,
        seats: Iterable[int] = (),
        alone: bool = False,
    ) -> Future[Answer]:
        """Have a worker call a module's function.

        Function, arguments and answer must be picklable. The future raises what the function
        raised, or `WorkerLost`. `seats` are the versions for which sandboxes are opened. If it is
        to be `alone`, its machine does nothing else for any queue meanwhile.
        """
        task = Task(function, arguments, frozenset(seats), alone)
        self._pool.enter(self, task)
        return task.future

    @property
    def at_a_time(self) -> int:
        return max(1, min(self._most or self._pool.concurrency, self._pool.concurrency))

    @property
    def in_hand(self) -> int:
        """The number of tasks that it should hold, begun or not, so that no place is idle."""
        return self.at_a_time * IN_HAND * self._pool.at_once(self)

    @property
    def wants_a_machine(self) -> bool:
        """Whether the next of its tasks is to be done alone."""
        return bool(self.waiting) and self.waiting[0].alone


class Pool(ABC):
    """A number of places, divided among queues by their shares.

    Use it in a `with` block: leaving it drops every task that is not done.
    """

    def __init__(self) -> None:
        self._accounts = Accounts()
        self._lock = Lock()
        self._leaving = False
        self._queues: list[FairQueue] = []
        self.submit = self.queue("").submit
        """`FairQueue.submit` of the pool's own queue."""

    @property
    @abstractmethod
    def workers(self) -> int:
        """The number of tasks that can be done at a time now."""

    @property
    def concurrency(self) -> int:
        """The most places for one queue, including those that have a task to follow."""
        return self.workers

    def at_once(self, queue: FairQueue) -> int:  # noqa: ARG002
        """Return the number of tasks of a queue that a place is given at once."""
        return 1

    @abstractmethod
    def __enter__(self) -> Self:
        """Prepare for tasks."""

    @abstractmethod
    def __exit__(self, *_: object) -> None:
        """Drop all unfinished tasks."""

    @abstractmethod
    def _supply(self) -> None:
        """Give waiting tasks to free places; called under the lock."""

    def demand(self, tournaments: Iterable[Settings[Any]]) -> None:
        """Check that its places keep the guarantees that these tournaments require.

        Raises as `tournament.requirements.demand` does. A pool whose places come and go checks each
        place when it joins, and raises nothing here.
        """
        demand(tournaments)

    def queue(
        self,
        name: str,
        share: int = 1,
        at_a_time: int | None = None,
        requirements: Requirements | None = None,
    ) -> FairQueue:
        """Open a queue; a queue that is opened again under its name keeps its debts."""
        with self._lock:
            queue = FairQueue(self, self._accounts.join(name, share), at_a_time, requirements)
            self._queues.append(queue)
        return queue

    def enter(self, queue: FairQueue, task: Task) -> None:
        with self._lock:
            if self._leaving:
                raise WorkerLost("the pool of workers is closed")
            queue.waiting.append(task)
            self._supply()

    def leave(self, queue: FairQueue) -> None:
        """Close a queue; the answers of its running tasks are dropped."""
        with self._lock:
            drop(queue)
            self._queues.remove(queue)
            self._accounts.leave(queue.account, time.monotonic())

    def _close(self) -> None:
        """Take no more tasks, and drop those that no worker has begun."""
        with self._lock:
            self._leaving = True
            for queue in self._queues:
                drop(queue)

    def _next_queue(self, now: float, fits: Callable[[FairQueue], bool] = bool) -> FairQueue | None:
        """Return the queue that a free place serves next; only under the lock."""
        wanting = {
            queue.account: queue
            for queue in self._queues
            if queue.waiting and queue.busy < queue.at_a_time and fits(queue)
        }
        return wanting[self._accounts.next(wanting, now)] if wanting else None


def drop(queue: FairQueue) -> None:
    while queue.waiting:
        task = queue.waiting.popleft()
        task.future.cancel()
        task.future.set_running_or_notify_cancel()


# Where matches are played: processes on this machine, one per core, shared among seasons.
#
# A worker stays on its core, and so do the bots that it starts: a round trip to a bot takes a
# fraction of the time when both are on the same core. A worker that dies loses one task and is
# replaced; when the pool itself is gone, the workers end and their sandboxes with them.


def cores() -> list[int]:
    """The processors available to this program."""
    if hasattr(os, "sched_getaffinity"):
        return sorted(os.sched_getaffinity(0))
    return [-1] * (os.cpu_count() or 1)


class WorkerProcess:
    """A worker on a core, -1 for any; its process is started for a task and again after a loss."""

    def __init__(self, core: int) -> None:
        self._core = core
        self._lock = Lock()
        self._closed = False
        self._process: subprocess.Popen[bytes] | None = None

    def do(self, task: Callable[..., object], arguments: tuple[object, ...]) -> tuple[bool, object]:
        """Do a task; return whether it succeeded, and its answer or its exception.

        Raises `WorkerLost` if the process ends meanwhile or can't be started.
        """
        try:
            with self._lock:
                if self._closed:
                    raise WorkerLost("the pool of workers is closed")
                if self._process is None:
                    self._start()
            self._link.send((task, arguments))
            return cast(tuple[bool, object], self._link.recv())
        except Exception as error:
            self.end()  # whatever interrupted it, it can't be asked again
            if isinstance(error, EOFError | OSError):
                raise WorkerLost("a worker process ended in the middle of its task") from error
            raise

    def _start(self) -> None:
        self._socket, other = socket.socketpair()
        self._link = Connection(os.dup(self._socket.fileno()))
        with other:
            try:
                self._process = subprocess.Popen(
                    [
                        *(sys.executable, "-P", "-m", worker.__name__),
                        *(str(other.fileno()), str(self._core)),
                    ],
                    stdin=subprocess.DEVNULL,
                    pass_fds=[other.fileno()],
                    # Ctrl-C in a terminal is for the process that owns the pool; it then closes
                    # the pool.
                    process_group=0,
                )
            except OSError as error:
                self._link.close()
                self._socket.close()
                raise WorkerLost(f"no worker process can be started: {error}") from error

    def dismiss(self, *, for_good: bool = False) -> None:
        """Tell the process to drop its task and exit; `for_good` no other one is started."""
        with self._lock, suppress(OSError):
            self._closed |= for_good
            if self._process is not None:
                self._socket.shutdown(socket.SHUT_RDWR)

    def end(self) -> None:
        """Wait for the process to exit; kill it if that takes too long."""
        self.dismiss()
        with self._lock:
            process, self._process = self._process, None
        if process is None:
            return
        try:
            process.wait(worker.PATIENCE + 1)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
        self._link.close()
        self._socket.close()


class WorkerPool(Pool):
    """A number of workers, each started for its first task and ended when the `with` block is left.

    There are never more workers than cores: two matches on one core would use each other's time.
    A free worker goes to the queue that has received the least for its share. Leaving
    the block drops every task that is not done.
    """

    def __init__(self, workers: int | None = None) -> None:
        self._places = [WorkerProcess(core) for core in cores()[:workers]]
        self._idle = self._places[::-1]
        self._beside: dict[Task, set[int]] = {}
        """The running tasks, each with the versions seated beside it since it began."""
        self._next_alone: FairQueue | None = None
        """The queue whose next task waits until nothing else is running."""
        super().__init__()

    @property
    def workers(self) -> int:
        return len(self._places)

    def __enter__(self) -> Self:
        self._threads = ThreadPoolExecutor(self.workers, thread_name_prefix="pool")
        return self

    def __exit__(self, *_: object) -> None:
        self._close()
        for place in self._places:
            place.dismiss(for_good=True)
        self._threads.shutdown()
        for place in self._places:
            place.end()

    def _supply(self) -> None:
        now = time.monotonic()
        while self._idle and not self._leaving and not any(task.alone for task in self._beside):
            waiting, self._next_alone = self._next_alone, None
            queue = waiting if waiting and waiting.wants_a_machine else self._next_queue(now)
            if queue is None:
                return
            if queue.wants_a_machine and self._beside:
                self._next_alone = queue
                return
            task = queue.waiting.popleft()
            if task.future.set_running_or_notify_cancel():
                self._accounts.begin(queue.account, task, now)
                queue.busy += 1
                for versions in self._beside.values():
                    versions |= task.seats
                self._beside[task] = {version for other in self._beside for version in other.seats}
                self._threads.submit(self._delegate, self._idle.pop(), queue, task)

    def _delegate(self, place: WorkerProcess, queue: FairQueue, task: Task) -> None:
        """Have a task done at a place, in a thread that waits for it."""
        try:
            good, answer = place.do(task.function, task.arguments)
        except Exception as error:
            good, answer = False, error
        with self._lock:
            queue.busy -= 1
            beside = self._beside.pop(task)
            self._accounts.end(queue.account, task, time.monotonic())
            self._idle.append(place)
            self._supply()
        if good:
            task.future.set_result(answer)
        else:
            if isinstance(answer, TaskFailed):
                answer.beside = beside
            task.future.set_exception(cast(Exception, answer))
