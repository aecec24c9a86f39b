"""The inside of a box, made by the kernel's own calls: namespaces, mounts, and no power left.

A process that may do it (`sandbox.inside.zygote`) goes through `enter`, and what it starts
afterwards is in a box of its own: processes, network and queues of its own, a new /proc in which it
sees nobody else, a new /tmp. By the small C module below ctypes, as in `sandbox.inside.hardening`.
"""

# Without pathlib, which would double the start of a box:
# ruff: noqa: PTH102, PTH116, PTH123

from __future__ import annotations

import _ctypes
import os
import stat
import struct

from sandbox.inside.masked_paths import MASKED, made_up

NEW_MOUNTS, NEW_QUEUES, NEW_PROCESSES, NEW_NETWORK = 0x20000, 0x8000000, 0x20000000, 0x40000000
READ_ONLY, NO_SUID, NO_DEVICES, NO_PROGRAMS = 1, 2, 4, 8
REMOUNT, BIND, DETACH = 32, 4096, 2
BOT, SCRATCH, PROC, ARENA = "/bot", "/tmp", "/proc", "/arena"
"""Where a bot's files lie, where it may write, where it sees its processes, and where the pilot
came from: a bot finds there what belongs into its /etc and lies over parts of its /proc."""
PID_COUNTER = f"{PROC}/sys/kernel/ns_last_pid"

OWN_FILES = {
    "passwd": b"bot:x:1000:1000::/tmp:/bin/sh\n",
    "group": b"bot:x:1000:\n",
    "nothing": b"",
}
MADE_UP = made_up()
"""Read once by the zygote: on a machine with many processors it takes its time."""
NO_FOLDER = "empty"

CAPABILITIES = struct.Struct("II6I")
VERSION_3 = 0x20080522
SYS_PTRACE, CHECKPOINT_RESTORE = 19, 40
KEPT = 1 << SYS_PTRACE | 1 << CHECKPOINT_RESTORE
"""A pilot's capabilities in its box: to see hidden processes, and to set process numbers."""

LIBRARY = _ctypes.dlopen("", 0)


class Refused(OSError):
    """The kernel did not let us make a box; the message says what it refused."""


def call(name: str, *arguments: int | bytes) -> None:
    """Call the C library; raises `Refused`."""
    if _ctypes.call_function(_ctypes.dlsym(LIBRARY, name), arguments):
        shown = " ".join(str(each) for each in arguments if each)
        raise Refused(f"{name}({shown}) was refused")


def mount(source: str, target: str, kind: str = "", flags: int = 0, options: str = "") -> None:
    """Mount something; raises `Refused`."""
    call("mount", os.fsencode(source), os.fsencode(target), kind.encode(), flags, options.encode())


def detach(target: str) -> None:
    """Detach a mount, even if it is still in use; raises `Refused`."""
    call("umount2", os.fsencode(target), DETACH)


def mount_scratch(target: str, size: int, files: int) -> None:
    """Mount an empty file system in memory, for at most these bytes and files."""
    options = f"size={size},nr_inodes={files},mode=0755"
    mount("tmpfs", target, "tmpfs", NO_SUID | NO_DEVICES, options)


def close_to_writers(target: str, flags: int = 0) -> None:
    """Make a mount read-only."""
    mount("", target, "", REMOUNT | BIND | READ_ONLY | NO_SUID | NO_DEVICES | flags)


def fork_inside() -> int:
    """Fork a process that is the first of its own process namespace; 0 in that one.

    Raises `Refused` in the other one, whose own namespace stays what it was.
    """
    own = os.open(f"{PROC}/self/ns/pid", os.O_RDONLY | os.O_CLOEXEC)
    try:
        call("unshare", NEW_PROCESSES)
        pid = os.fork()
        if pid:
            call("setns", own, NEW_PROCESSES)
        return pid
    finally:
        os.close(own)


def enter(scratch: int, files: int) -> int:
    """Make a box around this process, the first of its namespace; raises `Refused`.

    `scratch` and `files` bound what its /tmp takes. Gives a descriptor by which the numbers of
    processes are set, -1 where the kernel has none.
    """
    call("unshare", NEW_MOUNTS | NEW_NETWORK | NEW_QUEUES)
    masks = [(name, kind) for name in MASKED if (kind := _kind(f"{PROC}/{name}"))]
    flags = NO_SUID | NO_DEVICES | NO_PROGRAMS
    # Of the /proc below, since the one above can't be written to; it counts for the writer.
    counter = _opened(PID_COUNTER)
    # A bot does not see its pilot there, whose numbers would count its questions.
    mount("proc", PROC, "proc", flags, "hidepid=2")
    detach(ARENA)
    mount_scratch(ARENA, 1 << 20, 64)
    for name, content in (*OWN_FILES.items(), *MADE_UP.items()):
        with open(f"{ARENA}/{name}", "wb") as file:
            file.write(content)
    os.mkdir(f"{ARENA}/{NO_FOLDER}")
    close_to_writers(ARENA)
    for name, kind in (*masks, *((name, name) for name in MADE_UP)):
        mount(f"{ARENA}/{kind}", f"{PROC}/{name}", "", BIND)
    close_to_writers(PROC, NO_PROGRAMS)
    mount_scratch(SCRATCH, scratch, files)
    return counter


def drop_power() -> None:
    """Drop the capabilities for making a box, and keep only those for watching over it."""
    low, high = KEPT & 0xFFFFFFFF, KEPT >> 32
    call("capset", *_halves(low, high))


def _halves(low: int, high: int) -> tuple[bytes, bytes]:
    whole = CAPABILITIES.pack(VERSION_3, 0, low, low, 0, high, high, 0)
    return whole[:8], whole[8:]


def _kind(path: str) -> str:
    """What lies over a file or folder of /proc; empty where there is none to be read."""
    try:
        mode = os.stat(path).st_mode
    except OSError:
        return ""
    if stat.S_ISDIR(mode):
        return NO_FOLDER
    return "nothing" if mode & stat.S_IROTH else ""


def _opened(path: str) -> int:
    try:
        return os.open(path, os.O_WRONLY | os.O_CLOEXEC)
    except OSError:
        return -1
