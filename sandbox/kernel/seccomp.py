"""The system calls that are allowed in a sandbox, as a filter that the kernel runs.

Namespaces do not cover every kernel object: keyrings, SysV memory, file locks, inotify and the
page cache would let a bot leave notes for its next process or for another sandbox, and some
objects are charged to nobody. So every call is refused that is not listed here, and most of those
with commands or flags are allowed with listed ones only. `scripts/record-calls` shows what
languages and bots call; the lists hold that, and the relatives of these calls that do no more.
"""

from __future__ import annotations

import errno
import platform
import struct
from collections.abc import Collection, Mapping, Sequence
from typing import NamedTuple

from card_arena.sandbox.kernel.calls import listed, numbers

# Classic BPF, from linux/bpf_common.h, and the layout of struct seccomp_data.
LOAD, EQUAL, ABOVE, AT_LEAST, JUMP, RETURN, AND = 0x20, 0x15, 0x25, 0x35, 0x05, 0x06, 0x54
NUMBER, ARCHITECTURE, ARGUMENTS = 0, 4, 16
ALLOW, NOTIFY, KILL, REFUSE = 0x7FFF0000, 0x7FC00000, 0x80000000, 0x00050000
X32 = 0x40000000
LONGEST_JUMP = 255
UNDONE = 0
"""Instead of an error: the caller is told that it is done, and nothing is."""
MOST = 0xFFFFFFFF

MACHINES: Mapping[str, int] = {"x86_64": 0xC000003E, "aarch64": 0xC00000B7}
"""The audit number of each processor architecture."""

ALLOWED = listed("""
read write close stat fstat lstat newfstatat lseek pread64 pwrite64 readv writev preadv pwritev
access faccessat faccessat2 getdents getdents64 getcwd chdir fchdir rename renameat renameat2
mkdir mkdirat rmdir creat link linkat symlink symlinkat unlink unlinkat readlink readlinkat
chmod fchmod fchmodat fchmodat2 umask truncate ftruncate fallocate
copy_file_range sendfile dup dup2 dup3 pipe close_range
poll ppoll select pselect6 epoll_create epoll_create1 epoll_ctl epoll_wait epoll_pwait
epoll_pwait2 eventfd eventfd2
mprotect munmap brk mremap
fork vfork execve exit exit_group wait4 waitid set_tid_address set_robust_list get_robust_list
rseq futex getpid getppid gettid getpgrp getpgid setpgid getsid setsid
getuid geteuid getgid getegid getgroups getresuid getresgid capget capset
uname sysinfo times getrusage getrlimit getpriority getcpu
sched_yield sched_getaffinity sched_getparam sched_getscheduler sched_get_priority_max
sched_get_priority_min
kill tkill tgkill pause rt_sigaction rt_sigprocmask rt_sigreturn rt_sigpending rt_sigtimedwait
rt_sigsuspend sigaltstack restart_syscall
time gettimeofday nanosleep alarm getitimer setitimer timer_settime timer_gettime
timer_getoverrun timer_delete timerfd_settime timerfd_gettime
connect getsockname getpeername sendto recvfrom recvmsg shutdown
getrandom
pidfd_open
""")
"""The calls that are allowed with any arguments. The last one is the pilot's, which is under the
same filter as its bot."""

TIMES = ("utimensat", "utimes", "utime", "futimesat")
BUILDS_NEED = (
    *(*TIMES, "flock", "mknod", "mknodat", "chown", "fchown", "lchown", "fchownat"),
    *("bind", "listen", "accept", "accept4"),
)
"""The calls of make, tar and package tools; nobody could read a note that a build leaves."""

ANSWERED: Mapping[str, int] = {
    # Advice, or safety from power cuts. It would change what of a file is in memory.
    **dict.fromkeys(("fadvise64", "readahead", "sync", "syncfs", "fsync", "fdatasync"), UNDONE),
    "sync_file_range": UNDONE,
    # The times of a device, which all sandboxes share.
    **dict.fromkeys(TIMES, errno.EPERM),
    # Attributes of files, which are copied where a file system has them.
    **dict.fromkeys(
        [
            prefix + name
            for name in ("getxattr", "setxattr", "listxattr", "removexattr")
            for prefix in ("", "l", "f")
        ],
        errno.EOPNOTSUPP,
    ),
    # Calls that runtimes and libraries try, and have a substitute for.
    **dict.fromkeys(
        listed("""
        clone3 openat2 memfd_create flock get_mempolicy set_mempolicy mbind pkey_alloc
        pidfd_send_signal io_uring_setup inotify_init inotify_init1 signalfd4 map_shadow_stack
        mincore statx statfs fstatfs
        """),
        errno.ENOSYS,
    ),
}
"""The refused calls that programs try and can do without, and the error that they get."""

PERMITTABLE = frozenset(
    listed("""
    memfd_create flock utimensat utimes utime futimesat mknod mknodat chown fchown lchown fchownat
    execveat signalfd signalfd4 mlock mlock2 munlock mlockall munlockall personality bind listen
    accept accept4 get_mempolicy pkey_alloc pkey_free pkey_mprotect setreuid setregid setresuid
    setresgid setuid setgid setgroups setfsuid setfsgid sched_rr_get_interval sched_getattr
    membarrier ioprio_get getxattr lgetxattr fgetxattr listxattr llistxattr flistxattr
    """)
)
"""The calls that an organiser may allow. None reaches another sandbox; some let a bot keep a state
between questions, or memory that counts only where control groups do."""


class Check(NamedTuple):
    """Allows a call if an argument, or the bits of `mask` in it, is in one of these ranges.

    Only the lower half of an argument is tested: in all these calls the kernel does the same.
    """

    argument: int
    ranges: Sequence[tuple[int, int]]
    error: int
    mask: int = MOST


class Unset(NamedTuple):
    """Allows a call, whatever is tested after this, if an argument is a null pointer."""

    argument: int


Tests = Sequence[Check | Unset]


def one_of(argument: int, error: int, *values: int, mask: int = MOST) -> Check:
    return Check(argument, [(value, value) for value in values], error, mask)


def not_equal(argument: int, error: int, value: int, mask: int = MOST) -> Check:
    return Check(argument, [(0, value - 1), (value + 1, MOST)], error, mask)


def only_flags(argument: int, error: int, flags: int) -> Check:
    return one_of(argument, error, 0, mask=MOST & ~flags)


UNIX, INET, INET6 = 1, 2, 10
CLONE_FLAGS = 0x017D4FFF
"""The flags of threads and children: no namespaces, no handle, no other parent."""
SIGCHLD = 17
OPEN_FLAGS = 0x3FDFC3
"""All but O_ASYNC, which is for files that signal, and O_TMPFILE, which counts up the numbers of
files in a folder without a trace."""
O_DIRECT: Mapping[str, int] = {"x86_64": 0x4000, "aarch64": 0x10000}
"""It reads past the page cache."""
MAP_FLAGS = 0x12D973
"""All but MAP_LOCKED, MAP_HUGETLB, MAP_DROPPABLE and the like."""
MAP_SHARED_ANONYMOUS = 0x21
"""Its inode's number counts up for the whole machine."""
MS_SYNC = 4
ADVICE = (0, 1, 2, 3, 4, 8, 10, 11, 14, 15, 16, 17, 18, 19, 22, 23, 102, 103)
"""All but what changes how pages are kept that others have, too."""
PIPE_FLAGS = 0x84800
"""O_CLOEXEC, O_NONBLOCK, O_DIRECT; the other one makes a queue of notifications."""
FILE_COMMANDS = (0, 1, 2, 3, 4, 1030)
"""F_DUPFD, F_GETFD, F_SETFD, F_GETFL, F_SETFL, F_DUPFD_CLOEXEC. The others lock files, change the
size of a pipe, or keep something with an open file or its inode."""
DEVICE_COMMANDS = (
    *(0x5401, 0x540F, 0x5413, 0x541B, 0x5421, 0x5450, 0x5451),
    *(0xC0502100, 0xC0182101),
)
"""TCGETS, TIOCGPGRP, TIOCGWINSZ, FIONREAD, FIONBIO, FIONCLEX, FIOCLEX; and for a descriptor that
only the pilot has, SECCOMP_IOCTL_NOTIF_RECV and SECCOMP_IOCTL_NOTIF_SEND."""
PROCESS_OPTIONS = (1, 2, 3, 4, 15, 16, 21, 23, 29, 30, 38, 39, 41, 42)
"""PR_*: PDEATHSIG, DUMPABLE, NAME, GET_SECCOMP, CAPBSET_READ, TIMERSLACK, NO_NEW_PRIVS,
THP_DISABLE."""
THREAD_REGISTERS = (0x1001, 0x1002, 0x1003, 0x1004, 0x3001)
SOL_SOCKET = 1
SOCKET_OPTIONS_READ = (2, 3, 4, 7, 8, 9, 13, 15, 16, 17, 20, 21, 30, 38, 39)
SOCKET_OPTIONS_SET = (2, 7, 8, 9, 13, 15, 16, 20, 21)
"""SO_REUSEADDR, TYPE, ERROR, SNDBUF, RCVBUF, KEEPALIVE, LINGER, REUSEPORT, PASSCRED, PEERCRED,
RCVTIMEO, SNDTIMEO, ACCEPTCONN, PROTOCOL, DOMAIN. Attached filters are charged to nobody, and
SO_COOKIE counts up for the whole machine."""
CLOCKS = ((0, 11), (0x80000000, 0xFFFFFFEF), (0xFFFFFFF8, MOST))
"""All but the processor time of process 1, the pilot: it grows with every question."""
CORE_LIMIT = 4
"""Where `kernel.core_pattern` names a program, the host's kernel hands it a crashed bot's memory
unless this limit is 1; a bot could lower it to 0."""


def checks(machine: str, *, building: bool) -> dict[str, Tests]:
    """Return the tests of calls' arguments; a call is allowed if all of its tests pass."""
    families = (UNIX, INET, INET6) if building else (UNIX,)
    family = [one_of(0, errno.EAFNOSUPPORT, *families)]
    clock = [Check(0, CLOCKS, errno.EINVAL)]
    flags = OPEN_FLAGS & ~O_DIRECT[machine]
    itself = [one_of(0, errno.EPERM, 0)]
    no_flags = [one_of(5, errno.EOPNOTSUPP, 0)]
    return {
        "open": [only_flags(1, errno.EOPNOTSUPP, flags)],
        "openat": [only_flags(2, errno.EOPNOTSUPP, flags)],
        "mmap": [
            only_flags(3, errno.EINVAL, MAP_FLAGS),
            not_equal(3, errno.EPERM, MAP_SHARED_ANONYMOUS, mask=MAP_SHARED_ANONYMOUS),
        ],
        "madvise": [one_of(2, errno.EINVAL, *ADVICE)],
        "msync": [one_of(2, UNDONE, 0, mask=MS_SYNC)],
        "fcntl": [one_of(1, errno.ENOSYS, *FILE_COMMANDS)],
        "ioctl": [one_of(1, errno.ENOTTY, *DEVICE_COMMANDS)],
        "pipe2": [only_flags(1, errno.EINVAL, PIPE_FLAGS)],
        "preadv2": no_flags,
        "pwritev2": no_flags,
        "clone": [
            only_flags(0, errno.EPERM, CLONE_FLAGS),
            one_of(0, errno.EINVAL, 0, SIGCHLD, mask=0xFF),
        ],
        "arch_prctl": [one_of(0, errno.EINVAL, *THREAD_REGISTERS)],
        "prctl": [one_of(0, errno.EINVAL, *PROCESS_OPTIONS)],
        "clock_gettime": clock,
        "clock_getres": clock,
        "clock_nanosleep": clock,
        "timer_create": clock,
        "timerfd_create": clock,
        "socket": family,
        "socketpair": family,
        "getsockopt": [
            one_of(1, errno.ENOPROTOOPT, SOL_SOCKET),
            one_of(2, errno.ENOPROTOOPT, *SOCKET_OPTIONS_READ),
        ],
        "setsockopt": [
            one_of(1, errno.ENOPROTOOPT, SOL_SOCKET),
            one_of(2, errno.ENOPROTOOPT, *SOCKET_OPTIONS_SET),
        ],
        # A bot may change its own limits, processors and priority, never those of the pilot.
        "prlimit64": [*itself, Unset(2), not_equal(1, errno.EPERM, CORE_LIMIT)],
        "setrlimit": [not_equal(0, errno.EPERM, CORE_LIMIT)],
        "sched_setaffinity": itself,
        "setpriority": [*itself, one_of(1, errno.EPERM, 0)],
    }


def permitted(name: str) -> str:
    if name not in PERMITTABLE:
        raise ValueError(
            f"{name!r} cannot be allowed; expected any of {', '.join(sorted(PERMITTABLE))}"
        )
    return name


def filter_program(
    *,
    building: bool = False,
    machine: str | None = None,
    allowed: Collection[str] = (),
) -> bytes:
    """Assemble the filter for a machine (this one, if none is named), ready for `PR_SET_SECCOMP`.

    `building` allows the calls of `BUILDS_NEED` and sockets of the internet; `allowed` are names
    from `PERMITTABLE`. Calls without a rule are told to a listener, and get ENOSYS where there is
    none. A call of another architecture kills the program: it would pass under
    another number. Raises `KeyError` for a machine that is not in `MACHINES`, and `ValueError` for
    a call that can't be allowed.
    """
    machine = machine or platform.machine()
    audit = MACHINES[machine]
    calls = numbers(machine)
    bodies = {name: [_code(RETURN, REFUSE | error)] for name, error in ANSWERED.items()}
    free = (*ALLOWED, *(BUILDS_NEED if building else ()), *map(permitted, allowed))
    bodies |= {name: [_code(RETURN, ALLOW)] for name in free}
    bodies |= {name: _tests(rows) for name, rows in checks(machine, building=building).items()}
    default = [_code(RETURN, NOTIFY)]
    by_number = {calls[name]: body for name, body in bodies.items() if name in calls}
    sections = [(0, by_number.get(0, default))]
    for number in range(1, max(calls.values()) + 2):
        body = by_number.get(number, default)
        if body != sections[-1][1]:
            sections.append((number, body))
    if machine == "x86_64":
        sections.append((X32, [_code(RETURN, KILL)]))
    return b"".join(
        [
            _code(LOAD, ARCHITECTURE),
            _code(EQUAL, audit, 1, 0),
            _code(RETURN, KILL),
            _code(LOAD, NUMBER),
            *_search(sections),
        ]
    )


def _search(sections: Sequence[tuple[int, list[bytes]]]) -> list[bytes]:
    """Assemble a binary search for the section of the loaded number."""
    if len(sections) == 1:
        return sections[0][1]
    middle = len(sections) // 2
    lower, upper = _search(sections[:middle]), _search(sections[middle:])
    first = sections[middle][0]
    if len(lower) <= LONGEST_JUMP:
        return [_code(AT_LEAST, first, len(lower), 0), *lower, *upper]
    return [_code(AT_LEAST, first, 0, 1), _code(JUMP, len(lower)), *lower, *upper]


def _tests(rows: Tests) -> list[bytes]:
    code: list[bytes] = []
    for row in rows:
        if isinstance(row, Unset):
            place = ARGUMENTS + 8 * row.argument
            code += [_code(LOAD, place), _code(EQUAL, 0, 0, 3)]
            code += [_code(LOAD, place + 4), _code(EQUAL, 0, 0, 1), _code(RETURN, ALLOW)]
            continue
        code.append(_code(LOAD, ARGUMENTS + 8 * row.argument))
        if row.mask != MOST:
            code.append(_code(AND, row.mask))
        code += _ranges(row.ranges)
        code.append(_code(RETURN, REFUSE | row.error))
    return [*code, _code(RETURN, ALLOW)]


def _ranges(ranges: Sequence[tuple[int, int]]) -> list[bytes]:
    """Jump over the next instruction after these if the loaded value is in one of the ranges."""
    code: list[bytes] = []
    for low, high in reversed(ranges):
        passed = len(code) + 1
        if low == high:
            step = [_code(EQUAL, low, passed, 0)]
        elif high == MOST:
            step = [_code(AT_LEAST, low, passed, 0)]
        else:
            step = [_code(ABOVE, high, 0, passed)]
            if low:
                step.insert(0, _code(AT_LEAST, low, 0, 1))
        code = step + code
    return code


def _code(operation: int, value: int, if_true: int = 0, if_false: int = 0) -> bytes:
    return struct.pack("=HBBI", operation, if_true, if_false, value)
