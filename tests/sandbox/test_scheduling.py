"""A referee gives way to the bots that it wakes up, and its bots have turns of the usual length."""

import ctypes
import os
import platform
import subprocess
import threading

import pytest

from card_arena.sandbox.kernel.calls import numbers
from card_arena.sandbox.kernel.scheduling import ATTRIBUTES, LONGEST_TURN, give_way

LINUX = tuple(map(int, platform.release().split(".")[:2]))


def attributes(pid):
    """The policy, the niceness and the length of turns of a process, or of this thread (0)."""
    room = ctypes.create_string_buffer(ATTRIBUTES.size)
    call = numbers(platform.machine())["sched_getattr"]
    assert ctypes.CDLL(None).syscall(call, pid, room, ATTRIBUTES.size, 0) == 0
    _, policy, _, niceness, _, turn, _, _ = ATTRIBUTES.unpack(room.raw)
    return policy, niceness, turn


@pytest.mark.skipif(LINUX < (6, 12), reason="this kernel has turns of one length only")
def test_only_the_referee_has_long_turns():
    seen = []

    def referee():
        seen.append(attributes(0))
        os.setpriority(os.PRIO_PROCESS, 0, os.getpriority(os.PRIO_PROCESS, 0) + 1)
        give_way()
        seen.append(attributes(0))
        with subprocess.Popen(["sleep", "60"]) as bot:
            seen.append(attributes(bot.pid))
            bot.kill()

    thread = threading.Thread(target=referee)
    thread.start()
    thread.join()
    (policy, niceness, usual), after, bot = seen
    assert usual < LONGEST_TURN
    assert after == (policy, niceness + 1, LONGEST_TURN)
    assert bot == (policy, niceness + 1, usual)


def test_another_kind_of_processor_changes_nothing(monkeypatch):
    monkeypatch.setattr(platform, "machine", lambda: "riscv64")
    give_way()
