"""The near end of one worker: a process that does one task at a time and keeps to one core."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
from collections.abc import Callable
from contextlib import suppress
from multiprocessing.connection import Connection
from typing import cast

from common.checkout import ROOT
from tournament.play import worker
from tournament.play.lanes import WorkerLost


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
