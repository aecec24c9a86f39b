"""Which processes run in the box, and what they use: read from /proc by the pilot.

The data belongs to a bot, which may have hidden notes in it, and a pilot that forks passes on its
memory: so everything is read into one buffer, which is overwritten.
"""

# Without pathlib, which would double the start of a box:
# ruff: noqa: PTH208

from __future__ import annotations

import os
import time

PAGE = os.sysconf("SC_PAGE_SIZE")
TICK = os.sysconf("SC_CLK_TCK")
SIGKILL = 9
FIRST, KERNEL = 1, 2
"""Every process descends from one of them."""
STRANGERS_FOR = 1.0
"""Seconds after which all processes of the machine are read again."""
CPU_EVERY = 0.02
"""Seconds between two measurements of the CPU time."""
PROCESS_CLOCK = 2

processes = "/proc"
"""Where the kernel shows processes."""
room = bytearray(64 * 1024)
view = memoryview(room)
_blank = memoryview(bytes(len(room)))


def bot_processes(*, surely: bool = False) -> list[int]:
    """Every process of the bot: all but the pilot if that is the first, else its descendants.

    Among a whole machine's processes those that were somebody else's a moment ago are not read
    again. A number that has passed on to the bot since is found a second later, or now if `surely`.
    """
    here = [int(name) for name in os.listdir(processes) if name.isdigit()]
    pilot = os.getpid()
    if pilot == FIRST:
        return [pid for pid in here if pid != FIRST]
    strangers = _strangers.known(afresh=surely)
    parents = {pid: parent(pid) for pid in here if pid not in strangers}
    family = {pilot}
    grown = True
    while grown:
        more = {pid for pid, above in parents.items() if above in family} - family
        family |= more
        grown = bool(more)
    # Who has just ended has no parent any more, and its children may yet turn out to be the bot's.
    rooted = {pid for pid, above in parents.items() if above} | strangers | {FIRST, KERNEL}
    strangers |= {pid for pid, above in parents.items() if above in rooted} - family
    strangers &= {*here}
    return list(family - {pilot})


class _Strangers:
    """The processes that are known not to be the bot's."""

    def __init__(self) -> None:
        self._pids: set[int] = set()
        self._since = 0.0

    def known(self, *, afresh: bool) -> set[int]:
        """The same set again, to be added to; a new one now and then."""
        now = time.monotonic()
        if afresh or now >= self._since + STRANGERS_FOR:
            self._pids, self._since = set(), now
        return self._pids


_strangers = _Strangers()


def kill(pid: int) -> bool:
    """Kill a process, or all at once with -1; return whether there was one."""
    try:
        os.kill(pid, SIGKILL)
    except ProcessLookupError:
        return False
    return True


def parent(pid: int) -> int:
    """The parent of a process, 0 if it is gone."""
    return lineage(pid)[0]


def lineage(pid: int) -> tuple[int, float]:
    """The parent of a process, and the seconds that children which it waited for had computed."""
    size = read(f"{processes}/{pid}/stat")
    begin = room.rfind(b")", 0, size) + 2  # a bot may give itself a name with anything in it
    fields = bytes(view[begin:size]).split(None, 15)
    forget(size)
    if len(fields) < 15:
        return 0, 0.0
    return int(fields[1]), (int(fields[13]) + int(fields[14])) / TICK


class CpuMeter:
    """What the bot's processes have computed since they began, those that have ended included.

    Once its parent has waited for it, a process is part of its parent's figures. A parent may also
    discard its children without a trace: then their last measurement counts.
    """

    def __init__(self) -> None:
        self.total = 0.0
        """Seconds, as of the last measurement."""
        self._seen: dict[int, tuple[int, float, float]] = {}
        self._owed: dict[int, float] = {}

    def look(self, processes: list[int], reaped: float) -> float:
        """Measure all; `reaped` is the CPU time of those that the pilot has waited for."""
        pilot = os.getpid()
        here = {pid: (*lineage(pid), _clock(pid)) for pid in processes}
        for pid in [pid for pid in self._seen if pid not in here]:
            above, waited, computed = self._seen[pid]
            computed += max(waited, self._owed.pop(pid, 0.0))
            while above != pilot and above not in here:
                above = self._seen[above][0] if above in self._seen else pilot
            self._owed[above] = self._owed.get(above, 0.0) + computed
        self._seen = here
        total = max(reaped, self._owed.get(pilot, 0.0))
        for pid, (_, waited, computed) in here.items():
            total += computed + max(waited, self._owed.get(pid, 0.0))
        self.total = max(self.total, total)
        return self.total


def _clock(pid: int) -> float:
    """The seconds that a process itself has computed, all its threads together."""
    try:
        return time.clock_gettime(~pid << 3 | PROCESS_CLOCK)
    except OSError:
        return 0.0


def read(path: str) -> int:
    """Read the beginning of a file into `room`, and tell how long it is; 0 where it is gone."""
    try:
        descriptor = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
    except OSError:
        return 0
    try:
        return os.readv(descriptor, [view])
    except OSError:
        return 0
    finally:
        os.close(descriptor)


def forget(size: int) -> None:
    """Overwrite what was read."""
    view[:size] = _blank[:size]


def number(field: bytes, begin: int, end: int) -> int:
    """The number after a field's name in `room`, between two places; 0 where it is not there."""
    place = room.find(field, begin, end)
    if place < 0:
        return 0
    place += len(field)
    return int(bytes(view[place : room.index(b"\n", place)]).split()[0])
