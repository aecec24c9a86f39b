"""Where matches are played: processes on this machine, one per core.

A worker stays on its core, and so do the bots that it starts: a round trip to a bot takes a
fraction of the time when both are on the same core. A worker that dies loses one task and is
replaced; when the pool itself is gone, the workers end and their boxes with them.
"""

from __future__ import annotations

import os
import socket
import subprocess
import sys
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import suppress
from multiprocessing.connection import Connection
from queue import SimpleQueue
from types import TracebackType
from typing import Self, TypeVar, cast

from common.checkout import ROOT
from common.errors import ArenaFailure
from tournament.play import worker

Answer = TypeVar("Answer")


class WorkerLost(ArenaFailure):
    """A worker ended in the middle of a task; no bot can cause that."""


def cores() -> list[int]:
    """The processors available to this program."""
    if hasattr(os, "sched_getaffinity"):
        return sorted(os.sched_getaffinity(0))
    return [-1] * (os.cpu_count() or 1)


class WorkerPool:
    """A number of workers, started when the `with` block is entered and ended when it is left.

    There are never more workers than cores: two matches on one core would use each other's time.
    Leaving the block drops every task that is not done.
    """

    def __init__(self, workers: int | None = None) -> None:
        available = cores()
        self._cores = available[:workers]
        self.workers = len(self._cores)
        self._idle: SimpleQueue[_Worker] = SimpleQueue()
        self._members: set[_Worker] = set()
        self._leaving = False

    def __enter__(self) -> Self:
        self._threads = ThreadPoolExecutor(self.workers, thread_name_prefix="pool")
        for core in self._cores:
            self._hire(core)
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._leaving = True
        self._threads.shutdown(wait=False, cancel_futures=True)
        for member in set(self._members):
            member.dismiss()
        self._threads.shutdown()
        for member in self._members:
            member.see_off()

    def submit(self, task: Callable[..., Answer], *arguments: object) -> Future[Answer]:
        """Have the next free worker call a module's function.

        Function, arguments and answer must be picklable. The future raises what the function
        raised, or `WorkerLost`.
        """
        return self._threads.submit(self._delegate, task, arguments)

    def _delegate(self, task: Callable[..., Answer], arguments: tuple[object, ...]) -> Answer:
        member = self._idle.get()
        try:
            good, answer = member.do(task, arguments)
        except Exception:
            self._replace(member)  # whatever interrupted it, it can't be asked again
            raise
        self._idle.put(member)
        if good:
            return cast(Answer, answer)
        raise cast(Exception, answer)

    def _replace(self, member: _Worker) -> None:
        """Replace a lost worker with a new one.

        If the pool is closing, or no process can be started, the lost one stays: a waiting task
        must get an answer, even if it is only another `WorkerLost`.
        """
        if not self._leaving:
            with suppress(OSError):
                self._hire(member.core)
                self._members.remove(member)
                member.see_off()
                return
        self._idle.put(member)

    def _hire(self, core: int) -> None:
        member = _Worker(core)
        self._members.add(member)
        self._idle.put(member)


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
