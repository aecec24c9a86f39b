"""The pilot's requests to the kernel before it starts a bot: isolation and limits.

By the small C module below ctypes, which would itself add a fifth to the start of a box.
"""

from __future__ import annotations

import _ctypes
import resource
import struct

from sandbox.inside.pilot_protocol import Terms

PR_SET_DUMPABLE, PR_SET_NO_NEW_PRIVS, PR_SET_CHILD_SUBREAPER = 4, 38, 36
PR_SET_SECCOMP, SECCOMP_MODE_FILTER, INSTRUCTION = 22, 2, 8
FILTER = struct.Struct("HP")
PR_CAP_AMBIENT, PR_CAP_AMBIENT_CLEAR_ALL = 47, 4
NO_CORE = 1
"""Bytes of a core dump: 0 would keep it from the disk, 1 also from a handler of the host's."""


def shut_out() -> None:
    """Keep the bot, which has our user number, from our memory and descriptors."""
    prctl(PR_SET_DUMPABLE, 0)
    prctl(PR_SET_NO_NEW_PRIVS, 1)


def drop_powers() -> None:
    """Let no child inherit our capabilities."""
    prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_CLEAR_ALL)


def adopt_orphans() -> None:
    """Become the parent of every orphaned descendant, if we are not the first process."""
    prctl(PR_SET_CHILD_SUBREAPER, 1)


def set_limits(terms: Terms) -> None:
    """Set the limits that the bot will inherit."""
    limit(resource.RLIMIT_CORE, NO_CORE)
    limit(resource.RLIMIT_MSGQUEUE, 0)
    limit(resource.RLIMIT_NOFILE, 256)
    if terms.files:
        limit(resource.RLIMIT_FSIZE, terms.files)
    if terms.processes:
        limit(resource.RLIMIT_NPROC, terms.processes)
    if terms.data:
        limit(resource.RLIMIT_DATA, terms.data)


def refuse(refusals: bytes) -> None:
    """Put this process, and all that it starts, under a filter of system calls."""
    code = in_memory(refusals)
    instructions = len(refusals) // INSTRUCTION
    prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, FILTER.pack(instructions, _ctypes.addressof(code)))


def prctl(operation: int, *arguments: int | bytes) -> None:
    """Ask the kernel for something about this process; raises `OSError` where it refuses."""
    words = (operation, *arguments, *(0 for _ in range(4 - len(arguments))))
    if _ctypes.call_function(_ctypes.dlsym(_ctypes.dlopen("", 0), "prctl"), words):
        raise OSError(f"prctl({operation}) was refused")


def in_memory(content: bytes) -> _ctypes.Array[_ctypes._SimpleCData[int]]:
    """Bytes at a known address, as long as this object is kept.

    The module that arrays have of their own would take a tenth of a box's start to import.
    """

    class Byte(_ctypes._SimpleCData):  # type: ignore[type-arg]
        _type_ = "B"

    class Block(_ctypes.Array):  # type: ignore[type-arg]
        _type_ = Byte
        _length_ = len(content)

    return Block.from_buffer_copy(content)


def limit(kind: int, value: int) -> None:
    """Set a limit for this process and all that it starts, never above what it has."""
    _, most = resource.getrlimit(kind)
    if most != resource.RLIM_INFINITY:
        value = min(value, most)
    resource.setrlimit(kind, (value, value))
