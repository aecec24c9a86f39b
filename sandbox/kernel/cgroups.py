"""Control groups: the kernel's own count of a box's memory, processes and processor time.

Memory and processes are required. The `cpu` controller, where it can be had, makes a box one
competitor for the processor, however many processes it has; without it every session competes.
Where no group can be made, `new_group` gives None and the pilot's own polling stands in.
"""

from __future__ import annotations

import os
import secrets
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from pathlib import Path

from sandbox.kernel.cgroup_tree import (
    OPTIONAL,
    PREFIX,
    REQUIRED,
    hierarchies,
    mounts,
    own_path,
    remove,
)

USAGE_2 = b"usage_usec "
"""How version 2's cpu.stat begins; version 1's cpuacct.usage is nanoseconds and nothing else."""


class Group:
    """One box's control group: put the pilot in, and all that it starts is counted and bounded."""

    def __init__(self, folders: Mapping[str, Path], version: int) -> None:
        self._folders = folders
        self._version = version
        events = "memory.events" if version == 2 else "memory.oom_control"
        self._events = os.open(folders["memory"] / events, os.O_RDONLY | os.O_CLOEXEC)
        self._kills = 0
        self._seen = b""
        peak = "memory.peak" if version == 2 else "memory.max_usage_in_bytes"
        self._peak = _opened(folders["memory"] / peak)
        self._usage = -1
        if version == 2:
            self._usage = os.open(folders["memory"] / "cpu.stat", os.O_RDONLY | os.O_CLOEXEC)
        elif "cpuacct" in folders:
            self._usage = os.open(folders["cpuacct"] / "cpuacct.usage", os.O_RDONLY | os.O_CLOEXEC)

    def add(self, pid: int) -> None:
        """Move a process in, by its number on the host; raises `OSError`."""
        for folder in set(self._folders.values()):
            (folder / "cgroup.procs").write_text(str(pid))

    def bound(self, memory: int, processes: int) -> None:
        """Bound its memory, in bytes, and its processes from now on; raises `OSError`."""
        home = self._folders["memory"]
        if self._version == 2:
            _set(home, "memory.max", memory)
            _set(home, "memory.swap.max", 0, needed=False)
        else:
            # memory with swap may never be bounded below memory alone
            names = ["memory.limit_in_bytes", "memory.memsw.limit_in_bytes"]
            if memory > int((home / names[0]).read_text()):
                names.reverse()
            for name in names:
                _set(home, name, memory, needed=name == "memory.limit_in_bytes")
        _set(self._folders["pids"], "pids.max", processes)

    def forget(self) -> None:
        """Drop the file pages that were read into memory in this group, and reset its peak.

        Files that one game's bot has read from disk would otherwise load faster for the next.
        """
        home = self._folders["memory"]
        name, word = (
            ("memory.reclaim", b"1G") if self._version == 2 else ("memory.force_empty", b"0")
        )
        with suppress(OSError):  # not every kernel can
            (home / name).write_bytes(word)
        with suppress(OSError):
            os.pwrite(self._peak, b"0", 0)

    def out_of_memory(self) -> bool:
        """Tell whether the kernel has killed for memory in this group since the last call."""
        events = os.pread(self._events, 4096, 0)
        if events == self._seen:
            return False
        self._seen = events
        kills = _oom_kills(events)
        grown = kills > self._kills
        self._kills = kills
        return grown

    def computed(self) -> int | None:
        """Microseconds that all processes of this group have computed, those that ended included.

        None where they are not counted.
        """
        if self._usage < 0:
            return None
        text = os.pread(self._usage, 4096, 0)
        if text.startswith(USAGE_2):
            return int(text[len(USAGE_2) : text.index(b"\n")])
        return int(text) // 1000

    def peak(self) -> int:
        """The most bytes in use at once, 0 if the kernel does not record it."""
        return int(os.pread(self._peak, 4096, 0)) if self._peak >= 0 else 0

    def remove(self) -> None:
        """Remove the group; its processes must have ended."""
        os.close(self._events)
        if self._peak >= 0:
            os.close(self._peak)
        if self._usage >= 0:
            os.close(self._usage)
        for folder in set(self._folders.values()):
            remove(folder)


def new_group() -> Group | None:
    """Make a group, still without bounds; return None if this machine does not allow it."""
    where = hierarchies()
    if not where:
        return None
    name = f"{PREFIX}-{secrets.token_hex(8)}"
    folders: dict[str, Path] = {}
    try:
        for hierarchy in where:
            folder = hierarchy.base / name
            folder.mkdir()
            folders |= dict.fromkeys(hierarchy.controllers, folder)
        return Group(folders, where[0].version)
    except OSError:
        for folder in set(folders.values()):
            remove(folder)
        return None


def _set(folder: Path, name: str, value: int, *, needed: bool = True) -> None:
    path = folder / name
    if needed or path.exists():
        path.write_text(str(value))


def _opened(path: Path) -> int:
    """A descriptor to read from, and to write to where that may be; -1 where there is no file."""
    for mode in (os.O_RDWR, os.O_RDONLY):
        with suppress(OSError):
            return os.open(path, mode | os.O_CLOEXEC)
    return -1


def _oom_kills(events: bytes) -> int:
    for line in events.decode().splitlines():
        name, _, count = line.partition(" ")
        if name == "oom_kill":
            return int(count)
    return 0


class Adopted(Group):
    """A group that another program made, fills and removes: it is only read.

    It goes with its first process, which is ours. `ask_maker` tells whether the kernel has killed
    for memory in it since a moment (seconds since 1970) when it can't be read any more.
    """

    def __init__(
        self, folders: Mapping[str, Path], version: int, ask_maker: Callable[[float], bool]
    ) -> None:
        super().__init__(folders, version)
        self._ask_maker = ask_maker
        self._looked = time.time()

    def add(self, pid: int) -> None:
        """Do nothing: the process was put in by what made the group."""

    def out_of_memory(self) -> bool:
        """Tell whether the kernel has killed for memory in this group since the last call."""
        try:
            found = super().out_of_memory()
        except OSError:
            return self._ask_maker(self._looked)
        self._looked = time.time()
        return found

    def remove(self) -> None:
        """Let go of the group."""
        self._folders = {}
        super().remove()


def adopted(pid: int, ask_maker: Callable[[float], bool]) -> Group | None:
    """The group that a process, by its number on the host, is in; None where it can't be read.

    `ask_maker` is as in `Adopted`.
    """
    folders: dict[str, Path] = {}
    version = 1
    try:
        for where, kind, options in mounts():
            names = {""} if kind == "cgroup2" else {*REQUIRED, *OPTIONAL} & {*options.split(",")}
            folders |= {name: where / own_path(name, pid).lstrip("/") for name in names}
        if "memory" not in folders:
            folders, version = {"memory": folders[""]}, 2
        return Adopted(folders, version, ask_maker)
    except (OSError, KeyError):
        return None
