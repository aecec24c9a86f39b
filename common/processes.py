"""Child processes of the arena: signals, their end, and garbage collection."""

from __future__ import annotations

import gc
import os
import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from multiprocessing import parent_process
from multiprocessing.connection import wait
from threading import Thread


@contextmanager
def uninterrupted() -> Iterator[None]:
    """Block Ctrl-C for the child processes that are started in this block.

    This process handles a pending interrupt when the block ends.
    """
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def end_with_parent() -> None:
    """End this process when the parent that started it by multiprocessing has ended."""
    parent = parent_process()
    assert parent is not None, "this process has no parent"
    _end_after(lambda: wait([parent.sentinel]), 1)


def end_with_input() -> None:
    """End this process at the end of its standard input, which its parent holds open."""

    def read_all() -> None:
        while os.read(0, 1024):
            pass

    _end_after(read_all, 0)


def _end_after(waiting: Callable[[], object], code: int) -> None:
    def end() -> None:
        with suppress(OSError):
            waiting()
        os._exit(code)

    Thread(target=end, daemon=True).start()


RARELY = 20_000
"""New objects between two collections of the youngest: more than a usual match keeps."""


def collect_rarely() -> None:
    """Collect garbage rarely, since the records of a match hold no cycles.

    Python's default would visit each of them once, which costs 2 µs a decision.
    """
    gc.set_threshold(RARELY)


def keep_what_there_is() -> None:
    """Exclude everything that a program has set up from garbage collection.

    Otherwise every full collection visits all modules and templates, and a page takes a tenth of a
    second longer.
    """
    gc.collect()
    gc.freeze()
