"""The pilot's requests to the kernel before it starts a bot: isolation and limits.

By the small C module below ctypes, which would itself add a fifth to the start of a sandbox.
"""

from __future__ import annotations

import _ctypes
import _signal  # type: ignore[import-not-found]
import os
import resource
import struct

from card_arena.sandbox.inside.pilot_protocol import FIRST_PRIVATE_FD, NOTHING, SandboxSpec

PR_SET_DUMPABLE, PR_SET_NO_NEW_PRIVS, PR_SET_CHILD_SUBREAPER = 4, 38, 36
PR_SET_SECCOMP, SECCOMP_MODE_FILTER, INSTRUCTION = 22, 2, 8
FILTER = struct.Struct("HP")
SECCOMP_CALL = {"x86_64": 317, "aarch64": 277}
SECCOMP_SET_MODE_FILTER, NEW_LISTENER = 1, 8
PR_CAP_AMBIENT, PR_CAP_AMBIENT_CLEAR_ALL = 47, 4
CAPABILITIES, NO_CAPABILITIES = struct.pack("II", 0x20080522, 0), bytes(24)
"""The header and the data of capset(2), version 3."""
MOST_PRIVATE = 160
MOST_SIGNALS = 1024
"""Signals that wait, and timers, of all processes in a sandbox: they are the kernel's memory."""
NO_CORE = 1
"""Bytes of a core dump: 0 would keep it from the disk, 1 also from a handler of the host's."""


def shut_out(*, alone: bool) -> None:
    """Keep the bot, which has our user number, from our memory, descriptors and capabilities.

    Where we are not the first process (`alone`), become the parent of every orphaned descendant.
    """
    prctl(PR_SET_DUMPABLE, 0)
    prctl(PR_SET_NO_NEW_PRIVS, 1)
    if alone:
        prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_CLEAR_ALL)
    else:
        prctl(PR_SET_CHILD_SUBREAPER, 1)


def set_limits(spec: SandboxSpec, *, alone: bool) -> None:
    """Set the limits that the bot will inherit; `alone` says that it is a user of its own."""
    always = {
        resource.RLIMIT_CORE: NO_CORE,
        resource.RLIMIT_MSGQUEUE: 0,
        resource.RLIMIT_NOFILE: 256,
    }
    unless_zero = {
        resource.RLIMIT_SIGPENDING: MOST_SIGNALS * alone,
        resource.RLIMIT_FSIZE: spec.files,
        resource.RLIMIT_NPROC: spec.processes,
        resource.RLIMIT_DATA: spec.data,
    }
    for kind, value in (always | {k: v for k, v in unless_zero.items() if v}).items():
        _, most = resource.getrlimit(kind)
        if most != resource.RLIM_INFINITY:  # never above the present limit
            value = min(value, most)
        resource.setrlimit(kind, (value, value))


def refuse(refusals: bytes) -> int:
    """Put this process, and all that it starts, under a filter of system calls.

    Returns a descriptor that gets a notice of each call that the filter notifies of, -1 where the
    kernel has none: then these calls get ENOSYS at once.
    """
    code = in_memory(refusals)
    program = FILTER.pack(len(refusals) // INSTRUCTION, _ctypes.addressof(code))
    number = SECCOMP_CALL.get(os.uname().machine)
    if number:
        words = (number, SECCOMP_SET_MODE_FILTER, NEW_LISTENER, program)
        call = _ctypes.dlsym(_ctypes.dlopen("", 0), "syscall")
        listener: int = _ctypes.call_function(call, words)
        if listener >= 0:
            return listener
    prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, program)
    return -1


def become_bot(source: int | None, out: int, errors: int, capset: int) -> None:
    """Give up the pilot's descriptors, signals and powers in a fork of it that will run a bot.

    `source`, `out` and `errors` become the standard streams. `capset` is the address of the C
    function, 0 where the pilot has no powers.
    """
    os.setsid()
    # NOTHING is reopened: flags of one that all questions share would tell of the one before
    os.dup2(os.open(NOTHING, os.O_RDONLY) if source is None else source, 0)
    os.dup2(out, 1)
    os.dup2(errors, 2)
    os.closerange(3, FIRST_PRIVATE_FD + MOST_PRIVATE)
    _signal.signal(_signal.SIGINT, _signal.default_int_handler)
    if capset and _ctypes.call_function(capset, (CAPABILITIES, NO_CAPABILITIES)):
        raise OSError("capset was refused")
    prctl(PR_SET_DUMPABLE, 1)


def prctl(operation: int, *arguments: int | bytes) -> None:
    """Call prctl(2); raises `OSError` where the kernel refuses."""
    words = (operation, *arguments, *(0 for _ in range(4 - len(arguments))))
    if _ctypes.call_function(_ctypes.dlsym(_ctypes.dlopen("", 0), "prctl"), words):
        raise OSError(f"prctl({operation}) was refused")


def in_memory(content: bytes) -> _ctypes.Array[_ctypes._SimpleCData[int]]:
    """Bytes at a known address, as long as this object is kept.

    The module that arrays have of their own would take a tenth of a sandbox's start to import.
    """

    class Byte(_ctypes._SimpleCData):  # type: ignore[type-arg]
        _type_ = "B"

    class Block(_ctypes.Array):  # type: ignore[type-arg]
        _type_ = Byte
        _length_ = len(content)

    return Block.from_buffer_copy(content)
