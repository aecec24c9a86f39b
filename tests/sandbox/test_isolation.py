"""The parts of the walls that can be looked at one by one."""

import errno
import secrets
import struct

import pytest

from card_arena.common.text import decoded
from card_arena.sandbox.backends.registry import backend
from card_arena.sandbox.kernel import cgroups
from card_arena.sandbox.kernel.calls import call_name, numbers
from card_arena.sandbox.kernel.cgroups import PREFIX, hierarchies, new_group
from card_arena.sandbox.kernel.seccomp import (
    ALLOWED,
    ANSWERED,
    BUILDS_NEED,
    MACHINES,
    checks,
    filter_program,
)
from card_arena.sandbox.limits import MIB, Limits
from card_arena.sandbox.sandbox import BackendMissing
from card_arena.sandbox.session.stdin_session import decode_line
from card_arena.tests.needs import need_sandbox
from card_arena.tests.sandbox.bots_for_sandboxes import ECHO, python_bot

ALLOW, NOTIFY, KILL, REFUSE = 0x7FFF0000, 0x7FC00000, 0x80000000, 0x00050000


def judge(program, machine, number, *arguments):
    """Run a filter as the kernel would."""
    arguments = [*arguments, 0, 0, 0, 0, 0, 0][:6]
    data = struct.pack("=IIQ6Q", number, machine, 0, *arguments)
    code = list(struct.iter_unpack("=HBBI", program))
    place, loaded = 0, 0
    while True:
        operation, if_true, if_false, value = code[place]
        place += 1
        match operation:
            case 0x20:
                (loaded,) = struct.unpack_from("=I", data, value)
            case 0x54:
                loaded &= value
            case 0x15:
                place += if_true if loaded == value else if_false
            case 0x25:
                place += if_true if loaded > value else if_false
            case 0x05:
                place += value
            case 0x35:
                place += if_true if loaded >= value else if_false
            case 0x06:
                return value


UNLISTED, DONE = REFUSE | errno.ENOSYS, REFUSE
PILOTS_CLOCK, CLOCK_OF_2, CLOCK_OF_ITSELF = 2**32 - 14, 2**32 - 22, 2**32 - 6

CALLS = {
    # what it does: name, arguments, what becomes of it
    "read": ("read", (), ALLOW),
    "execve": ("execve", (), ALLOW),
    "a thread": ("clone", (0x3D0F00,), ALLOW),
    "a child": ("clone", (0x1200011,), ALLOW),
    "a user namespace": ("clone", (0x10000011,), REFUSE | errno.EPERM),
    "a child of the pilot": ("clone", (0x8011,), REFUSE | errno.EPERM),
    "a child that ends without a signal": ("clone", (0,), ALLOW),
    "a child that ends with another signal": ("clone", (10,), REFUSE | errno.EINVAL),
    "clone3, for which libraries have a substitute": ("clone3", (), UNLISTED),
    "passing descriptors": ("sendmsg", (), UNLISTED),
    "passing descriptors by several messages": ("sendmmsg", (), UNLISTED),
    "sending without descriptors": ("sendto", (), ALLOW),
    "a filter of system calls": ("seccomp", (1,), UNLISTED),
    "a filter by prctl": ("prctl", (22, 2), REFUSE | errno.EINVAL),
    "PR_SET_NAME": ("prctl", (15,), ALLOW),
    "PR_SET_MEMORY_MERGE": ("prctl", (67, 1), REFUSE | errno.EINVAL),
    "a filter of packets": ("setsockopt", (3, 1, 26), REFUSE | errno.ENOPROTOOPT),
    "a BPF filter of packets": ("setsockopt", (3, 1, 50), REFUSE | errno.ENOPROTOOPT),
    "an option of another level": ("setsockopt", (3, 6, 2), REFUSE | errno.ENOPROTOOPT),
    "SO_PASSCRED": ("setsockopt", (3, 1, 16), ALLOW),
    "SO_PASSPIDFD": ("setsockopt", (3, 1, 76), REFUSE | errno.ENOPROTOOPT),
    "SO_PEERCRED": ("getsockopt", (3, 1, 17), ALLOW),
    "SO_COOKIE": ("getsockopt", (3, 1, 57), REFUSE | errno.ENOPROTOOPT),
    "the state of a file system": ("ustat", (), UNLISTED),
    "where memory lies": ("mbind", (), UNLISTED),
    "a mount": ("mount", (), UNLISTED),
    "a listing of mounts": ("statmount", (), UNLISTED),
    "watching files": ("inotify_init1", (), UNLISTED),
    "ptrace": ("ptrace", (), UNLISTED),
    "shmget": ("shmget", (), UNLISTED),
    "keyctl": ("keyctl", (), UNLISTED),
    "splice": ("splice", (), UNLISTED),
    "io_setup": ("io_setup", (1,), UNLISTED),
    "mincore": ("mincore", (), UNLISTED),
    "openat2": ("openat2", (), UNLISTED),
    "a reading of attributes": ("getxattr", (), REFUSE | errno.EOPNOTSUPP),
    "a touched file": ("utimensat", (), REFUSE | errno.EPERM),
    "a new file": ("openat", (0, 0, 0x80241), ALLOW),
    "a file without a name": ("openat", (0, 0, 0x410002), REFUSE | errno.EOPNOTSUPP),
    "a file that signals": ("openat", (0, 0, 0x2000), REFUSE | errno.EOPNOTSUPP),
    "F_GETFL": ("fcntl", (3, 3), ALLOW),
    "F_SETFL": ("fcntl", (3, 4, 0x800), ALLOW),
    "F_DUPFD_CLOEXEC": ("fcntl", (3, 1030), ALLOW),
    "F_SETLK": ("fcntl", (3, 6), UNLISTED),
    "F_NOTIFY": ("fcntl", (3, 1026), UNLISTED),
    "F_SETOWN": ("fcntl", (0, 8), UNLISTED),
    "F_SETPIPE_SZ": ("fcntl", (0, 1031), UNLISTED),
    "F_SET_RW_HINT": ("fcntl", (0, 1036), UNLISTED),
    "FIONREAD": ("ioctl", (0, 0x541B), ALLOW),
    "TCGETS": ("ioctl", (0, 0x5401), ALLOW),
    "TIOCSTI": ("ioctl", (0, 0x5412), REFUSE | errno.ENOTTY),
    "FIOASYNC": ("ioctl", (0, 0x5452), REFUSE | errno.ENOTTY),
    "SIOCGIFCONF": ("ioctl", (0, 0x8912), REFUSE | errno.ENOTTY),
    "FS_IOC_FIEMAP": ("ioctl", (0, 0xC020660B), REFUSE | errno.ENOTTY),
    "a pipe": ("pipe2", (0, 0x80800), ALLOW),
    "a queue of notifications": ("pipe2", (0, 0x80), REFUSE | errno.EINVAL),
    "fsync": ("fsync", (3,), DONE),
    "posix_fadvise": ("fadvise64", (3, 0, 0, 4), DONE),
    "msync to the disk": ("msync", (0, 4096, 4), DONE),
    "msync that asks whether an address is mapped": ("msync", (0, 4096, 1), ALLOW),
    "preadv2 without flags": ("preadv2", (3, 0, 1, 0, 0, 0), ALLOW),
    "preadv2 of what is in memory": ("preadv2", (3, 0, 1, 0, 0, 8), REFUSE | errno.EOPNOTSUPP),
    "pwritev2 with a flag": ("pwritev2", (3, 0, 1, 0, 0, 1), REFUSE | errno.EOPNOTSUPP),
    "private memory": ("mmap", (0, 4096, 3, 0x22), ALLOW),
    "a shared file": ("mmap", (0, 4096, 3, 1), ALLOW),
    "shared memory without a file": ("mmap", (0, 4096, 3, 0x21), REFUSE | errno.EPERM),
    "locked memory": ("mmap", (0, 4096, 3, 0x2022), REFUSE | errno.EINVAL),
    "MADV_DONTNEED": ("madvise", (0, 4096, 4), ALLOW),
    "MADV_PAGEOUT": ("madvise", (0, 4096, 21), REFUSE | errno.EINVAL),
    "MADV_MERGEABLE": ("madvise", (0, 4096, 12), REFUSE | errno.EINVAL),
    "when a file was made": ("statx", (0, 0, 0, 0xFFF), REFUSE | errno.ENOSYS),
    "waking a thread of its own": ("futex", (0, 0x81, 1), ALLOW),
    "waking other users of the file, which node can not do without": ("futex", (0, 1, 1), ALLOW),
    "the time of day": ("clock_gettime", (0,), ALLOW),
    "its own processor time": ("clock_gettime", (CLOCK_OF_ITSELF,), ALLOW),
    "that of process 2": ("clock_gettime", (CLOCK_OF_2,), ALLOW),
    "the pilot's processor time": ("clock_gettime", (PILOTS_CLOCK,), REFUSE | errno.EINVAL),
    "a timer by it": ("timer_create", (PILOTS_CLOCK,), REFUSE | errno.EINVAL),
    "a unix socket": ("socket", (1,), ALLOW),
    "an internet socket": ("socket", (2,), REFUSE | errno.EAFNOSUPPORT),
    "a vsock": ("socket", (40,), REFUSE | errno.EAFNOSUPPORT),
    "its own limits": ("prlimit64", (0, 7), ALLOW),
    "the pilot's limits": ("prlimit64", (1, 7), REFUSE | errno.EPERM),
    "reading the limit of core dumps": ("prlimit64", (0, 4, 0), ALLOW),
    "setting the limit of core dumps": ("prlimit64", (0, 4, 7 << 32), REFUSE | errno.EPERM),
    "setting it by the old call": ("setrlimit", (4,), REFUSE | errno.EPERM),
    "another limit by the old call": ("setrlimit", (7,), ALLOW),
    "its own niceness": ("setpriority", (0, 0, 5), ALLOW),
    "everybody's niceness": ("setpriority", (2, 0, 5), REFUSE | errno.EPERM),
    "the pilot's niceness": ("setpriority", (0, 1, 5), REFUSE | errno.EPERM),
}


@pytest.mark.parametrize("machine", sorted(MACHINES))
@pytest.mark.parametrize("name", CALLS)
def test_the_filter_judges_a_call(machine, name):
    call, arguments, verdict = CALLS[name]
    number = numbers(machine).get(call, 9999)  # aarch64 has no ustat
    judged = judge(filter_program(machine=machine), MACHINES[machine], number, *arguments)
    assert (UNLISTED if judged == NOTIFY else judged) == verdict


@pytest.mark.parametrize("machine", sorted(MACHINES))
@pytest.mark.parametrize("building", [False, True])
def test_every_call_without_a_rule_is_refused_or_told_to_a_listener(machine, building):
    known = numbers(machine)
    tested = checks(machine, building=building)
    free = {*ALLOWED, *(BUILDS_NEED if building else ())}
    program = filter_program(building=building, machine=machine)
    for name, number in [*known.items(), ("one of the future", max(known.values()) + 1)]:
        verdict = judge(program, MACHINES[machine], number)
        if name in free:
            assert verdict == ALLOW, name
        elif name in ANSWERED:
            assert verdict == REFUSE | ANSWERED[name], name
        elif name not in tested:
            assert verdict == NOTIFY, name


def test_an_organiser_allows_a_call_by_name():
    x86, number = MACHINES["x86_64"], numbers("x86_64")["memfd_create"]
    assert judge(filter_program(machine="x86_64"), x86, number) == UNLISTED
    program = filter_program(machine="x86_64", allowed=["memfd_create", "utime"])
    assert judge(program, x86, number) == ALLOW
    for name in ("ptrace", "mount", "sendmsg", "setsockopt", "nonsense"):
        with pytest.raises(ValueError, match=f"'{name}' cannot be allowed; expected"):
            filter_program(machine="x86_64", allowed=[name])


@pytest.mark.parametrize("kind", ["bubblewrap", "docker"])
def test_a_sandbox_with_an_allowed_call_makes_it_and_another_does_not(kind, tmp_path):
    need_sandbox(kind)
    code = "import os\ntry: print(os.memfd_create('a') > 0)\nexcept OSError as e: print(e.strerror)"
    bot = python_bot(tmp_path / "bot", code)
    answers = {(): "Function not implemented", ("memfd_create",): "True"}
    for calls, answer in answers.items():
        with backend(kind).open(bot, Limits(cpu=5.0, calls=calls)) as sandbox:
            assert sandbox.run((), 10.0).line == answer


@pytest.mark.parametrize("machine", sorted(MACHINES))
def test_calls_are_named_as_the_kernel_names_them(machine):
    known = {"x86_64": {0: "read", 57: "fork", 334: "rseq", 425: "io_uring_setup", 462: "mseal"}}
    known["aarch64"] = {0: "io_setup", 63: "read", 260: "wait4", 293: "rseq", 425: "io_uring_setup"}
    for number, name in known[machine].items():
        assert call_name(number, machine) == name
    assert call_name(9999, machine) == "system call 9999"


def test_a_call_of_another_architecture_kills():
    program = filter_program(machine="x86_64")
    assert judge(program, 0x40000003, 1) == KILL
    assert judge(program, MACHINES["x86_64"], 0x40000000 + 59) == KILL


def test_a_build_may_lock_touch_and_talk_to_itself():
    program = filter_program(building=True, machine="x86_64")
    x86, known = MACHINES["x86_64"], numbers("x86_64")
    for name in BUILDS_NEED:
        assert judge(program, x86, known[name]) == ALLOW
    assert judge(program, x86, known["socket"], 2) == ALLOW
    assert judge(program, x86, known["socket"], 40) == REFUSE | errno.EAFNOSUPPORT
    assert judge(program, x86, known["sendmsg"]) == NOTIFY


@pytest.mark.skipif(not hierarchies(), reason="no control groups here")
def test_a_group_is_made_counted_and_removed():
    group = new_group()
    group.bound(64 * MIB, 10)
    assert group is not None
    folders = set(group._folders.values())
    assert all(folder.name.startswith(f"{PREFIX}-") for folder in folders)
    assert not group.out_of_memory()
    group.remove()
    assert not any(folder.exists() for folder in folders)


@pytest.mark.skipif(
    not any("cpu" in hierarchy.controllers for hierarchy in hierarchies()),
    reason="no control groups with the processor here",
)
def test_the_groups_of_a_nice_process_have_a_tenth_of_the_weight_of_others(monkeypatch):
    weights = []
    for niceness in (0, 10):
        monkeypatch.setattr(cgroups, "niceness", niceness)
        group = new_group()
        files = [group._folders["cpu"] / name for name in ("cpu.weight", "cpu.shares")]
        weights += [int(file.read_text()) for file in files if file.exists()]
        group.remove()
    assert 9 < weights[0] / weights[1] < 12


@pytest.mark.skipif(not hierarchies(), reason="no control groups here")
def test_the_groups_of_a_killed_run_are_swept_away(monkeypatch):
    corner = hierarchies()[0].base / f"sweeping-{secrets.token_hex(8)}"
    left = corner / f"{PREFIX}-left"
    left.mkdir(parents=True)
    try:
        monkeypatch.setattr(cgroups, "ABANDONED", 24 * 3600.0)  # no machine is so busy
        cgroups.sweep(corner)
        assert left.exists(), "one that is empty for a moment is not swept away"
        monkeypatch.setattr(cgroups, "ABANDONED", -1.0)
        cgroups.sweep(corner)
        assert not left.exists()
    finally:
        corner.rmdir()


def test_a_processor_without_a_filter_is_named_before_anything_is_laid_out(monkeypatch, tmp_path):
    monkeypatch.setattr("platform.machine", lambda: "riscv64")
    with pytest.raises(BackendMissing, match="x86_64 and aarch64 only; this machine is riscv64"):
        backend("bubblewrap").open(python_bot(tmp_path / "bot", ECHO), Limits())


def test_what_a_bot_wrote_is_text_that_harms_no_terminal():
    assert decode_line(b"S\r\n") == "S"
    assert decode_line(b"\xffS") == "\\xffS"
    assert decoded(b"a\n\tb\x1b[2J\x00\xff\xc2\x9b") == "a\n\tb\\x1b[2J\\x00\\xff\\x9b"
