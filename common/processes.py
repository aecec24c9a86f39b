"""Processes that work for the one that has started them by multiprocessing."""

from __future__ import annotations

import gc
import os
import signal
from collections.abc import Iterator
from contextlib import contextmanager
from multiprocessing import parent_process
from multiprocessing.connection import wait
from threading import Thread


@contextmanager
def uninterrupted() -> Iterator[None]:
    """Start processes that Ctrl-C does not reach: their parent gets it too, and decides.

    This process gets an interrupt when the block ends.
    """
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def end_with_parent() -> None:
    """End this process when its parent has ended, however that came."""
    Thread(target=_wait_for_parent, daemon=True).start()


def _wait_for_parent() -> None:
    parent = parent_process()
    assert parent is not None, "this process was started by no other"
    wait([parent.sentinel])
    os._exit(1)


RARELY = 20_000
"""Objects that are made before the youngest are looked through: more than a usual match keeps."""


def collect_rarely() -> None:
    """Let the records of a match come and go before the collector looks at them.

    Records and positions hold no cycles. By Python's own setting the collector would go through
    each of them once, which costs 2 µs a decision.
    """
    gc.set_threshold(RARELY)


def keep_what_there_is() -> None:
    """Spare the collector all that a program has set up: it is there until the end.

    Else every full collection goes through all modules and templates, and somebody waits a tenth of
    a second for a page.
    """
    gc.collect()
    gc.freeze()
