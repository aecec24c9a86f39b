"""The files of /proc in a sandbox: all that there is besides its own processes.

Everything else in /proc describes the whole machine. Programs ask these files how many processors
and how much memory there are; each says the same to every bot, whatever others do.
"""

# Without pathlib, which would double the start of a sandbox:
# ruff: noqa: PTH123

from __future__ import annotations

PROCESSES = "/proc/pids"
"""Where the kernel shows the sandbox's processes, by their numbers."""
LINKS = {"self": "pids/self", "thread-self": "pids/thread-self", "mounts": "self/mounts"}

MEMORY = b"""\
MemTotal:        1048576 kB
MemFree:          786432 kB
MemAvailable:     917504 kB
Buffers:               0 kB
Cached:           131072 kB
SwapCached:            0 kB
Active:           131072 kB
Inactive:          65536 kB
SwapTotal:             0 kB
SwapFree:              0 kB
Dirty:                 0 kB
Writeback:             0 kB
AnonPages:         65536 kB
Mapped:            65536 kB
Shmem:                 0 kB
Slab:              65536 kB
CommitLimit:      524288 kB
Committed_AS:     131072 kB
HugePages_Total:       0
HugePages_Free:        0
Hugepagesize:       2048 kB
"""
"""The memory of a machine that does not exist: runtimes ask for it, and the real one's free memory
is exact enough to send messages by."""
COPIED = ("filesystems", "version", "sys/kernel/cap_last_cap", "sys/kernel/osrelease")
"""Files that never change while the machine runs."""
FIXED = {
    "meminfo": MEMORY,
    "loadavg": b"0.00 0.00 0.00 1/1 2\n",
    "uptime": b"0.00 0.00\n",
    "cgroups": b"#subsys_name\thierarchy\tnum_cgroups\tenabled\n",
    "sys/kernel/pid_max": b"32768\n",
    "sys/vm/overcommit_memory": b"0\n",
}
PROCESSOR, SPEED = b"processor", b"cpu MHz"


def contents() -> dict[str, bytes]:
    """Return the content of each file by its path in /proc; some are the machine's own."""
    texts = dict(FIXED)
    lines = _read("cpuinfo").splitlines(keepends=True)
    # the speed of a processor depends on what others ask of it
    texts["cpuinfo"] = b"".join(
        b"cpu MHz\t\t: 1000.000\n" if line.startswith(SPEED) else line for line in lines
    )
    processors = [b"%d" % n for n in range(sum(line.startswith(PROCESSOR) for line in lines))]
    texts["stat"] = b"".join(b"cpu%s 0 0 0 0 0 0 0 0 0 0\n" % name for name in (b"", *processors))
    return texts | {name: _read(name) for name in COPIED}


def _read(name: str) -> bytes:
    with open(f"/proc/{name}", "rb") as file:
        return file.read()
