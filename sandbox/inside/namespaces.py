"""The inside of a sandbox, made by the kernel's own calls: namespaces, mounts, and no power left.

A process that may do it (`sandbox.inside.zygote`) goes through `enter`, and what it starts
afterwards is in a sandbox of its own: processes, network and queues of its own, a new /proc in
which it sees nobody else, a new /tmp. By the small C module below ctypes, as in
`sandbox.inside.hardening`.

Of /proc a sandbox has what `sandbox.inside.proc_files` lists, and the entries of its own processes.
Nothing else of the kernel's is mounted.
"""

# Without pathlib, which would double the start of a sandbox:
# ruff: noqa: PTH102, PTH103, PTH120, PTH123, PTH211

from __future__ import annotations

import _ctypes
import os
import struct

from card_arena.sandbox.inside.proc_files import LINKS, PROCESSES, contents

NEW_MOUNTS, NEW_QUEUES, NEW_PROCESSES, NEW_NETWORK = 0x20000, 0x8000000, 0x20000000, 0x40000000
READ_ONLY, NO_SUID, NO_DEVICES, NO_PROGRAMS = 1, 2, 4, 8
REMOUNT, BIND, DETACH = 32, 4096, 2
RECURSIVE, SLAVE, SHARED = 1 << 14, 1 << 19, 1 << 20
BOT, SCRATCH, PROC, ARENA = "/bot", "/tmp", "/proc", "/arena"
"""Where a bot's files lie, where it may write, where it sees its processes, and where the pilot
came from: a bot finds there what belongs into its /etc."""
PID_COUNTER = f"{PROC}/sys/kernel/ns_last_pid"

OWN_FILES = {
    "passwd": b"bot:x:1000:1000::/tmp:/bin/sh\n",
    "group": b"bot:x:1000:\n",
}

CAPABILITIES = struct.Struct("II6I")
VERSION_3 = 0x20080522
SYS_PTRACE, CHECKPOINT_RESTORE = 19, 40
KEPT = 1 << SYS_PTRACE | 1 << CHECKPOINT_RESTORE
"""A pilot's capabilities in its sandbox: to see hidden processes, and to set process numbers."""

LIBRARY = _ctypes.dlopen("", 0)


class Refused(OSError):
    """The kernel did not let us make a sandbox; the message says what it refused."""


def call(name: str, *arguments: int | bytes) -> None:
    if _ctypes.call_function(_ctypes.dlsym(LIBRARY, name), arguments):
        shown = " ".join(str(argument) for argument in arguments if argument)
        raise Refused(f"{name}({shown}) was refused")


def mount(source: str, target: str, kind: str = "", flags: int = 0, options: str = "") -> None:
    call("mount", os.fsencode(source), os.fsencode(target), kind.encode(), flags, options.encode())


def detach(target: str) -> None:
    call("umount2", os.fsencode(target), DETACH)


def mount_scratch(target: str, size: int, files: int) -> None:
    """Mount an empty file system in memory, for at most these bytes and files."""
    options = f"size={size},nr_inodes={files},mode=0755"
    mount("tmpfs", target, "tmpfs", NO_SUID | NO_DEVICES, options)


def close_to_writers(target: str, flags: int = 0) -> None:
    mount("", target, "", REMOUNT | BIND | READ_ONLY | NO_SUID | NO_DEVICES | flags)


def mount_fixed(target: str, flags: int = 0) -> None:
    """Mount an empty file system in memory, for files that bots read; close it to writers then.

    Of ramfs the kernel never drops a page, so it doesn't note which ones were read. In a tmpfs it
    does, and a program that reads its own files again and again leaves marks on them, which the
    next one sees in /proc/self/numa_maps.
    """
    mount("ramfs", target, "ramfs", NO_SUID | NO_DEVICES | flags, "mode=0755")


def write_files(target: str, files: dict[str, bytes]) -> None:
    for name, content in files.items():
        path = f"{target}/{name}"
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "wb") as file:
            file.write(content)


def prepare() -> None:
    """Make what all sandboxes have in common; this process no longer sees its own /proc.

    What it mounts on /tmp from now on is mounted in the sandboxes, too (see `enter`).
    """
    files = contents()
    mount("", "/", "", SHARED)
    detach(ARENA)
    mount_fixed(ARENA)
    write_files(ARENA, OWN_FILES)
    close_to_writers(ARENA)
    mount_fixed(PROC, NO_PROGRAMS)
    write_files(PROC, files)
    os.mkdir(PROCESSES)
    for name, target in LINKS.items():
        os.symlink(target, f"{PROC}/{name}")
    close_to_writers(PROC, NO_PROGRAMS)


def go_first() -> None:
    """Let this process and what it forks be ended first where the machine has no memory left."""
    try:
        with open(f"{PROC}/self/oom_score_adj", "wb") as file:
            file.write(b"1000")
    except OSError:
        pass


def process_counter() -> int:
    """Open what sets the number of the next process in the writer's own namespace.

    Returns -1 where the kernel does not have it.
    """
    try:
        return os.open(PID_COUNTER, os.O_WRONLY | os.O_CLOEXEC)
    except OSError:
        return -1


def fork_inside(own: int) -> int:
    """Fork a process that is the first of its own process namespace; 0 in that one.

    `own` is a descriptor of this process's own namespace. Raises `Refused` in the process that
    forks, whose namespace stays what it was.
    """
    call("unshare", NEW_PROCESSES)
    pid = os.fork()
    if pid:
        call("setns", own, NEW_PROCESSES)
    return pid


def enter() -> None:
    """Make a sandbox around this process, the first of its namespace; raises `Refused`.

    The process that forked it can still mount something below /, such as a new /tmp.
    """
    call("unshare", NEW_MOUNTS | NEW_NETWORK | NEW_QUEUES)
    mount("", "/", "", SLAVE | RECURSIVE)
    # A bot does not see its pilot there, whose numbers would count its questions.
    flags = NO_SUID | NO_DEVICES | NO_PROGRAMS
    mount("proc", PROCESSES, "proc", flags, "hidepid=2,subset=pid")
    close_to_writers(PROCESSES, NO_PROGRAMS)


def keep_capabilities(mask: int) -> None:
    """Drop all capabilities but these, such as `KEPT` or 0 for none."""
    low, high = mask & 0xFFFFFFFF, mask >> 32
    whole = CAPABILITIES.pack(VERSION_3, 0, low, low, 0, high, high, 0)
    call("capset", whole[:8], whole[8:])
