"""The places on this machine for control groups, and cleaning up after killed runs.

Version 2 works for root and for an ordinary user whose system hands a subtree down (`systemd-run
--user --scope -p Delegate=yes`); version 1 works for root.
"""

from __future__ import annotations

import fcntl
import os
import time
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from pathlib import Path

PREFIX = "card-arena"
ASIDE = "referee"
"""The group that a referee moves into to make room for its boxes; its workers begin there."""
REQUIRED = ("memory", "pids")
OPTIONAL = ("cpu", "cpuacct")
ABANDONED = 60.0
"""Seconds after which an empty group is an abandoned one; a box fills its own within a few."""


@dataclass(frozen=True)
class Hierarchy:
    """A directory of the control group tree in which this process may make groups."""

    base: Path
    version: int
    controllers: frozenset[str]


@cache
def hierarchies() -> tuple[Hierarchy, ...]:
    """Where groups with memory and processes can be made here; empty if nowhere.

    Looked up once per process; groups that a killed run left behind are removed on the way.
    """
    mounted = list(mounts())
    for find in (_version_2, _version_1):
        found = find(mounted)
        if found:
            for hierarchy in found:
                sweep(hierarchy.base)
            return found
    return ()


def times_are_counted() -> bool:
    """Return whether a group here counts the CPU time of all its processes."""
    return any(tree.version == 2 or "cpuacct" in tree.controllers for tree in hierarchies())


def times_are_shared() -> bool:
    """Return whether a group here has its own share of the processor, as large as any other's."""
    return any("cpu" in tree.controllers for tree in hierarchies())


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
        wanted = set(REQUIRED)
        if not wanted <= set((base / "cgroup.controllers").read_text().split()):
            return False
        if not wanted <= set((base / "cgroup.subtree_control").read_text().split()):
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
    inside = (base / "cgroup.procs").read_text().split()
    if inside == [str(os.getpid())]:
        referee = base / ASIDE
        referee.mkdir(exist_ok=True)
        (referee / "cgroup.procs").write_text(inside[0])


def _version_1(mounted: list[tuple[Path, str, str]]) -> tuple[Hierarchy, ...]:
    found: dict[Path, set[str]] = {}
    for controller in (*REQUIRED, *OPTIONAL):
        for mount, kind, options in mounted:
            if kind == "cgroup" and controller in options.split(","):
                own = mount / own_path(controller).lstrip("/")
                base = own if own.is_dir() else mount
                if os.access(base, os.W_OK):
                    found.setdefault(base, set()).add(controller)
                    break
    if not set(REQUIRED) <= set().union(*found.values()):
        return ()
    return tuple(Hierarchy(base, 1, frozenset(names)) for base, names in found.items())


def mounts() -> Iterator[tuple[Path, str, str]]:
    """The mounted control group trees: where, kind, options."""
    with suppress(OSError):
        for line in Path("/proc/self/mounts").read_text().splitlines():
            _, where, kind, options, *_ = line.split(" ")
            if kind in ("cgroup", "cgroup2"):
                yield Path(where), kind, options


def own_path(controller: str, pid: int | None = None) -> str:
    """The group of this process, or another, in the tree of a controller ("" for version 2)."""
    for line in Path(f"/proc/{pid or 'self'}/cgroup").read_text().splitlines():
        _, controllers, path = line.split(":", 2)
        if controller in controllers.split(","):
            return path
    return "/"


def sweep(base: Path) -> None:
    """Remove the groups of runs that were killed before they could.

    Only an empty group can be removed, and only for a moment is a new one empty. One that may be
    empty for longer, while a bot is started anew, is `claimed` by its referee. There is no other
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
    """Claim a group until the descriptor given is closed, as it is when this process is killed.

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
