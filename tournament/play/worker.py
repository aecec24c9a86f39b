"""One worker: a process that does one task at a time for the pool that started it.

It is started as `python -m card_arena.tournament.play.worker SOCKET CORE`. Tasks come in and
answers go out over the socket. When the other end is gone, for whatever reason, the worker drops
its task, removes its sandboxes and exits.
"""

from __future__ import annotations

import os
import pickle
import signal
import sys
import time
import traceback
from contextlib import suppress
from multiprocessing.connection import Connection
from queue import SimpleQueue
from threading import Thread, main_thread
from typing import Any

from card_arena.common.processes import collect_rarely
from card_arena.sandbox.backends.zygote import zygote_pool
from card_arena.sandbox.kernel.scheduling import give_way

PATIENCE = 3.0
"""Seconds that a worker has to remove its sandboxes before it is killed."""


def main(descriptor: int, core: int) -> None:
    """Work until the pool is gone; `core` is the processor to stay on, -1 for any."""
    if core >= 0:
        os.sched_setaffinity(0, {core})
    collect_rarely()
    give_way()
    signal.signal(signal.SIGINT, _interrupt)
    link = Connection(descriptor)
    inbox: SimpleQueue[Any] = SimpleQueue()
    try:
        Thread(target=_listen, args=(link, inbox), daemon=True).start()
        while True:
            task, arguments = inbox.get()
            with suppress(BrokenPipeError, ConnectionResetError):  # the listener will interrupt
                link.send_bytes(packed(attempt(task, arguments)))
    except KeyboardInterrupt:
        zygote_pool().close()
        os._exit(0)  # the sandboxes are closed, and nothing needs the listener


def _interrupt(*_: object) -> None:
    """Raise `KeyboardInterrupt` once: a second signal would interrupt the removal of sandboxes."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    raise KeyboardInterrupt


def packed(outcome: tuple[bool, Any]) -> bytes:
    """Pickle the outcome of a task; an object that can't be pickled is sent as its text."""
    try:
        return pickle.dumps(outcome, pickle.HIGHEST_PROTOCOL)
    except Exception as error:
        text = f"the outcome of a task can't be sent: {error}: {outcome[1]!r:.500}"
        return pickle.dumps((False, RuntimeError(text)))


def attempt(task: Any, arguments: tuple[Any, ...]) -> tuple[bool, Any]:
    """Do a task; return whether it succeeded, and its answer or its exception."""
    try:
        return True, task(*arguments)
    except Exception as error:
        # A traceback can't be pickled, but its text can.
        error.add_note(traceback.format_exc())
        return False, error


def _listen(link: Connection, inbox: SimpleQueue[Any]) -> None:
    """Receive tasks; when the pool is gone, interrupt the current one."""
    try:
        while True:
            inbox.put(link.recv())
    except (EOFError, OSError):
        signal.pthread_kill(main_thread().ident or 0, signal.SIGINT)
        time.sleep(PATIENCE)
        os.kill(os.getpid(), signal.SIGKILL)


if __name__ == "__main__":
    main(int(sys.argv[1]), int(sys.argv[2]))
