"""A pool of zygotes: each is taken for a match and given back afterwards.

A zygote without a bot serves any program; one in which a Python bot's program waits to be forked is
kept for that program. Each belongs to one box at a time: two boxes never share a zygote, so they
share no user id, no control group and no page of memory in which one could notice the other.
"""

from __future__ import annotations

import atexit
import os
from collections.abc import Callable
from functools import cache

from sandbox.backends.zygote import Key, Zygote

MOST_IDLE = 8
"""The most zygotes waiting in one process; each takes some 10 MiB."""


class ZygotePool:
    """The idle zygotes of this process."""

    def __init__(self) -> None:
        self.idle: list[Zygote] = []
        """The zygotes not in use, the longest idle first."""
        self.unfit: set[Key] = set()
        """Programs for which no zygote could be made."""

    def take(self, key: Key, start: Callable[[], Zygote]) -> Zygote:
        """Take an idle zygote for a program, or else start one; raises as `start` does."""
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
        """Keep a zygote for another box; if there are too many, the longest idle one is ended."""
        if not zygote.taken and zygote.alive():
            zygote.clear()
        if zygote.taken or not zygote.alive():
            zygote.close()
            return
        self.idle.append(zygote)
        while len(self.idle) > MOST_IDLE:
            self.idle.pop(0).close()

    def close(self) -> None:
        while self.idle:
            self.idle.pop().close()


def zygote_pool() -> ZygotePool:
    """Return the pool of this process; a forked process has its own."""
    return _pool_of(os.getpid())


@cache
def _pool_of(process: int) -> ZygotePool:  # noqa: ARG001
    made = ZygotePool()
    atexit.register(made.close)
    return made
