"""The system calls that a box refuses, as a filter the kernel runs.

Namespaces do not cover every kernel object: keyrings, SysV memory, file locks, inotify and the
page cache let a bot leave notes for its next process or for another box. The list names what is
refused; all else is allowed, because a list of what every runtime needs would need a maintainer
for every runtime.
"""

from __future__ import annotations

import errno
import platform
import struct
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

# Classic BPF, from linux/bpf_common.h, and the layout of struct seccomp_data.
LOAD, EQUAL, ANY_BIT, AT_LEAST, RETURN, AND = 0x20, 0x15, 0x45, 0x35, 0x06, 0x54
NUMBER, ARCHITECTURE, ARGUMENTS = 0, 4, 16
ALLOW, KILL, REFUSE = 0x7FFF0000, 0x80000000, 0x00050000
X32 = 0x40000000
UNDONE = 0
"""Instead of an error: the caller is told that it is done, and nothing is."""


class Machine(NamedTuple):
    """A processor architecture: its audit number, and its column in `REFUSED`."""

    audit: int
    column: int


MACHINES: Mapping[str, Machine] = {
    "x86_64": Machine(0xC000003E, 0),
    "aarch64": Machine(0xC00000B7, 1),
}

REFUSED: Mapping[str, tuple[int | None, int | None, int]] = {
    # reaching into other processes
    "ptrace": (101, 117, errno.EPERM),
    "process_vm_readv": (310, 270, errno.EPERM),
    "process_vm_writev": (311, 271, errno.EPERM),
    "process_madvise": (440, 440, errno.EPERM),
    "pidfd_getfd": (438, 438, errno.EPERM),
    "kcmp": (312, 272, errno.EPERM),
    # objects that outlive a process
    "shmget": (29, 194, errno.ENOSYS),
    "shmat": (30, 196, errno.ENOSYS),
    "shmctl": (31, 195, errno.ENOSYS),
    "semget": (64, 190, errno.ENOSYS),
    "semop": (65, 193, errno.ENOSYS),
    "semctl": (66, 191, errno.ENOSYS),
    "semtimedop": (220, 192, errno.ENOSYS),
    "msgget": (68, 186, errno.ENOSYS),
    "msgsnd": (69, 189, errno.ENOSYS),
    "msgrcv": (70, 188, errno.ENOSYS),
    "msgctl": (71, 187, errno.ENOSYS),
    "mq_open": (240, 180, errno.ENOSYS),
    "mq_unlink": (241, 181, errno.ENOSYS),
    "add_key": (248, 217, errno.ENOSYS),
    "request_key": (249, 218, errno.ENOSYS),
    "keyctl": (250, 219, errno.ENOSYS),
    # memory that no process's size shows
    "memfd_create": (319, 279, errno.ENOSYS),
    "memfd_secret": (447, 447, errno.ENOSYS),
    # seeing what another box does to a shared file
    "flock": (73, 32, errno.ENOSYS),
    "inotify_init": (253, None, errno.ENOSYS),
    "inotify_init1": (294, 26, errno.ENOSYS),
    "fanotify_init": (300, 262, errno.ENOSYS),
    # what of a file is in memory, which every process that reads it changes
    "cachestat": (451, 451, errno.ENOSYS),
    "mincore": (27, 232, errno.ENOSYS),
    "openat2": (437, 437, errno.ENOSYS),  # its RESOLVE_CACHED tells which names are known
    # changing that; programs give it as advice, or to be safe from power cuts
    "fadvise64": (221, 223, UNDONE),
    "readahead": (187, 213, UNDONE),
    "sync": (162, 81, UNDONE),
    "syncfs": (306, 267, UNDONE),
    "fsync": (74, 82, UNDONE),
    "fdatasync": (75, 83, UNDONE),
    "sync_file_range": (277, 84, UNDONE),
    # one number for the whole machine of how much of it is in use
    "io_setup": (206, 0, errno.ENOSYS),
    "io_destroy": (207, 1, errno.ENOSYS),
    "io_submit": (209, 2, errno.ENOSYS),
    "io_cancel": (210, 3, errno.ENOSYS),
    "io_getevents": (208, 4, errno.ENOSYS),
    "io_pgetevents": (333, 292, errno.ENOSYS),
    # a file that two boxes have is a bell between them; futex itself, which can ring it too, has
    # to stay: node hangs without its shared wakings, one start in three hundred
    "futex_waitv": (449, 449, errno.ENOSYS),
    "futex_wake": (454, 454, errno.ENOSYS),
    "futex_wait": (455, 455, errno.ENOSYS),
    "futex_requeue": (456, 456, errno.ENOSYS),
    # a device's times, which every box shares, can be set by any that may write to it
    "utimensat": (280, 88, errno.EPERM),
    "utimes": (235, None, errno.EPERM),
    "utime": (132, None, errno.EPERM),
    "futimesat": (261, None, errno.EPERM),
    "name_to_handle_at": (303, 264, errno.EPERM),
    "open_by_handle_at": (304, 265, errno.EPERM),
    # large doors into the kernel
    "io_uring_setup": (425, 425, errno.ENOSYS),
    "io_uring_enter": (426, 426, errno.ENOSYS),
    "io_uring_register": (427, 427, errno.ENOSYS),
    "bpf": (321, 280, errno.EPERM),
    "perf_event_open": (298, 241, errno.EPERM),
    "userfaultfd": (323, 282, errno.ENOSYS),
    "syslog": (103, 116, errno.EPERM),
    "modify_ldt": (154, None, errno.ENOSYS),
    "uselib": (134, None, errno.ENOSYS),
    "lookup_dcookie": (212, 18, errno.EPERM),
    "move_pages": (279, 239, errno.EPERM),
    "migrate_pages": (256, 238, errno.EPERM),
    "ioprio_set": (251, 30, errno.EPERM),
    # namespaces and mounts; clone3 hides its flags from a filter, and libc then uses clone
    "clone3": (435, 435, errno.ENOSYS),
    "unshare": (272, 97, errno.EPERM),
    "setns": (308, 268, errno.EPERM),
    "mount": (165, 40, errno.EPERM),
    "umount2": (166, 39, errno.EPERM),
    "pivot_root": (155, 41, errno.EPERM),
    "chroot": (161, 51, errno.EPERM),
    "open_tree": (428, 428, errno.EPERM),
    "open_tree_attr": (467, 467, errno.EPERM),
    "move_mount": (429, 429, errno.EPERM),
    "fsopen": (430, 430, errno.EPERM),
    "fsconfig": (431, 431, errno.EPERM),
    "fsmount": (432, 432, errno.EPERM),
    "fspick": (433, 433, errno.EPERM),
    "mount_setattr": (442, 442, errno.EPERM),
    # the administrator's
    "kexec_load": (246, 104, errno.EPERM),
    "kexec_file_load": (320, 294, errno.EPERM),
    "init_module": (175, 105, errno.EPERM),
    "finit_module": (313, 273, errno.EPERM),
    "delete_module": (176, 106, errno.EPERM),
    "acct": (163, 89, errno.EPERM),
    "quotactl": (179, 60, errno.EPERM),
    "quotactl_fd": (443, 443, errno.EPERM),
    "swapon": (167, 224, errno.EPERM),
    "swapoff": (168, 225, errno.EPERM),
    "reboot": (169, 142, errno.EPERM),
    "sethostname": (170, 161, errno.EPERM),
    "setdomainname": (171, 162, errno.EPERM),
    "settimeofday": (164, 170, errno.EPERM),
    "clock_settime": (227, 112, errno.EPERM),
    "adjtimex": (159, 171, errno.EPERM),
    "clock_adjtime": (305, 266, errno.EPERM),
    "iopl": (172, None, errno.EPERM),
    "ioperm": (173, None, errno.EPERM),
}
"""Each refused call: its number on x86_64, its number on aarch64, the error it gets."""

BUILDS_NEED = frozenset({"utimensat", "utimes", "utime", "futimesat", "flock"})
"""What make, tar and package tools use; nobody could read a note that a build leaves."""


@dataclass(frozen=True)
class OnlyIf:
    """A call that is refused, or allowed, by the value of one argument, or of `mask`'s bits in it.

    Only the lower half of an argument is looked at: in all these calls the kernel does the same.
    """

    numbers: tuple[int, int]
    argument: int
    test: int
    values: tuple[int, ...]
    error: int
    refuse_match: bool
    mask: int | None = None


NEW_NAMESPACES = 0x7E020000
LOCK_COMMANDS = (5, 6, 7, 36, 37, 38, 1024, 1026)
NOTES_ON_FILES = (8, 10, 15, 1036, 1038)
"""F_SETOWN, F_SETSIG, F_SETOWN_EX, F_SET_RW_HINT, F_SET_FILE_RW_HINT: kept by the open file, which
may be every question's, or by the inode, which is the box's."""
SIGNALS_OF_FILES = (0x5452, 0x8901, 0x8902)
"""FIOASYNC, FIOSETOWN, SIOCSPGRP: the same by ioctl."""
FAKED_KEYSTROKES = (0x5412, 0x541C)
KIND_OF_IOCTL, TERMINALS, SOCKETS_OWN = 0xFF00, 0x5400, 0x8900
"""All that programs do to descriptors in a box, FIONREAD and the like among it. The others are for
devices and file systems: FIEMAP, for one, writes a file to the disk and tells whether it is."""
FLAGS_OF_READ = 5
"""RWF_NOWAIT reads only what is in memory."""
MS_SYNC = 4
MERGEABLE, COLD, PAGEOUT, COLLAPSE = 12, 20, 21, 25
"""Advice that changes how pages are kept which others have, too."""
PR_SET_MEMORY_MERGE = 67
SO_COOKIE, SO_PASSPIDFD, SO_PEERPIDFD = 57, 76, 77
"""Numbers, and what has one, that count up for the whole machine."""
CLOCKS_OF_THE_FIRST = tuple(range(0xFFFFFFF0, 0xFFFFFFF8))
"""The processor time of process 1, the pilot: it grows with every question."""
CORE_LIMIT = 4
"""Where `kernel.core_pattern` names a program, the host's kernel hands it a crashed bot's memory
unless this limit is 1; a bot could lower it to 0."""
PRLIMIT = (302, 261)

CONDITIONS = (
    OnlyIf((56, 220), 0, ANY_BIT, (NEW_NAMESPACES,), errno.EPERM, refuse_match=True),
    OnlyIf((72, 25), 1, EQUAL, LOCK_COMMANDS + NOTES_ON_FILES, errno.ENOSYS, refuse_match=True),
    OnlyIf((16, 29), 1, EQUAL, FAKED_KEYSTROKES + SIGNALS_OF_FILES, errno.EPERM, refuse_match=True),
    OnlyIf(
        (16, 29),
        1,
        EQUAL,
        (TERMINALS, SOCKETS_OWN),
        errno.ENOTTY,
        refuse_match=False,
        mask=KIND_OF_IOCTL,
    ),
    OnlyIf((327, 286), FLAGS_OF_READ, EQUAL, (0,), errno.EOPNOTSUPP, refuse_match=False),
    OnlyIf((328, 287), FLAGS_OF_READ, EQUAL, (0,), errno.EOPNOTSUPP, refuse_match=False),
    OnlyIf((26, 227), 2, ANY_BIT, (MS_SYNC,), UNDONE, refuse_match=True),
    OnlyIf(
        (28, 233), 2, EQUAL, (MERGEABLE, COLD, PAGEOUT, COLLAPSE), errno.EINVAL, refuse_match=True
    ),
    OnlyIf((157, 167), 0, EQUAL, (PR_SET_MEMORY_MERGE,), errno.EINVAL, refuse_match=True),
    OnlyIf((55, 209), 2, EQUAL, (SO_COOKIE, SO_PEERPIDFD), errno.ENOPROTOOPT, refuse_match=True),
    OnlyIf((54, 208), 2, EQUAL, (SO_PASSPIDFD,), errno.ENOPROTOOPT, refuse_match=True),
    *(
        OnlyIf(numbers, 0, EQUAL, CLOCKS_OF_THE_FIRST, errno.EINVAL, refuse_match=True)
        for numbers in ((228, 113), (229, 114), (230, 115), (222, 107))
    ),
    # a bot may change its own priority, processors and limits, never those of the pilot
    OnlyIf((302, 261), 0, EQUAL, (0,), errno.EPERM, refuse_match=False),
    OnlyIf((160, 164), 0, EQUAL, (CORE_LIMIT,), errno.EPERM, refuse_match=True),
    OnlyIf((203, 122), 0, EQUAL, (0,), errno.EPERM, refuse_match=False),
    OnlyIf((144, 119), 0, EQUAL, (0,), errno.EPERM, refuse_match=False),
    OnlyIf((142, 118), 0, EQUAL, (0,), errno.EPERM, refuse_match=False),
    OnlyIf((314, 274), 0, EQUAL, (0,), errno.EPERM, refuse_match=False),
    OnlyIf((141, 140), 0, EQUAL, (0,), errno.EPERM, refuse_match=False),
    OnlyIf((141, 140), 1, EQUAL, (0,), errno.EPERM, refuse_match=False),
)
"""clone, fcntl, ioctl, preadv2, pwritev2, msync, madvise, prctl, getsockopt, setsockopt,
clock_{gettime,getres,nanosleep}, timer_create, prlimit64, setrlimit,
sched_set{affinity,scheduler,param,attr}, setpriority"""


UNIX, INET, INET6 = 1, 2, 10
SOCKETS = (
    OnlyIf((41, 198), 0, EQUAL, (UNIX,), errno.EAFNOSUPPORT, refuse_match=False),
    OnlyIf((53, 199), 0, EQUAL, (UNIX,), errno.EAFNOSUPPORT, refuse_match=False),
)
"""socket, socketpair. Even an empty network counts what went over its loopback, for the next
process to read; and a family that no bot needs is one more way into the kernel."""
BUILD_SOCKETS = tuple(replace(rule, values=(UNIX, INET, INET6)) for rule in SOCKETS)
"""Build tools talk to daemons of their own; there is nobody else in the box's network."""


def filter_program(*, building: bool = False, machine: str | None = None) -> bytes:
    """Assemble the filter for a machine (this one, if none is named), ready for `--seccomp`.

    `building` leaves the calls in `BUILDS_NEED` allowed.

    A call of another architecture kills the program: it would pass under another number. Raises
    `KeyError` for a machine that has no table here.
    """
    here = MACHINES[machine or platform.machine()]
    code = [
        _code(LOAD, ARCHITECTURE),
        _code(EQUAL, here.audit, 1, 0),
        _code(RETURN, KILL),
        _code(LOAD, NUMBER),
    ]
    if here is MACHINES["x86_64"]:
        code += [_code(AT_LEAST, X32, 0, 1), _code(RETURN, KILL)]
    for name, row in REFUSED.items():
        number = row[here.column]
        if number is not None and not (building and name in BUILDS_NEED):
            code += [_code(EQUAL, number, 0, 1), _code(RETURN, REFUSE | row[2])]
    for condition in (*CONDITIONS, *(BUILD_SOCKETS if building else SOCKETS)):
        code += _condition(condition.numbers[here.column], list(_tests(condition)))
    code += _condition(PRLIMIT[here.column], _core_limit_set())
    code.append(_code(RETURN, ALLOW))
    return b"".join(code)


def _condition(number: int, body: Sequence[bytes]) -> Iterable[bytes]:
    """Test a call's arguments, and leave the call's number loaded for the next rule."""
    yield _code(EQUAL, number, 0, len(body) + 1)
    yield from body
    yield _code(LOAD, NUMBER)


def _tests(rule: OnlyIf) -> Iterator[bytes]:
    yield _code(LOAD, ARGUMENTS + 8 * rule.argument)
    if rule.mask is not None:
        yield _code(AND, rule.mask)
    for index, value in enumerate(rule.values):
        rest = len(rule.values) - index - 1
        # after the last test comes the refusal, and after that the next rule
        last_jump = (0, 1) if rule.refuse_match else (1, 0)
        matched = rest + last_jump[0]
        yield _code(rule.test, value, matched, 0 if rest else last_jump[1])
    yield _code(RETURN, REFUSE | rule.error)


def _core_limit_set() -> list[bytes]:
    """Refuse prlimit64 that brings a new RLIMIT_CORE; without one it only asks."""
    return [
        _code(LOAD, ARGUMENTS + 8),
        _code(EQUAL, CORE_LIMIT, 0, 5),
        _code(LOAD, ARGUMENTS + 16),
        _code(EQUAL, 0, 0, 2),
        _code(LOAD, ARGUMENTS + 20),
        _code(EQUAL, 0, 1, 0),
        _code(RETURN, REFUSE | errno.EPERM),
    ]


def _code(operation: int, value: int, if_true: int = 0, if_false: int = 0) -> bytes:
    return struct.pack("=HBBI", operation, if_true, if_false, value)
