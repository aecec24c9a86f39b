"""Processes that yield: people wait for seasons, and seasons not for people."""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path

YIELDING = 10
"""The niceness of a process that yields, beside that of this one."""


def yield_to_others(pid: int) -> None:
    """Let a process, which leads a session, yield with all of its threads; nothing if it is gone.

    Linux has a niceness for each thread, and where sessions compete as groups, one for each.
    """
    niceness = min(19, os.nice(0) + YIELDING)
    with suppress(OSError):
        for thread in Path(f"/proc/{pid}/task").iterdir():
            os.setpriority(os.PRIO_PROCESS, int(thread.name), niceness)
        Path(f"/proc/{pid}/autogroup").write_text(str(niceness))
