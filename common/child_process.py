"""Processes that work for the one that has started them by multiprocessing."""

from __future__ import annotations

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
