"""Tasks for the workers of a pool, which import them."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Callable
from pathlib import Path

from card_arena.tournament.play.pool import (
    TaskFailed,
)

PATIENCE = 120.0


def wait_for(condition: Callable[[], bool]) -> None:
    end = time.monotonic() + PATIENCE
    while not condition():
        assert time.monotonic() < end, "it never came to that"
        time.sleep(0.02)


def whoami(_: int) -> tuple[int, frozenset[int]]:
    time.sleep(0.05)
    return os.getpid(), frozenset(os.sched_getaffinity(0))


def fail() -> None:
    raise LookupError("nothing here")


def die() -> None:
    os.kill(os.getpid(), signal.SIGKILL)


def chatter() -> int:
    print("a bot's author left this in")
    return 7


def work_for_ever(note: str) -> None:
    Path(note).touch()
    while True:
        time.sleep(1)


def moment(_: int) -> tuple[float, float]:
    began = time.monotonic()
    time.sleep(0.1)
    return began, time.monotonic()


def give_up(when: Path) -> None:
    wait_for(when.exists)
    raise TaskFailed("oh")


def nap(seconds: float) -> float:
    time.sleep(seconds)
    return seconds


def meet(folder: Path) -> int:
    """How many others were at work in this folder while this one was."""
    mine = folder / str(os.getpid())
    mine.touch()
    time.sleep(0.1)
    others = len([*folder.iterdir()]) - 1
    mine.unlink()
    return others
