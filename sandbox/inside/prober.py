"""The doctor's bot, which tries to get out of its sandbox and prints what was refused.

It runs under the sandbox's own python3, alone, so it is standard library only. Its first word says
what to do; what is done to it meanwhile, and what it leaves, is the referee's to judge.
"""

# What each look is after, `sandbox.guarantees` says.

from __future__ import annotations

import ctypes
import fcntl
import mmap
import os
import signal
import socket
import sys
import tempfile
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

MIB = 1 << 20
MAP_NORESERVE = 0x4000
NEW_USER_NAMESPACE = 0x10000000
MOST_PROCESSES, MOST_TMP, MOST_FILES = 40, 4, 5000
"""More than the doctor allows: processes, MiB, files."""
HELPERS, SHARE = 5, 20
"""The number of helpers, and the MiB of each; together they are over the doctor's limit."""
HELP = "0.1"
"""Seconds that a helper computes for a living bot, and another that ends without a parent."""
TABLE = 2 * MIB
"""The bytes of a mapping for which the kernel needs one more page of page tables."""

MAPPED_ONCE = 1 << 56
"""In /proc/self/pagemap: no other process maps this page."""
MOMENT = 0.03
"""Seconds, in which a machine's uptime grows."""
PROCESSES = "/proc/pids" if Path("/proc/pids").exists() else "/proc"
"""Where the kernel shows processes."""

libc = ctypes.CDLL(None, use_errno=True)
scratch = Path(tempfile.gettempdir())
held: list[mmap.mmap] = []


def refused(attempt: Callable[[], object]) -> bool:
    try:
        attempt()
    except OSError:
        return True
    return False


def no_network(port: str) -> bool:
    with suppress(OSError):
        caller = socket.socket(socket.AF_INET)
        caller.settimeout(1)
        alone = {name for _, name in socket.if_nameindex()} <= {"lo"}
        return alone and refused(lambda: caller.connect(("127.0.0.1", int(port))))
    return True


def own_sockets(name: str) -> bool:
    caller = socket.socket(socket.AF_UNIX)
    return refused(lambda: caller.connect(f"\0{name}"))


def own_processes(_: str) -> bool:
    return sum(name.name.isdigit() for name in Path(PROCESSES).iterdir()) <= 3


def own_files(paths: str) -> bool:
    return not any(Path(path).exists() for path in paths.split(":"))


def read_only(_: str) -> bool:
    mounted = {line.split()[1] for line in Path("/proc/self/mounts").read_text().splitlines()}
    places = {Path(place) for place in (*mounted, "/", "/bot", "/etc", "/var/tmp", "/dev", "/root")}
    return not any(place.is_dir() and os.access(place, os.W_OK) for place in places - {scratch})


def filtered(_: str) -> bool:
    return "Seccomp:\t2" in Path("/proc/self/status").read_text()


def no_privileges(_: str) -> bool:
    facts = dict(line.split(":\t") for line in Path("/proc/self/status").read_text().splitlines())
    if facts["NoNewPrivs"] != "1" or int(facts["CapEff"], 16):
        return False
    child = os.fork()  # where it is let, it is another user afterwards
    if child == 0:
        os._exit(libc.unshare(NEW_USER_NAMESPACE) == 0)
    return os.waitpid(child, 0)[1] == 0


def no_shared_memory(_: str) -> bool:
    memory, queue = libc.shmget(0, 4096, 0o600), libc.msgget(0, 0o600)
    if memory >= 0:
        libc.shmctl(memory, 0, None)
    if queue >= 0:
        libc.msgctl(queue, 0, None)
    return memory < 0 and queue < 0 and not os.access("/dev/shm", os.W_OK)


def no_locks(_: str) -> bool:
    with Path(__file__).open() as file:
        locked = refused(lambda: fcntl.flock(file, fcntl.LOCK_SH))
        return locked and libc.inotify_init() < 0


def no_host_counters(_: str) -> bool:
    names = ("stat", "loadavg", "uptime", "vmstat", "locks", "cgroups", "interrupts", "meminfo")
    before, after = dict[str, bytes](), dict[str, bytes]()
    for texts in (before, after):
        for name in names:
            with suppress(OSError):
                texts[name] = Path("/proc", name).read_bytes()
        time.sleep(MOMENT)
    return before == after


def no_count(_: str) -> bool:
    return os.getpid() == 2


def nothing_kept(token: str) -> bool:
    return not any((folder / token).exists() for folder in (scratch, Path("/tmp")))


def few_processes(_: str) -> bool:
    children: list[int] = []
    with suppress(OSError):
        while len(children) < MOST_PROCESSES:
            child = os.fork()
            if child == 0:
                signal.pause()
            children.append(child)
    for child in children:
        os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)
    return len(children) < MOST_PROCESSES


def small_tmp(_: str) -> bool:
    with tempfile.TemporaryDirectory() as folder:
        return refused(lambda: fill(Path(folder), MOST_TMP, bytes(MIB)))


def few_files(_: str) -> bool:
    with tempfile.TemporaryDirectory() as folder:
        return refused(lambda: fill(Path(folder), MOST_FILES, b""))


def fill(folder: Path, files: int, content: bytes) -> None:
    for number in range(files):
        (folder / str(number)).write_bytes(content)


LOOKS: dict[str, Callable[[str], bool]] = {
    "filter": filtered,
    "processes": few_processes,
    **{
        look.__name__.replace("_", "-"): look
        for look in (
            *(no_network, own_sockets, own_processes, own_files, read_only, no_privileges),
            *(no_shared_memory, no_locks, no_host_counters, no_count, nothing_kept),
            *(small_tmp, few_files),
        )
    },
}
"""The guarantees that one process can test by itself; each gets the word after its name."""


def look(*words: str) -> None:
    """Try what these pairs of a name and a word say, and print the names of what is closed."""
    pairs = zip(words[::2], words[1::2], strict=True)
    print(" ".join(name for name, word in pairs if LOOKS[name](word)))


def spin(seconds: str = "inf") -> None:
    while time.process_time() < float(seconds):
        pass


def sleep() -> None:
    signal.pause()


def flood() -> None:
    while True:
        os.write(1, b"x" * 4096)


def hoard(kind: str) -> None:
    """Have helpers take more memory than all may have together, and none of them too much."""
    for _ in range(HELPERS):
        ready, done = os.pipe()
        if os.fork() == 0:
            taken = b"x" * (SHARE * MIB) if kind == "memory" else page_tables(SHARE * MIB)
            os.write(done, taken[:1])
            signal.pause()
        os.close(done)
        os.read(ready, 1)
    end = time.monotonic() + 1  # without control groups, memory is measured now and then
    while time.monotonic() < end:
        with suppress(ChildProcessError):
            if os.waitpid(-1, os.WNOHANG)[0]:
                sys.exit("a helper was killed")
        time.sleep(0.01)
    print("full")


def page_tables(size: int) -> mmap.mmap:
    """Take so much memory for nothing but page tables: what is mapped is never written."""
    mapped = size // mmap.PAGESIZE * TABLE
    flags = mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS | MAP_NORESERVE
    mapping = mmap.mmap(-1, mapped, flags, mmap.PROT_READ)
    for place in range(0, mapped, TABLE):
        mapping[place]
    return mapping


def leave() -> None:
    """Leave a process behind that has lost its parent."""
    if os.fork() == 0:
        os.setsid()
        if os.fork() == 0:
            time.sleep(60)
        os._exit(0)
    os.wait()
    print("left")


def write(token: str) -> None:
    """Leave a file in every place where one may."""
    for folder in (scratch, Path("/tmp")):
        with suppress(OSError):
            (folder / token).touch()
    print("written")


def tamper() -> None:
    """Reach for the process that judges this one, and say so if that failed."""
    pilot = os.getppid()
    entries = [Path(f"{PROCESSES}/{pilot}/{name}") for name in ("environ", "maps")]
    closed = all(refused(entry.read_bytes) for entry in entries)
    with suppress(OSError):
        os.kill(pilot, signal.SIGKILL)
    time.sleep(0.05)
    print("closed" if closed and os.getppid() == pilot else "open")


def wander() -> None:
    """Try to move to any processor, and say on how many this process may be."""
    with suppress(OSError):
        os.sched_setaffinity(0, range(1024))
    print(len(os.sched_getaffinity(0)))


def own_system() -> str:
    """Give the disks that this sandbox has files from, and whether it maps a page of theirs alone.

    What is mapped stays so: it is a file that no python3 maps by itself.
    """
    virtual = {"proc", "tmpfs", "devtmpfs", "devpts", "mqueue", "sysfs", "cgroup", "cgroup2"}
    mounts = [line.split() for line in Path("/proc/self/mountinfo").read_text().splitlines()]
    disks = {fields[2] for fields in mounts if fields[fields.index("-") + 1] not in virtual}
    library = Path(os.__file__).parent
    modules = [path for path in library.glob("*.py") if path.is_file()]
    largest = max(modules, key=lambda path: path.stat().st_size)
    with largest.open("rb") as file:
        mapping = mmap.mmap(file.fileno(), 0, mmap.MAP_SHARED, mmap.PROT_READ)
    held.append(mapping)
    mapping[0]
    lines = Path("/proc/self/maps").read_text().splitlines()
    first = next(int(line.partition("-")[0], 16) for line in lines if line.endswith(largest.name))
    with Path("/proc/self/pagemap").open("rb", buffering=0) as table:
        table.seek(first // mmap.PAGESIZE * 8)
        alone = int.from_bytes(table.read(8), sys.byteorder) & MAPPED_ONCE
    return " ".join(["alone" if alone else "together", *sorted(disks)])


def live() -> None:
    """Answer line by line, as a bot that has helpers."""
    helper = 0
    for line in sys.stdin:
        match line.strip():
            case "help":
                done, say_so = os.pipe()
                if os.fork() == 0:
                    spin(HELP)
                    os.write(say_so, b"x")
                    signal.pause()
                os.read(done, 1)
                answer = ""
            case "help and end":
                done, held = os.pipe()
                child = os.fork()
                if child == 0:
                    if os.fork() == 0:
                        spin(HELP)
                    os._exit(0)
                os.close(held)
                os.waitpid(child, 0)
                os.read(done, 1)  # nothing is written: it ends when the helper does
                answer = ""
            case "system":
                answer = own_system()
            case "grow":
                answer = str(len(b"x" * (SHARE * MIB)))
            case _:
                helper = helper or start_helper()  # and say how long it has computed
                fields = Path(f"{PROCESSES}/{helper}/stat").read_text().rpartition(")")[2].split()
                answer = str(sum(map(int, fields[11:13])))
        print(answer, flush=True)


def start_helper() -> int:
    if (helper := os.fork()) == 0:
        spin()
    return helper


DEEDS: dict[str, Callable[..., None]] = {
    deed.__name__: deed
    for deed in (*(look, spin, sleep, flood, hoard, leave, write, tamper, wander, live),)
}

if __name__ == "__main__":
    deed, *words = sys.argv[1:] or ["live"]
    DEEDS[deed](*words)
