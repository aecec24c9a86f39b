"""What of /proc is covered in a box, and by what: nothing, or a text that says the same to all.

A box has a /proc of its own, but only processes are its own in there; the rest is the machine's.
"""

# Without pathlib, which would double the start of a box:
# ruff: noqa: PTH123

from __future__ import annotations

MASKED = (
    *("stat", "loadavg", "uptime", "vmstat", "interrupts", "softirqs", "diskstats", "schedstat"),
    *("timer_list", "kallsyms", "keys", "key-users", "locks", "kcore", "zoneinfo", "buddyinfo"),
    *("swaps", "pagetypeinfo", "slabinfo", "pressure", "latency_stats", "sched_debug"),
    # how many groups there are, what file systems and drivers count, what is in use
    *("cgroups", "fs", "irq", "bus", "driver", "scsi", "acpi", "asound", "mdstat", "modules"),
    *("crypto", "partitions", "vmallocinfo", "sys/fs"),
    *("sys/kernel/pty", "sys/kernel/random/entropy_avail"),
)
"""Files and folders of /proc in which one box could see what another does."""
PILOTS = tuple(
    f"1/{folder}{name}"
    for folder in ("", "task/1/")
    for name in (
        *("stat", "statm", "status", "sched", "schedstat", "wchan", "latency"),
        *("arch_status", "autogroup", "oom_score", "children"),
    )
)
"""Those of the box's first process, which grow with every question that it hands on."""
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
"""The memory of a machine that there is not: runtimes ask for it, and the real one's free memory is
exact enough to talk by."""


def made_up() -> dict[str, bytes]:
    """What files of /proc say in every box, by their names; read on the machine itself."""
    texts = {"meminfo": MEMORY}
    with open("/proc/cpuinfo", "rb") as file:
        lines = file.read().splitlines(keepends=True)
    # how fast a processor runs at the moment is what others ask of it
    texts["cpuinfo"] = b"".join(
        b"cpu MHz\t\t: 1000.000\n" if line.startswith(b"cpu MHz") else line for line in lines
    )
    return texts
