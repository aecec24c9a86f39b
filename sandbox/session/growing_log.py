"""A build's log while it grows: memory that the build worker writes to and the referee reads."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from threading import Event, Thread

from sandbox.inside.pilot_protocol import MOST_LOG

EVERY = 0.5
"""Seconds between two looks at it."""

Hear = Callable[[str], None]
"""Is told the whole log so far, whenever there is more of it."""


@contextmanager
def growing_log(hear: Hear | None) -> Iterator[tuple[int, ...]]:
    """The descriptor that the build worker writes to; none where nobody wants to hear.

    `hear` is called in a thread of its own, and no longer once the block has ended. Whatever the
    other end writes there, no more than `MOST_LOG` bytes are read.
    """
    if hear is None:
        yield ()
        return
    log = os.memfd_create("log")
    over = Event()
    thread = Thread(target=_follow, args=(log, hear, over), daemon=True)
    thread.start()
    try:
        yield (log,)
    finally:
        over.set()
        thread.join()
        os.close(log)


def _follow(log: int, hear: Hear, over: Event) -> None:
    heard = 0
    while not over.wait(EVERY):
        text = os.pread(log, MOST_LOG, 0)
        if len(text) > heard:
            heard = len(text)
            hear(text.decode("utf-8", "replace"))
