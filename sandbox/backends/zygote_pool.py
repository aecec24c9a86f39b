"""Zygotes that are kept for the next box: one takes a zygote for a match and gives it back.

One without a bot serves any program; one in which a Python bot's program waits to be forked is kept
for that program. Each belongs to one box at a time: two boxes never share one, so that they share
no user number, no control group and no page of memory that one of them could feel the other change.
"""

from __future__ import annotations

import atexit
import os
from collections.abc import Callable
from functools import cache

from sandbox.backends.zygote import Key, Zygote

MOST_IDLE = 8
"""Zygotes that wait in one process to be taken; each takes some 10 MiB."""


class ZygotePool:
    """The zygotes of this process that wait to be taken."""

    def __init__(self) -> None:
        self.idle: list[Zygote] = []
        """Those that no box has now, the one that has waited longest first."""
        self.unfit: set[Key] = set()
        """Programs of which no zygote could be made."""

    def take(self, key: Key, start: Callable[[], Zygote]) -> Zygote:
        """Give a zygote that waits for a program, or else start one; raises as `start` does."""
        for zygote in [each for each in self.idle if not each.alive()]:
            self.idle.remove(zygote)
            zygote.close()
        for zygote in reversed(self.idle):
            if zygote.key == key:
                self.idle.remove(zygote)
                return zygote
        zygote = start()
        zygote.key = key
        return zygote

    def give_back(self, zygote: Zygote) -> None:
        """Keep a zygote for another box; the one that has waited longest may have to go."""
        if zygote.taken or not zygote.alive():
            zygote.close()
            return
        self.idle.append(zygote)
        while len(self.idle) > MOST_IDLE:
            self.idle.pop(0).close()

    def close(self) -> None:
        """End all that wait."""
        while self.idle:
            self.idle.pop().close()


def zygote_pool() -> ZygotePool:
    """Give the pool of this process; a fork of it has one of its own."""
    return _pool_of(os.getpid())


@cache
def _pool_of(process: int) -> ZygotePool:  # noqa: ARG001
    made = ZygotePool()
    atexit.register(made.close)
    return made
