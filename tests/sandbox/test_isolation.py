"""The parts of the walls that can be looked at one by one."""

import errno
import secrets
import struct

import pytest

from common.escaping import decoded
from sandbox.backends.registry import backend
from sandbox.box import BackendMissing
from sandbox.kernel import cgroup_tree
from sandbox.kernel.cgroup_tree import PREFIX, hierarchies
from sandbox.kernel.cgroups import new_group
from sandbox.kernel.seccomp import MACHINES, filter_program
from sandbox.limits import MIB, Limits
from sandbox.session.stdin_session import decode_line
from tests.sandbox.bots_for_boxes import ECHO, python_bot

ALLOW, KILL, REFUSE = 0x7FFF0000, 0x80000000, 0x00050000


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
            case 0x45:
                place += if_true if loaded & value else if_false
            case 0x35:
                place += if_true if loaded >= value else if_false
            case 0x06:
                return value


CALLS = {
    # name: (x86_64, aarch64), arguments, what becomes of it
    "read": ((0, 63), (), ALLOW),
    "execve": ((59, 221), (), ALLOW),
    "ptrace": ((101, 117), (), REFUSE | errno.EPERM),
    "shmget": ((29, 194), (), REFUSE | errno.ENOSYS),
    "keyctl": ((250, 219), (), REFUSE | errno.ENOSYS),
    "a thread": ((56, 220), (0x3D0F00,), ALLOW),
    "a user namespace": ((56, 220), (0x10000011,), REFUSE | errno.EPERM),
    "F_GETFL": ((72, 25), (3, 3), ALLOW),
    "F_SETLK": ((72, 25), (3, 6), REFUSE | errno.ENOSYS),
    "F_NOTIFY": ((72, 25), (3, 1026), REFUSE | errno.ENOSYS),
    "F_SETFL": ((72, 25), (3, 4, 0x800), ALLOW),
    "F_SETOWN": ((72, 25), (0, 8), REFUSE | errno.ENOSYS),
    "F_SETSIG": ((72, 25), (0, 10), REFUSE | errno.ENOSYS),
    "F_SETOWN_EX": ((72, 25), (0, 15), REFUSE | errno.ENOSYS),
    "F_GET_RW_HINT": ((72, 25), (0, 1035), ALLOW),
    "F_SET_RW_HINT": ((72, 25), (0, 1036), REFUSE | errno.ENOSYS),
    "F_SET_FILE_RW_HINT": ((72, 25), (0, 1038), REFUSE | errno.ENOSYS),
    "FIOASYNC": ((16, 29), (0, 0x5452), REFUSE | errno.EPERM),
    "FIOSETOWN": ((16, 29), (0, 0x8901), REFUSE | errno.EPERM),
    "FIONREAD": ((16, 29), (0, 0x541B), ALLOW),
    "TCGETS2": ((16, 29), (0, 0x802C542A), ALLOW),
    "SIOCGIFCONF": ((16, 29), (0, 0x8912), ALLOW),
    "FS_IOC_FIEMAP": ((16, 29), (0, 0xC020660B), REFUSE | errno.ENOTTY),
    "FS_IOC_SETFLAGS": ((16, 29), (0, 0x40086602), REFUSE | errno.ENOTTY),
    "RNDGETENTCNT": ((16, 29), (0, 0x80045200), REFUSE | errno.ENOTTY),
    "io_setup": ((206, 0), (1,), REFUSE | errno.ENOSYS),
    "mincore": ((27, 232), (), REFUSE | errno.ENOSYS),
    "openat2": ((437, 437), (), REFUSE | errno.ENOSYS),
    "fsync": ((74, 82), (3,), REFUSE),
    "posix_fadvise": ((221, 223), (3, 0, 0, 4), REFUSE),
    "msync to the disk": ((26, 227), (0, 4096, 4), REFUSE),
    "msync that asks whether an address is mapped": ((26, 227), (0, 4096, 1), ALLOW),
    "preadv2 without flags": ((327, 286), (3, 0, 1, 0, 0, 0), ALLOW),
    "preadv2 of what is in memory": ((327, 286), (3, 0, 1, 0, 0, 8), REFUSE | errno.EOPNOTSUPP),
    "pwritev2 with a flag": ((328, 287), (3, 0, 1, 0, 0, 1), REFUSE | errno.EOPNOTSUPP),
    "MADV_DONTNEED": ((28, 233), (0, 4096, 4), ALLOW),
    "MADV_PAGEOUT": ((28, 233), (0, 4096, 21), REFUSE | errno.EINVAL),
    "MADV_MERGEABLE": ((28, 233), (0, 4096, 12), REFUSE | errno.EINVAL),
    "PR_SET_NAME": ((157, 167), (15,), ALLOW),
    "PR_SET_MEMORY_MERGE": ((157, 167), (67, 1), REFUSE | errno.EINVAL),
    "waking a thread of its own": ((202, 98), (0, 0x81, 1), ALLOW),
    "waiting for the end of a thread": ((202, 98), (0, 0x109, 7), ALLOW),
    "waking whoever has the file, which node can not do without": ((202, 98), (0, 1, 1), ALLOW),
    "SO_PEERCRED": ((55, 209), (3, 1, 17), ALLOW),
    "SO_COOKIE": ((55, 209), (3, 1, 57), REFUSE | errno.ENOPROTOOPT),
    "SO_PASSCRED": ((54, 208), (3, 1, 16), ALLOW),
    "SO_PASSPIDFD": ((54, 208), (3, 1, 76), REFUSE | errno.ENOPROTOOPT),
    "the time of day": ((228, 113), (0,), ALLOW),
    "its own processor time": ((228, 113), (2**32 - 6,), ALLOW),
    "that of process 2": ((228, 113), (2**32 - 22,), ALLOW),
    "the pilot's processor time": ((228, 113), (2**32 - 14,), REFUSE | errno.EINVAL),
    "a timer by it": ((222, 107), (2**32 - 14,), REFUSE | errno.EINVAL),
    "TIOCSTI": ((16, 29), (0, 0x5412), REFUSE | errno.EPERM),
    "TCGETS": ((16, 29), (0, 0x5401), ALLOW),
    "a unix socket": ((41, 198), (1,), ALLOW),
    "an internet socket": ((41, 198), (2,), REFUSE | errno.EAFNOSUPPORT),
    "a vsock": ((41, 198), (40,), REFUSE | errno.EAFNOSUPPORT),
    "its own limits": ((302, 261), (0, 7), ALLOW),
    "the pilot's limits": ((302, 261), (1, 7), REFUSE | errno.EPERM),
    "reading the limit of core dumps": ((302, 261), (0, 4, 0), ALLOW),
    "setting the limit of core dumps": ((302, 261), (0, 4, 7 << 32), REFUSE | errno.EPERM),
    "setting it by the old call": ((160, 164), (4,), REFUSE | errno.EPERM),
    "another limit by the old call": ((160, 164), (7,), ALLOW),
    "its own niceness": ((141, 140), (0, 0, 5), ALLOW),
    "everybody's niceness": ((141, 140), (2, 0, 5), REFUSE | errno.EPERM),
    "the pilot's niceness": ((141, 140), (0, 1, 5), REFUSE | errno.EPERM),
}


@pytest.mark.parametrize("machine", sorted(MACHINES))
@pytest.mark.parametrize("name", CALLS)
def test_the_filter_judges_a_call(machine, name):
    numbers, arguments, verdict = CALLS[name]
    audit, column = MACHINES[machine]
    program = filter_program(machine=machine)
    assert judge(program, audit, numbers[column], *arguments) == verdict


def test_a_call_of_another_architecture_kills():
    program = filter_program(machine="x86_64")
    assert judge(program, 0x40000003, 1) == KILL
    assert judge(program, MACHINES["x86_64"].audit, 0x40000000 + 59) == KILL


def test_a_build_may_lock_touch_and_talk_to_itself():
    program = filter_program(building=True, machine="x86_64")
    x86 = MACHINES["x86_64"].audit
    assert judge(program, x86, 73) == ALLOW
    assert judge(program, x86, 280) == ALLOW
    assert judge(program, x86, 41, 2) == ALLOW
    assert judge(program, x86, 41, 40) == REFUSE | errno.EAFNOSUPPORT


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


@pytest.mark.skipif(not hierarchies(), reason="no control groups here")
def test_the_groups_of_a_killed_run_are_swept_away(monkeypatch):
    corner = hierarchies()[0].base / f"sweeping-{secrets.token_hex(8)}"
    left = corner / f"{PREFIX}-left"
    left.mkdir(parents=True)
    try:
        cgroup_tree.sweep(corner)
        assert left.exists(), "one that is empty for a moment is not swept away"
        monkeypatch.setattr(cgroup_tree, "ABANDONED", -1.0)
        cgroup_tree.sweep(corner)
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
