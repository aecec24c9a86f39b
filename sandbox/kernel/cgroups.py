"""Control groups: a sandbox's memory, processes and processor time, and the freezer between turns.

Memory and processes are required. The `cpu` controller, where it can be had, makes a sandbox one
competitor for the processor, however many processes it has; without it every session competes.
Where no group can be made, `new_group` gives None and the pilot's own polling stands in.
"""

from __future__ import annotations

import fcntl
import os
import secrets
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Protocol

# The places on this machine for control groups, and cleaning up after killed runs.
#
# Version 2 works for root and for an ordinary user whose system hands a subtree down (`systemd-run
# --user --scope -p Delegate=yes`); version 1 works for root.


PREFIX = "card-arena"
ASIDE = "referee"
"""The group that a referee moves into to make room for its sandboxes; its workers begin there."""
niceness = 0
"""The niceness of the groups that this process makes; a group does not have that of its members."""
REQUIRED = ("memory", "pids")
OPTIONAL = ("cpu", "cpuacct")
ABANDONED = 60.0
"""Seconds after which an empty group is an abandoned one; a sandbox fills its own within a few."""


@dataclass(frozen=True)
class Hierarchy:
    """A directory of the control group tree in which this process may make groups."""

    base: Path
    version: int
    controllers: frozenset[str]


@cache
def hierarchies() -> tuple[Hierarchy, ...]:
    """Return where groups with memory and processes can be made here; empty if nowhere.

    It is looked up once per process; groups that a killed run left behind are removed then.
    """
    mounted = list(mounts())
    trees = _version_2(mounted) or _version_1(mounted)
    for hierarchy in trees:
        sweep(hierarchy.base)
    return trees


def _version_2(mounted: list[tuple[Path, str, str]]) -> tuple[Hierarchy, ...]:
    for mount, kind, _ in mounted:
        if kind != "cgroup2":
            continue
        own = mount / own_path("").lstrip("/")
        above = (own.parent,) if own.name == ASIDE else ()
        for base in (*above, own, mount) if os.geteuid() == 0 else (*above, own):
            if _offers(base):
                handed = set((base / "cgroup.subtree_control").read_text().split())
                return (Hierarchy(base, 2, frozenset(handed & {*REQUIRED, "cpu"})),)
    return ()


def _offers(base: Path) -> bool:
    """Hand memory and pids, and cpu if we can, to the children of a version 2 group."""
    with suppress(OSError):
        required = set(REQUIRED)
        if not required <= set((base / "cgroup.controllers").read_text().split()):
            return False
        if not required <= set((base / "cgroup.subtree_control").read_text().split()):
            _step_aside(base)
            (base / "cgroup.subtree_control").write_text("+memory +pids")
        with suppress(OSError):
            (base / "cgroup.subtree_control").write_text("+cpu")
        trial = base / f"{PREFIX}-{os.getpid()}-trial"
        trial.mkdir()
        trial.rmdir()
        return True
    return False


def _step_aside(base: Path) -> None:
    """Leave a group for a child of it: one that hands controllers down may hold no process.

    Only where this process is alone in it, as in a scope of its own: other people's processes
    are not ours to move.
    """
    pid = str(os.getpid())
    if (base / "cgroup.procs").read_text().split() == [pid]:
        (base / ASIDE).mkdir(exist_ok=True)
        (base / ASIDE / "cgroup.procs").write_text(pid)


def _version_1(mounted: list[tuple[Path, str, str]]) -> tuple[Hierarchy, ...]:
    bases: dict[Path, set[str]] = {}
    for controller in (*REQUIRED, *OPTIONAL):
        for mount, kind, options in mounted:
            if kind == "cgroup" and controller in options.split(","):
                own = mount / own_path(controller).lstrip("/")
                base = own if own.is_dir() else mount
                if os.access(base, os.W_OK):
                    bases.setdefault(base, set()).add(controller)
                    break
    if not set(REQUIRED) <= set().union(*bases.values()):
        return ()
    return tuple(Hierarchy(base, 1, frozenset(names)) for base, names in bases.items())


def mounts() -> Iterator[tuple[Path, str, str]]:
    """Yield the mounted control group trees: path, kind, options."""
    with suppress(OSError):
        for line in Path("/proc/self/mounts").read_text().splitlines():
            _, path, kind, options, *_ = line.split(" ")
            if kind in ("cgroup", "cgroup2"):
                yield Path(path), kind, options


def own_path(controller: str, pid: int | None = None) -> str:
    """Return the group of this process, or another, for a controller ("" for version 2)."""
    for line in Path(f"/proc/{pid or 'self'}/cgroup").read_text().splitlines():
        _, controllers, path = line.split(":", 2)
        if controller in controllers.split(","):
            return path
    return "/"


def sweep(base: Path) -> None:
    """Remove the groups of runs that were killed before they could.

    Only an empty group can be removed, and only for a moment is a new one empty. One that may be
    empty for longer, while a bot is started again, is `claimed` by its referee. There is no other
    way to tell whose it is, since another container, with process numbers of its own, may share
    this tree.
    """
    for folder in base.glob(f"{PREFIX}-*"):
        with suppress(OSError):
            if time.time() - folder.stat().st_ctime > ABANDONED:
                sweep(folder)
                os.close(claimed(folder))
                folder.rmdir()


def claimed(folder: Path) -> int:
    """Claim a group until the returned descriptor is closed, as when this process is killed.

    Raises `OSError` where another process has it, or there is none.
    """
    descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        os.close(descriptor)
        raise
    return descriptor


def remove(folder: Path) -> None:
    """Remove a group whose processes have ended, or are about to."""
    for pause in (0.0, 0.001, 0.01, 0.05, 0.2):  # the kernel may lag behind the last exit
        time.sleep(pause)
        with suppress(OSError):
            folder.rmdir()
            return


USAGE_2 = b"usage_usec "
"""The beginning of version 2's cpu.stat; version 1's cpuacct.usage is nanoseconds alone."""


class Group:
    """One sandbox's control group, which counts and bounds the pilot and all that it starts."""

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
        with suppress(OSError):  # not every kernel can
            if self._version == 2:
                (home / "memory.reclaim").write_bytes(b"1G")
            else:
                (home / "memory.force_empty").write_bytes(b"0")
        with suppress(OSError):
            os.pwrite(self._peak, b"0", 0)

    def out_of_memory(self) -> bool:
        """Return whether the kernel has killed for memory in this group since the last call."""
        events = os.pread(self._events, 4096, 0)
        if events == self._seen:
            return False
        self._seen = events
        counts = dict(line.split() for line in events.splitlines())
        before, self._kills = self._kills, int(counts.get(b"oom_kill", 0))
        return self._kills > before

    def computed(self) -> int | None:
        """Return the microseconds that all processes of this group have computed, ended ones too.

        None where they are not counted.
        """
        if self._usage < 0:
            return None
        text = os.pread(self._usage, 4096, 0)
        if text.startswith(USAGE_2):
            return int(text[len(USAGE_2) : text.index(b"\n")])
        return int(text) // 1000

    def peak(self) -> int:
        """Return the most bytes in use at once, 0 if the kernel does not record it."""
        return int(os.pread(self._peak, 4096, 0)) if self._peak >= 0 else 0

    def remove(self) -> None:
        for descriptor in (self._events, self._peak, self._usage):
            if descriptor >= 0:
                os.close(descriptor)
        for folder in set(self._folders.values()):
            remove(folder)


def new_group() -> Group | None:
    """Make a group, still without bounds; return None if this machine does not allow it."""
    if not (trees := hierarchies()):
        return None
    name = f"{PREFIX}-{secrets.token_hex(8)}"
    folders: dict[str, Path] = {}
    try:
        for hierarchy in trees:
            folder = hierarchy.base / name
            folder.mkdir()
            folders |= dict.fromkeys(hierarchy.controllers, folder)
        if niceness and "cpu" in folders:
            _set(folders["cpu"], "cpu.weight.nice", niceness, needed=False)
            _set(folders["cpu"], "cpu.shares", round(1024 / 1.25**niceness), needed=False)
        return Group(folders, trees[0].version)
    except OSError:
        for folder in set(folders.values()):
            remove(folder)
        return None


def _set(folder: Path, name: str, value: int, *, needed: bool = True) -> None:
    path = folder / name
    if needed or path.exists():
        path.write_text(str(value))


def _opened(path: Path) -> int:
    """Open a file for reading, and for writing if possible; return -1 if there is none."""
    for mode in (os.O_RDWR, os.O_RDONLY):
        with suppress(OSError):
            return os.open(path, mode | os.O_CLOEXEC)
    return -1


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
        """Do nothing: the maker of the group has put the process in."""

    def out_of_memory(self) -> bool:
        try:
            killed = super().out_of_memory()
        except OSError:
            return self._ask_maker(self._looked)
        self._looked = time.time()
        return killed

    def remove(self) -> None:
        self._folders = {}
        super().remove()


def adopted(pid: int, ask_maker: Callable[[float], bool]) -> Group | None:
    """Return the group of a process (its number on the host), or None if it can't be read.

    `ask_maker` is as in `Adopted`.
    """
    folders: dict[str, Path] = {}
    version = 1
    try:
        for mount, kind, options in mounts():
            names = {""} if kind == "cgroup2" else {*REQUIRED, *OPTIONAL} & {*options.split(",")}
            folders |= {name: mount / own_path(name, pid).lstrip("/") for name in names}
        if "memory" not in folders:
            folders, version = {"memory": folders[""]}, 2
        return Adopted(folders, version, ask_maker)
    except (OSError, KeyError):
        return None


SCOPE = "start the arena with `systemd-run --user --scope -p Delegate=yes arena ...`"
HANDED_DOWN = (
    "have systemd hand the processor down to users: put `[Service]` and `Delegate=cpu cpuset io"
    " memory pids` into /etc/systemd/system/user@.service.d/delegate.conf, log in again, and"
    f" {SCOPE}"
)
VERSION_2 = "start Linux with systemd.unified_cgroup_hierarchy=1, for cgroup v2"
VERSION_1 = f"run as root, or {VERSION_2}"
NO_TREE = (
    "have control groups mounted, writable: in a container, start it with --privileged or with"
    " --cgroupns=host -v /sys/fs/cgroup:/sys/fs/cgroup:rw, and run as root in it"
)


def groups_fix() -> str:
    """Return how to get control groups here, or more of them."""
    kinds = {kind for _, kind, _ in mounts()}
    if kinds == {"cgroup2"} and os.geteuid():
        return HANDED_DOWN if hierarchies() else SCOPE
    return VERSION_1 if "cgroup" in kinds and os.geteuid() else NO_TREE


def freezer_fix() -> str:
    """Return how to get a freezer here."""
    kinds = {kind for _, kind, _ in mounts()}
    if kinds and "cgroup2" not in kinds:
        return VERSION_2
    return SCOPE if kinds and os.geteuid() else NO_TREE


# Stopping a bot between its turns: a bot that is not asked does not think.
#
# Where there is a control group tree of version 2, its freezer holds the bot and all that it
# started: nothing inside can undo that. Elsewhere the pilot sends SIGSTOP to everything in its
# namespace, which costs its own waking up. A program that wakes its helpers at the right moment
# can get round it; what they then compute counts in its next answer.
#
# The freezer of version 2 costs 13 µs a turn and signals 30 µs, more for a bot with many
# processes. The freezer of version 1 is not used: it takes 80 µs a change, and frozen processes
# can't be killed.


FREEZER, SIGNALS = "cgroup v2 freezer", "the pilot's SIGSTOP"
"""The means that stop a bot between its turns, as `arena doctor` names them."""
FROZEN, FREE = b"1", b"0"


class Suspender(Protocol):
    """Stops all of a bot's processes, and continues them."""

    def suspend(self) -> None: ...

    def resume(self, seconds: float) -> None:
        """Continue them, waiting at most this number of seconds for the program that does it."""


class Freezer:
    """A control group for the bot's processes alone, below the pilot's own.

    `groups` are the descriptors by which the pilot moves into the group, for as long as it takes to
    start the bot there, and back out: it must not be frozen itself, since it ends the sandbox when
    the referee is gone.
    """

    def __init__(self, home: Path) -> None:
        self._folder = home / f"{PREFIX}-{secrets.token_hex(8)}"
        self._folder.mkdir()
        opened: list[int] = []
        try:
            opened.append(claimed(self._folder))
            names = "cgroup.freeze", "cgroup.procs", "../cgroup.procs"
            for path in (self._folder / name for name in names):
                opened.append(os.open(path, os.O_RDWR | os.O_CLOEXEC))
        except OSError:
            for descriptor in opened:
                os.close(descriptor)
            self._folder.rmdir()
            raise
        self._claim, self._state, *groups = opened
        self.groups = tuple(groups)

    def suspend(self) -> None:
        os.pwrite(self._state, FROZEN, 0)

    def resume(self, seconds: float = 0.0) -> None:  # noqa: ARG002 - the kernel does it at once
        os.pwrite(self._state, FREE, 0)

    def is_occupied(self) -> bool:
        """Return whether the bot was really started in the group: older kernels let no pilot in."""
        return bool((self._folder / "cgroup.procs").read_bytes())

    def remove(self) -> None:
        for descriptor in (self._claim, self._state, *self.groups):
            os.close(descriptor)
        remove(self._folder)


def freezer_below(pid: int) -> Freezer | None:
    """Return a freezer below the group of a process (its number on the host), or None."""
    if (mount := _mount()) is None:
        return None
    try:
        group = mount / own_path("", pid).lstrip("/")
        if not group.name.startswith(PREFIX):  # a sandbox's own group is new and empty
            _sweep_once(group)
        return Freezer(group)
    except OSError:
        return None


@cache
def _mount() -> Path | None:
    """Return where the tree of version 2 is mounted, with or without the required controllers."""
    return next((mount for mount, kind, _ in mounts() if kind == "cgroup2"), None)


_sweep_once = cache(sweep)
"""Removes what killed runs left, once per process and place."""
