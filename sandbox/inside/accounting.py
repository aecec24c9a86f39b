"""Measurement of a bot's memory by the pilot, in time slices, if no control group does it."""

from __future__ import annotations

import os
import time

from sandbox.inside import procfs
from sandbox.inside.pilot_protocol import CPU, MEMORY, ExitReport, Terms
from sandbox.inside.procfs import FIRST, PAGE, CpuMeter, forget, number, read, room, view

MEMORY_EVERY = 0.02
"""Seconds between two measurements of the memory."""
COUNT_EVERY = 0.2
"""Seconds between two counts of the mappings."""
SLICE = 0.002
"""Seconds that one measurement may take, since the pilot has deadlines to watch."""
MOST_WALKED, MOST_WAITED = 0.1, 2.0
"""Seconds, of CPU and in all, after which the walk is abandoned and the whole sum counts."""
MAPPING = 320
"""Bytes that the kernel keeps for each mapping, which are in no process's size."""
MOST_MAPPINGS = 65536
SOCKET, FREE_SOCKETS = 416 * 1024, 128
"""Bytes that a socket may keep, and a number of sockets for which they are not counted."""
SPARSE = 16
"""Page tables of over this part of the limit are of memory that is not worth walking through."""

SHARE = b"\nPss:"

Sizes = dict[int, "Size"]


class Size:
    """How large one process is, as the kernel keeps count of it anyway, in bytes.

    `hidden` is what no sum of its mappings shows: its page tables, and what was swapped out.
    """

    def __init__(self, pid: int) -> None:
        size = read(f"{procfs.processes}/{pid}/status")
        fields = (b"\nVmRSS:", b"\nVmPTE:", b"\nVmSwap:", b"\nVmSize:")
        self.resident, self.tables, swapped, mapped = (
            1024 * number(field, 0, size) for field in fields
        )
        forget(size)
        self.hidden = self.tables + swapped
        self.most_mappings = min(mapped // PAGE, MOST_MAPPINGS)


class MemoryMeter:
    """Measures the memory of a bot's processes in time slices, so that no bot can prolong one.

    The sum of their resident memory is cheap, but counts shared pages several times. Only if it is
    over the limit are the proportional shares added up, mapping by mapping. If a bot makes that
    take too long, the whole sum counts.
    """

    def __init__(self, most: int) -> None:
        self.peak = 0
        """The highest sum of their shares, in bytes."""
        self.pause = MEMORY_EVERY
        """Seconds after which to look again."""
        self._most = most
        self._mappings: dict[int, int] = {}
        self._walk: Walk | None = None
        self._counted = 0.0

    def over_limit(self, processes: list[int]) -> bool:
        """Measure these processes; return whether they are known to be over the limit."""
        sizes = {pid: Size(pid) for pid in processes}
        known = self._mappings = {pid: n for pid, n in self._mappings.items() if pid in sizes}
        hidden = MAPPING * sum(known.values()) + _in_sockets(self._most)
        hidden += sum(size.hidden for size in sizes.values())
        if hidden > self._most:
            return True
        over = hidden + sum(size.resident for size in sizes.values()) > self._most
        walk, self.pause = self._walk, MEMORY_EVERY
        if walk is None or walk.adds_up != over:
            now = time.monotonic()
            if not over and now < self._counted + COUNT_EVERY:
                return False
            self._counted = now
            walk = self._walk = Walk(sizes, self._most, adds_up=over)
        ended = walk.go_on(known)
        if not ended:
            self.pause = SLICE
            return over and (hidden + walk.shares > self._most or walk.lasts_too_long())
        self._walk = None
        if not over:
            return False
        self.peak = max(self.peak, hidden + walk.shares)
        return hidden + walk.shares > self._most


class Walk:
    """One walk through the mappings of all processes, to count them and to add up their shares."""

    def __init__(self, sizes: Sizes, most: int, *, adds_up: bool) -> None:
        self.adds_up = adds_up
        self.shares = 0
        self._sizes = sizes
        self._waiting = sorted(sizes, key=lambda pid: sizes[pid].resident)
        self._sparse = most // SPARSE
        self._computed = 0.0
        self._begun = time.monotonic()
        self._pid, self._named, self._descriptor, self._mappings = 0, "", -1, 0

    def __del__(self) -> None:
        if self._descriptor >= 0:
            os.close(self._descriptor)

    def lasts_too_long(self) -> bool:
        """Return whether a bot has made this walk too long to finish."""
        return self._computed > MOST_WALKED or time.monotonic() - self._begun > MOST_WAITED

    def go_on(self, known: dict[int, int]) -> bool:
        """Continue for a time slice, noting the number of mappings; return whether it ended."""
        until, before = time.monotonic() + SLICE, time.thread_time()
        while self._descriptor >= 0 or self._waiting:
            if self._descriptor < 0:
                self._pid, self._mappings = self._waiting.pop(), 0
                self._enter(known)
            else:
                self._read(known)
            if time.monotonic() > until:
                break
        self._computed += time.thread_time() - before
        return self._descriptor < 0 and not self._waiting

    def _enter(self, known: dict[int, int]) -> None:
        size = self._sizes[self._pid]
        self._named = "smaps" if self.adds_up and size.tables <= self._sparse else "maps"
        try:
            path = f"{procfs.processes}/{self._pid}/{self._named}"
            self._descriptor = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
        except PermissionError:  # it has closed them to others: it has as many as it could have
            self._named, known[self._pid] = "", size.most_mappings
        except OSError:
            return  # it has ended
        if self.adds_up and self._named != "smaps":
            self.shares += size.resident

    def _read(self, known: dict[int, int]) -> None:
        try:
            size = os.readv(self._descriptor, [view])
        except OSError:
            size = 0
        if self.adds_up:
            place = room.find(SHARE, 0, size)
            while place >= 0:
                self.shares += 1024 * number(SHARE, place, size)
                place = room.find(SHARE, place + 1, size)
        self._mappings += room.count(SHARE if self._named == "smaps" else b"\n", 0, size)
        forget(size)
        known[self._pid] = (
            self._mappings if not size else max(self._mappings, known.get(self._pid, 0))
        )
        if not size:
            os.close(self._descriptor)
            self._descriptor = -1


def _in_sockets(most: int) -> int:
    """Bytes that the bot's sockets may keep for each other, counted as far as it matters."""
    if os.getpid() != FIRST:
        return 0  # they are not the bot's alone
    try:
        descriptor = os.open("/proc/self/net/unix", os.O_RDONLY | os.O_CLOEXEC)
    except OSError:
        return 0
    sockets, size = -1, 1  # a line says what the others mean
    while size and SOCKET * (sockets - FREE_SOCKETS) <= most:
        size = os.readv(descriptor, [view])
        sockets += room.count(b"\n", 0, size)
        forget(size)
    os.close(descriptor)
    return SOCKET * max(0, sockets - FREE_SOCKETS)


def memory_meter(terms: Terms) -> MemoryMeter | None:
    """Return what measures a bot's memory, where no control group does."""
    return MemoryMeter(terms.memory) if terms.memory else None


def too_big(memory: MemoryMeter, processes: list[int], report: ExitReport) -> bool:
    """Measure the memory of a bot's processes; note it when they are over the limit."""
    over = memory.over_limit(processes)
    report.peak = max(report.peak, memory.peak)
    if over:
        report.outcome = MEMORY
    return over


def computed_too_much(
    cpu: CpuMeter, terms: Terms, processes: list[int], report: ExitReport
) -> bool:
    """Count what a bot's processes have computed; note it when it is over the limit."""
    report.seen = cpu.look(processes, report.cpu)
    if report.seen <= terms.cpu:
        return False
    report.outcome = CPU
    return True
