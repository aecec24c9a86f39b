"""What is covered in a container: all of /proc that is not on a list, and a few folders."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from sandbox.inside.proc_files import COPIED, LINKS

MADE_UP = ("cpuinfo", "meminfo", "stat", "loadavg", "uptime")
"""Files of /proc in whose places an engine lets others be mounted."""
SEEN_IN_PROC = {*MADE_UP, *COPIED, *LINKS, "net"}
OF_PILOT = tuple(
    f"/proc/1/{folder}{name}"
    for folder in ("", "task/1/")
    for name in (
        *("stat", "statm", "status", "sched", "schedstat", "wchan", "latency"),
        *("arch_status", "autogroup", "oom_score", "children"),
    )
)
"""The pilot's entries in /proc, which change with every question that it hands on."""
COVERED_FOLDERS = (
    "/sys",
    "/dev/console",
    "/dev/mqueue",
    "/dev/ptmx",
    "/dev/pts",
    "/dev/shm",
)


@cache
def covered() -> tuple[str, ...]:
    """Return the paths that are covered by something empty: all of /proc that is not on a list.

    A container shares the kernel with this process, and so the names in /proc.
    """
    names = (path.name for path in Path("/proc").iterdir() if not path.name.isdigit())
    of_machine = (f"/proc/{name}" for name in names if name not in SEEN_IN_PROC)
    return (*of_machine, *OF_PILOT, *COVERED_FOLDERS)
