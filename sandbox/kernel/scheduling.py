"""The turns of a referee on a processor that it shares with its bots.

The kernel lets a bot that gets a question run at once if its turn (its slice) will be over before
that of the referee. Otherwise the referee runs on and has to wait for the answer, which takes ten
times as long as to find it there. So a referee has the longest turns there are. It doesn't get
more of the processor by that.
"""

from __future__ import annotations

import ctypes
import os
import platform
import struct
from contextlib import suppress

from card_arena.sandbox.kernel.calls import numbers

LONGEST_TURN = 100_000_000
"""Nanoseconds. The kernel allows no more; before Linux 6.12 it ignores the number."""
ATTRIBUTES = struct.Struct("=IIQiIQQQ")
"""Size, policy, flags, niceness, priority, and the three times of sched_setattr(2)."""
RESET_ON_FORK = 1


def give_way() -> None:
    """Let what this thread wakes up run at once, where the kernel can do that.

    The programs that it starts have turns of the usual length.
    """
    niceness = os.getpriority(os.PRIO_PROCESS, 0)
    policy = os.sched_getscheduler(0)
    size, times = ATTRIBUTES.size, (LONGEST_TURN, 0, 0)
    attributes = ATTRIBUTES.pack(size, policy, RESET_ON_FORK, niceness, 0, *times)
    with suppress(KeyError):  # another kind of processor
        call = numbers(platform.machine())["sched_setattr"]
        ctypes.CDLL(None).syscall(call, 0, attributes, 0)
