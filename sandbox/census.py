"""Who is running in the box, and what it uses: read from /proc by the pilot."""

# Without pathlib, which would double the start of a box:
# ruff: noqa: PTH123, PTH208

from __future__ import annotations

import os

PAGE = os.sysconf("SC_PAGE_SIZE")
TICK = os.sysconf("SC_CLK_TCK")
SIGKILL = 9
FIRST = 1


def others() -> list[int]:
    """Every process of the bot: all but the pilot where it is first, else its descendants."""
    here = [int(name) for name in os.listdir("/proc") if name.isdigit()]
    pilot = os.getpid()
    if pilot == FIRST:
        return [pid for pid in here if pid != FIRST]
    parents = {pid: parent(pid) for pid in here}
    family = {pilot}
    grown = True
    while grown:
        more = {pid for pid, above in parents.items() if above in family} - family
        family |= more
        grown = bool(more)
    return list(family - {pilot})


def kill(pid: int) -> bool:
    """Kill a process, or with -1 all at once; tell whether there was one."""
    try:
        os.kill(pid, SIGKILL)
    except ProcessLookupError:
        return False
    return True


def stat_fields(pid: int) -> list[bytes]:
    """The fields of /proc/PID/stat after the name, or none where the process is gone."""
    try:
        with open(f"/proc/{pid}/stat", "rb") as file:
            return file.read().rpartition(b")")[2].split()
    except OSError:
        return []


def parent(pid: int) -> int:
    """The parent of a process, 0 if it is gone."""
    fields = stat_fields(pid)
    return int(fields[1]) if fields else 0


def cpu_time(pid: int) -> float:
    """The seconds that a process and the children it waited for have computed."""
    return sum(map(int, stat_fields(pid)[11:15])) / TICK


def resident(pid: int) -> int:
    """The bytes that a process has in memory, shared ones included."""
    try:
        with open(f"/proc/{pid}/statm", "rb") as file:
            return int(file.read().split()[1]) * PAGE
    except (OSError, IndexError):
        return 0


def proportional(pid: int) -> int:
    """The bytes that a process has in memory, its share only of what it shares."""
    try:
        with open(f"/proc/{pid}/smaps_rollup", "rb") as file:
            for line in file:
                if line.startswith(b"Pss:"):
                    return int(line.split()[1]) * 1024
    except OSError:
        pass
    # A bot can hide its map, but not its size.
    return resident(pid)
