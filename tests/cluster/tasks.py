"""Tasks for the slots of a cluster, which import them."""

from __future__ import annotations

import ctypes
import os
import signal
import time
from pathlib import Path

from card_arena.tests.cluster.harness import wait_for
from card_arena.tournament.play.pool import TaskFailed


def nap(seconds: float) -> tuple[int, int, frozenset[int]]:
    """Sleep; tell the process, the one that it belongs to, and its processors."""
    time.sleep(seconds)
    return os.getpid(), os.getppid(), frozenset(os.sched_getaffinity(0))


def spin(seconds: int) -> str:
    """Let no other thread of the process run, as a long computation may."""
    ctypes.PyDLL(None).sleep(seconds)  # it keeps the interpreter's lock
    return "done"


def fail() -> None:
    raise LookupError("nothing here")


def die() -> None:
    os.kill(os.getpid(), signal.SIGKILL)


def work_for_ever(note: str) -> None:
    Path(note).write_text(str(os.getpid()))
    while True:
        time.sleep(1)


def size(content: bytes) -> int:
    return len(content)


def moment(seconds: float) -> tuple[float, float]:
    began = time.monotonic()
    time.sleep(seconds)
    return began, time.monotonic()


def beside_another(folder: str, name: str) -> None:
    """End when two are here; the one that is to fail does."""
    Path(folder, name).touch()
    wait_for(lambda: len([*Path(folder).iterdir()]) == 2, "both are here")
    if name == "failing":
        raise TaskFailed("oh")
