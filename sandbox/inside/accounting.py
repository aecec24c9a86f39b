"""The pilot's measurements of a bot: its processes, CPU time, memory and /tmp."""

# Without pathlib, which would double the start of a sandbox:
# ruff: noqa: PTH108, PTH116, PTH208

from __future__ import annotations

import os
import time

from card_arena.sandbox.inside.pilot_protocol import CPU, MEMORY, ExitReport, SandboxSpec

# A bot may hide notes in the data of /proc, and a pilot that forks passes on its memory. So
# everything is read into one buffer, which is overwritten.
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

process_folder = "/proc"
"""Where the kernel shows processes."""
room = bytearray(64 * 1024)
view = memoryview(room)
_blank = memoryview(bytes(len(room)))


def bot_processes(*, surely: bool = False) -> list[int]:
    """Return the bot's processes: all but the pilot if that is the first, else its descendants.

    Among a whole machine's processes, those that belonged to others a moment ago are not read
    again. A number that the bot has since reused is noticed a second later, or now if `surely`.
    """
    processes = [int(name) for name in os.listdir(process_folder) if name.isdigit()]
    pilot = os.getpid()
    if pilot == FIRST:
        return [pid for pid in processes if pid != FIRST]
    strangers = _strangers.known(afresh=surely)
    parents = {pid: lineage(pid)[0] for pid in processes if pid not in strangers}
    family = {pilot}
    grown = True
    while grown:
        more = {pid for pid, above in parents.items() if above in family} - family
        family |= more
        grown = bool(more)
    # Who has just ended has no parent any more, and its children may yet turn out to be the bot's.
    rooted = {pid for pid, above in parents.items() if above} | strangers | {FIRST, KERNEL}
    strangers |= {pid for pid, above in parents.items() if above in rooted} - family
    strangers &= {*processes}
    return list(family - {pilot})


class _Strangers:
    """The processes that are known not to be the bot's."""

    def __init__(self) -> None:
        self._pids: set[int] = set()
        self._since = 0.0

    def known(self, *, afresh: bool) -> set[int]:
        """Return the same set again, to be added to; a new one now and then."""
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


def lineage(pid: int) -> tuple[int, float]:
    """Return a process's parent, and the seconds that the children it waited for had computed.

    Its parent is 0 if it is gone.
    """
    size = read(f"{process_folder}/{pid}/stat")
    begin = room.rfind(b")", 0, size) + 2  # a bot may give itself a name with anything in it
    fields = bytes(view[begin:size]).split(None, 15)
    forget(size)
    if len(fields) < 15:
        return 0, 0.0
    return int(fields[1]), (int(fields[13]) + int(fields[14])) / TICK


class CpuMeter:
    """The seconds that the bot's processes have computed, those that have ended included.

    Once its parent has waited for it, a process is part of its parent's figures. A parent may also
    discard its children without a trace: then their last measurement counts.
    """

    def __init__(self) -> None:
        self.total = 0.0
        """Seconds, as of the last measurement."""
        self._seen: dict[int, tuple[int, float, float]] = {}
        self._owed: dict[int, float] = {}

    def look(self, processes: list[int], reaped: float) -> float:
        """Return the seconds that these processes and those `reaped` by the pilot have computed."""
        pilot = os.getpid()
        current = {pid: (*lineage(pid), _clock(pid)) for pid in processes}
        for pid in [pid for pid in self._seen if pid not in current]:
            above, waited, computed = self._seen[pid]
            computed += max(waited, self._owed.pop(pid, 0.0))
            while above != pilot and above not in current:
                above = self._seen[above][0] if above in self._seen else pilot
            self._owed[above] = self._owed.get(above, 0.0) + computed
        self._seen = current
        total = max(reaped, self._owed.get(pilot, 0.0))
        for pid, (_, waited, computed) in current.items():
            total += computed + max(waited, self._owed.get(pid, 0.0))
        self.total = max(self.total, total)
        return self.total


def _clock(pid: int) -> float:
    """Return the seconds that a process itself has computed, all its threads together."""
    try:
        return time.clock_gettime(~pid << 3 | PROCESS_CLOCK)
    except OSError:
        return 0.0


def read(path: str) -> int:
    """Read the beginning of a file into `room`; return its length, 0 if the file is gone."""
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
    view[:size] = _blank[:size]


def number(field: bytes, begin: int, end: int) -> int:
    """Return the number after a field's name in `room`, between two places; 0 if there is none."""
    place = room.find(field, begin, end)
    if place < 0:
        return 0
    place += len(field)
    return int(bytes(view[place : room.index(b"\n", place)]).split()[0])


class ScratchFolder:
    """A folder for temporary files, empty for none; `numbered` says that it is the bot's alone."""

    def __init__(self, path: str, *, numbered: bool) -> None:
        self.path = path
        self.numbered = numbered
        self.unchanged: object = None

    def changed(self) -> bool:
        """Return whether anything about it has changed since the last call.

        A tmpfs consists of the attributes of its root and the number of its next file, which grows
        even if the file never had a name.
        """
        if not self.path:
            return False
        before, state = self.unchanged, self.state()
        number = number_of_new_file(self.path) if self.numbered else 0
        self.unchanged = self.state(), number + self.numbered
        return (state, number) != before or number < 0

    def state(self) -> object:
        status = os.stat(self.path)
        times = status.st_atime_ns, status.st_mtime_ns, status.st_ctime_ns
        return status.st_mode, status.st_nlink, times


def number_of_new_file(folder: str) -> int:
    """Return the number of a file that is made in a folder and removed, -1 if it can't be made."""
    path = f"{folder}/.number"
    try:
        descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC)
        os.unlink(path)
    except OSError:
        return -1
    number = os.fstat(descriptor).st_ino
    os.close(descriptor)
    return number


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
    """The size of one process in bytes, as the kernel counts it anyway.

    `hidden` is what no sum of its mappings shows: its page tables, and what was swapped out.
    """

    def __init__(self, pid: int) -> None:
        size = read(f"{process_folder}/{pid}/status")
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
        mappings = self._mappings = {pid: n for pid, n in self._mappings.items() if pid in sizes}
        hidden = MAPPING * sum(mappings.values()) + _in_sockets(self._most)
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
        ended = walk.resume(mappings)
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
        return self._computed > MOST_WALKED or time.monotonic() - self._begun > MOST_WAITED

    def resume(self, mappings: dict[int, int]) -> bool:
        """Continue for a time slice, noting the number of mappings; return whether it ended."""
        until, before = time.monotonic() + SLICE, time.thread_time()
        while self._descriptor >= 0 or self._waiting:
            if self._descriptor < 0:
                self._pid, self._mappings = self._waiting.pop(), 0
                self._enter(mappings)
            else:
                self._read(mappings)
            if time.monotonic() > until:
                break
        self._computed += time.thread_time() - before
        return self._descriptor < 0 and not self._waiting

    def _enter(self, mappings: dict[int, int]) -> None:
        size = self._sizes[self._pid]
        self._named = "smaps" if self.adds_up and size.tables <= self._sparse else "maps"
        try:
            path = f"{process_folder}/{self._pid}/{self._named}"
            self._descriptor = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
        except PermissionError:  # it has closed them to others: it has as many as it could have
            self._named, mappings[self._pid] = "", size.most_mappings
        except OSError:
            return  # it has ended
        if self.adds_up and self._named != "smaps":
            self.shares += size.resident

    def _read(self, mappings: dict[int, int]) -> None:
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
        mappings[self._pid] = (
            self._mappings if not size else max(self._mappings, mappings.get(self._pid, 0))
        )
        if not size:
            os.close(self._descriptor)
            self._descriptor = -1


def _in_sockets(most: int) -> int:
    """Return the bytes that the bot's sockets may keep for each other, as far as it matters."""
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


def memory_meter(spec: SandboxSpec) -> MemoryMeter | None:
    """Return a meter of a bot's memory, or None where a control group counts it."""
    return MemoryMeter(spec.memory) if spec.memory else None


def too_big(memory: MemoryMeter, processes: list[int], report: ExitReport) -> bool:
    """Measure the memory of a bot's processes; note in the report if it is over the limit."""
    over = memory.over_limit(processes)
    report.peak = max(report.peak, memory.peak)
    if over:
        report.outcome = MEMORY
    return over


def computed_too_much(
    cpu: CpuMeter, spec: SandboxSpec, processes: list[int], report: ExitReport
) -> bool:
    """Count the CPU time of a bot's processes; note in the report if it is over the limit."""
    report.seen = cpu.look(processes, report.cpu)
    if report.seen <= spec.cpu:
        return False
    report.outcome = CPU
    return True
