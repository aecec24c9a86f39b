"""Processes that yield to the season."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

from card_arena.commands.low_priority import yield_to_others

THREADS = """
import threading
threading.Thread(target=threading.Event().wait, daemon=True).start()
print(flush=True)
input()
"""


def test_a_process_yields_with_all_of_its_threads() -> None:
    with subprocess.Popen(
        [sys.executable, "-c", THREADS],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        start_new_session=True,
    ) as process:
        assert process.stdout is not None
        process.stdout.readline()
        yield_to_others(process.pid)
        threads = [int(thread.name) for thread in Path(f"/proc/{process.pid}/task").iterdir()]
        nice = [os.getpriority(os.PRIO_PROCESS, thread) for thread in threads]
        process.communicate(b"\n")
    assert nice == [min(19, os.nice(0) + 10)] * 2
