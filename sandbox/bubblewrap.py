"""Boxes made of Linux namespaces by bubblewrap: the default, and what submissions run in.

Every line of the command below is a wall. A referee that is root first becomes a user of the
box's own: bubblewrap started by root would map the bot to root, whom neither process limits nor
file permissions stop.
"""

from __future__ import annotations

import hashlib
import os
import platform
import secrets
import select
import shutil
import socket
import stat
import subprocess
import sys
import tempfile
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from functools import cache, partial
from itertools import chain
from pathlib import Path

from sandbox.box import Backend, BackendMissing, Box, BoxBroken, BuiltFile, Guarantee, Program
from sandbox.builds import default_cache
from sandbox.cgroups import Group, new_group
from sandbox.doctor import bubblewrap_means, examine
from sandbox.handle import GREETING, PilotSilent, Sandbox
from sandbox.languages import LANGUAGES
from sandbox.limits import BuildLimits, Limits
from sandbox.pilot import PID_COUNTER
from sandbox.piloted import PilotedBox, piloting, terms
from sandbox.products import build_in
from sandbox.promises import PROMISES
from sandbox.remedies import bubblewrap_remedy
from sandbox.seccomp import MACHINES, filter_program
from sandbox.wire import ENTER

ENVIRONMENT: Mapping[str, str] = {
    "PATH": "/usr/local/bin:/usr/bin:/bin",
    "HOME": "/tmp",
    "LANG": "C.UTF-8",
    "PYTHONHASHSEED": "0",
}
SYSTEM_PATHS = (
    *("usr", "bin", "sbin", "lib", "lib32", "lib64", "libx32"),
    *("etc/alternatives", "etc/ld.so.cache", "etc/ld.so.conf", "etc/ld.so.conf.d"),
    *(path for language in LANGUAGES.values() for path in language.paths),
)
"""What of the host a box sees, read-only, where it exists; `*` stands for any ending."""
DEVICES = ("null", "zero", "full", "random", "urandom")
MASKED = (
    *("stat", "loadavg", "uptime", "vmstat", "interrupts", "softirqs", "diskstats", "schedstat"),
    *("timer_list", "kallsyms", "keys", "key-users", "locks", "kcore", "zoneinfo", "buddyinfo"),
    *("swaps", "pagetypeinfo", "slabinfo", "pressure", "sys/fs"),
)
"""Files and folders of /proc in which one box could see what another does."""
INSIDE, EMPTY = "/arena", "empty"
PILOTS_FILES: Mapping[str, bytes] = {
    "passwd": b"bot:x:1000:1000::/tmp:/bin/sh\n",
    "group": b"bot:x:1000:\n",
}
"""What lies beside the pilot's modules, and is seen in /etc."""
MODULES = (
    *("sandbox/wire", "sandbox/census", "sandbox/ears", "sandbox/hardening", "sandbox/pilot"),
    *("sandbox/scales", "sandbox/workshop"),
    *("sandbox/warming", "sandbox/warm_python", "sandbox/warm_ending"),
)
COMPILE = """
import sys, marshal, _frozen_importlib_external as importer
for source, target in zip(sys.argv[1::2], sys.argv[2::2]):
    with open(source, "rb") as file:
        code = marshal.dumps(compile(file.read(), source, "exec", dont_inherit=True))
    with open(target, "wb") as file:
        file.write(importer.MAGIC_NUMBER + bytes(12) + code)
"""
ROOT = Path(__file__).parent.parent
BOX_PYTHON = Path("/usr/bin/python3")

FIRST_USER, LAST_USER = 1879048192, 2147483646
"""User numbers that no distribution gives to users, services or containers."""
NOBODY = 65534
COPY_PREFIX = "card-arena-"


class Bubblewrap(Backend):
    """Linux namespaces: own processes, own network, own files, nothing shared."""

    name = "bubblewrap"

    def open(self, program: Program, limits: Limits) -> Box:
        """Make a box around a program; raises `BackendMissing` or `BoxBroken`."""
        return PilotedBox(partial(launch, program, limits), limits)

    def build(
        self,
        files: Mapping[str, bytes],
        steps: Sequence[Sequence[str]],
        limits: BuildLimits,
        image: str = "",  # noqa: ARG002
    ) -> tuple[Mapping[str, BuiltFile], str]:
        """Run a build in a box of its own, without network, and hand back its files and log."""
        return build_in(partial(launch_workshop, limits), files, steps, limits)

    def guarantees(self, names: Collection[str] = tuple(PROMISES)) -> Sequence[Guarantee]:
        """Try out, here and now, which of these promises this backend can keep on this machine."""
        return examine(self, bubblewrap_means(), names)


def launch(program: Program, limits: Limits) -> Sandbox:
    """Start a sandbox around a program and greet its pilot."""
    _prepare()
    user = choose_user()
    try:
        folder, remove = _readable(program.folder, user)
    except OSError as error:
        raise BoxBroken(f"a bot's files can't be laid out for its box: {error}") from error
    group = new_group(limits.memory, limits.processes + 1)
    walls = ["--ro-bind", str(folder), "/bot"]
    walls += ["--size", str(limits.scratch), "--tmpfs", "/tmp"]
    inside = piloting(program, limits, counted=group is not None, own_user=True, scratch="/tmp")
    environment = {**ENVIRONMENT, **program.environment}
    return _start(walls, inside, filter_program(), environment, user, group, remove)


def launch_workshop(limits: BuildLimits) -> Sandbox:
    """Start a sandbox in which a bot is built: its folder is empty and can be written to."""
    _prepare()
    group = new_group(limits.memory, limits.processes + 1)
    walls = ["--size", str(2 * limits.product), "--tmpfs", "/bot"]
    walls += ["--size", str(limits.product), "--tmpfs", "/tmp"]
    inside = [
        "sandbox.workshop",
        *terms(limits, counted=group is not None, own_user=True, scratch=""),
    ]
    refusals = filter_program(building=True)
    return _start(walls, inside, refusals, ENVIRONMENT, choose_user(), group, lambda: None)


def _start(
    walls: Sequence[str],
    inside: Sequence[str],
    refusals: bytes,
    environment: Mapping[str, str],
    user: int | None,
    group: Group | None,
    remove: Callable[[], None],
) -> Sandbox:
    """Run a module of ours as the first process of a sandbox, and greet it."""
    ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    log = os.memfd_create("log")
    news, info = os.pipe()
    command = [
        *_becoming(user, covered=user is not None and proc_is_covered()),
        *(bwrap_path(), "--info-fd", str(info), *NAMESPACES, *_system()),
        *(*walls, "--chdir", "/bot", "--remount-ro", "/proc", "--remount-ro", "/"),
        *_each("--setenv", environment.items()),
        *("--", str(box_python()), "-I", "-S", "-c", ENTER, INSIDE),
        *(inside[0], str(theirs.fileno()), *inside[1:]),
    ]
    try:
        process = subprocess.Popen(
            command,
            stdin=subprocess.DEVNULL,
            stdout=log,
            stderr=log,
            cwd="/",
            env={},
            pass_fds=(theirs.fileno(), info),
        )
    except OSError as error:
        ours.close()
        os.close(news)
        os.close(log)
        remove()
        if group:
            group.remove()
        raise BackendMissing(f"bubblewrap can't be run here: {error}") from error
    finally:
        theirs.close()
        os.close(info)
    sandbox = Sandbox(process, ours, group, remove)
    try:
        sandbox.join(_first_process(news))
        sandbox.greet(refusals)
    except (PilotSilent, OSError) as error:
        sandbox.close()
        text = os.pread(log, 2000, 0).decode(errors="replace").strip()
        remedy = bubblewrap_remedy(text)
        if remedy:
            raise BackendMissing(remedy) from error
        raise BoxBroken(f"a sandbox did not start: {text or error}") from error
    except BaseException:  # Ctrl-C in the middle leaves nothing behind either
        sandbox.close()
        raise
    finally:
        os.close(log)
        os.close(news)
    return sandbox


def _first_process(news: int) -> int | None:
    """The number, on the host, of a new sandbox's first process, as bubblewrap tells it.

    None where it ends, or says nothing in time: whoever waits for the pilot then sees why.
    """
    told = b""
    poll = select.poll()
    poll.register(news, select.POLLIN)
    while b"," not in told:
        if not poll.poll(GREETING * 1000):
            return None
        more = os.read(news, 4096)
        if not more:
            return None
        told += more
    return int(told.partition(b",")[0].rpartition(b":")[2])


NAMESPACES = (
    *("--unshare-user", "--unshare-ipc", "--unshare-pid", "--unshare-net", "--unshare-uts"),
    *("--unshare-cgroup-try", "--uid", "1000", "--gid", "1000", "--hostname", "box"),
    *("--as-pid-1", "--new-session", "--cap-drop", "ALL", "--clearenv"),
    # for the pilot alone, to set the counter of process numbers back
    *("--cap-add", "CAP_CHECKPOINT_RESTORE"),
)


UNCOVERED = (
    "/usr/bin/unshare",
    "--mount",
    "/bin/sh",
    "-c",
    'mount -t proc proc /proc && exec "$@"',
)
"""Runs what follows behind a mount of /proc of its own."""


def _becoming(user: int | None, *, covered: bool) -> Iterator[str]:
    """The beginning of a command that is run as another user.

    If Python changed the user itself it would have to copy this process first, which takes the
    longer the more the referee holds.
    """
    if user is not None:
        if covered:
            yield from (*UNCOVERED, "sh")
        yield from ("/usr/bin/setpriv", f"--reuid={user}", f"--regid={user}", "--clear-groups")


@cache
def proc_is_covered() -> bool:
    """Tell whether parts of /proc are mounted over here, as containers like to do.

    The kernel then lets nobody but root mount a new one, so root does it before it becomes the
    box's user.
    """
    trial = (bwrap_path(), "--unshare-user", "--unshare-pid", "--ro-bind", "/", "/")
    done = subprocess.run(
        (*trial, "--proc", "/proc", "/bin/true"),
        capture_output=True,
        check=False,
        cwd="/",
        user=NOBODY,
        group=NOBODY,
        extra_groups=(),
    )
    return b"mount proc" in done.stderr


def _system() -> list[str]:
    """The read-only parts of a box: the system's programs, a few devices, a masked /proc."""
    pilots = pilots_folder()
    words = ["--ro-bind", str(pilots), INSIDE]
    for name in PILOTS_FILES:
        words += ["--symlink", f"{INSIDE}/{name}", f"/etc/{name}"]
    for pattern in SYSTEM_PATHS:
        for path in sorted(Path("/").glob(pattern)):
            if path.is_symlink():
                words += ["--symlink", str(path.readlink()), str(path)]
            else:
                words += ["--ro-bind", str(path), str(path)]
    if not BOX_PYTHON.exists():
        words += ["--ro-bind", sys.base_prefix, sys.base_prefix]
    words += ["--proc", "/proc", "--bind-try", PID_COUNTER, PID_COUNTER]
    for name in MASKED:
        path = Path("/proc", name)
        if path.is_dir():
            words += ["--ro-bind", str(pilots / EMPTY), str(path)]
        elif path.exists() and path.stat().st_mode & stat.S_IROTH:
            words += ["--ro-bind", "/dev/null", str(path)]
    for name in DEVICES:
        words += ["--dev-bind", f"/dev/{name}", f"/dev/{name}"]
    for number, name in enumerate(("stdin", "stdout", "stderr")):
        words += ["--symlink", f"/proc/self/fd/{number}", f"/dev/{name}"]
    return [*words, "--symlink", "/proc/self/fd", "/dev/fd"]


def bwrap_path() -> str:
    """Where bubblewrap is; raises `BackendMissing` where it is not installed."""
    path = shutil.which("bwrap")
    if path is None:
        raise BackendMissing(bubblewrap_remedy("bwrap: not found"))
    return path


def box_python() -> Path:
    """The interpreter that the pilot runs under, as seen from inside the box."""
    if BOX_PYTHON.exists():
        return BOX_PYTHON
    return Path(sys.base_prefix, "bin", "python3")


def choose_user() -> int | None:
    """A user number for one box, or None where this process is no root and stays who it is.

    Each box has its own: quotas such as pipe memory are counted by user. In a container that has
    no such numbers it is nobody's; root of a namespace without anybody else stays root of that.
    """
    if os.geteuid() != 0:
        return None
    if not _has_user(LAST_USER):
        return NOBODY if _has_user(NOBODY) else None
    return FIRST_USER + secrets.randbelow(LAST_USER - FIRST_USER)


@cache
def _has_user(number: int) -> bool:
    """Tell whether this process's user namespace has a user of this number."""
    ranges = [line.split() for line in Path("/proc/self/uid_map").read_text().splitlines()]
    return any(int(first) <= number < int(first) + int(count) for first, _, count in ranges)


def _prepare() -> None:
    """Find out what every start needs before anything is laid out; raises `BackendMissing`."""
    bwrap_path()
    if platform.machine() not in MACHINES:
        known = " and ".join(MACHINES)
        raise BackendMissing(
            f"system calls can be filtered on {known} only; this machine is {platform.machine()}"
        )
    pilots_folder()


def _readable(folder: Path, user: int | None) -> tuple[Path, Callable[[], None]]:
    """A folder as the box's user can reach it, and how to remove that again.

    Root's folders are often closed to others, so root's boxes get a copy which they may read and
    nobody else; nothing in it can be written by the bot.
    """
    if user is None:
        return folder, lambda: None
    sweep_copies()
    top = Path(tempfile.mkdtemp(prefix=f"{COPY_PREFIX}{os.getpid()}-"))
    copy = shutil.copytree(folder, top / "bot", symlinks=True)
    for path in (copy, *copy.rglob("*")):
        if not path.is_symlink():
            path.chmod(0o755 if path.is_dir() or path.stat().st_mode & 0o100 else 0o644)
    os.chown(top, 0, user)
    top.chmod(0o750)
    return copy, partial(shutil.rmtree, top, ignore_errors=True)


@cache
def sweep_copies() -> None:
    """Remove what runs that were killed have left; once per process."""
    for top in Path(tempfile.gettempdir()).glob(f"{COPY_PREFIX}*"):
        owner = top.name.removeprefix(COPY_PREFIX).split("-")[0]
        with suppress(OSError):
            ours = top.lstat().st_uid == os.geteuid() and not top.is_symlink()
            if ours and owner.isdigit() and not Path("/proc", owner).exists():
                shutil.rmtree(top, ignore_errors=True)


def pilots_folder() -> Path:
    """The folder of what the pilot needs in a box: its modules, compiled by the box's own python3.

    It is made once and kept, beside the builds: compiling anew would be a third of the time that a
    box takes to start.
    """
    return _pilots_folder(default_cache().parent / "pilots")


@cache
def _pilots_folder(pilots: Path) -> Path:
    python = box_python().resolve()
    sources = [(ROOT / module).with_suffix(".py") for module in MODULES]
    made_of = [str(python), str(python.stat().st_mtime_ns), *map(Path.read_text, sources)]
    name = hashlib.sha256("\0".join(made_of).encode()).hexdigest()[:40]
    place = pilots / name
    if not place.is_dir():
        pilots.mkdir(exist_ok=True)
        with tempfile.TemporaryDirectory(prefix=".new-", dir=pilots) as new:
            _lay_out_pilot(Path(new, name), sources)
            with suppress(OSError):  # somebody else may have been faster
                Path(new, name).rename(place)
    return place


def _lay_out_pilot(folder: Path, sources: Sequence[Path]) -> None:
    """Compile the pilot's modules into a folder, and put beside them what else its box needs."""
    targets = [(folder / module).with_suffix(".pyc") for module in MODULES]
    (folder / EMPTY).mkdir(parents=True)
    targets[0].parent.mkdir()
    for name, content in PILOTS_FILES.items():
        (folder / name).write_bytes(content)
    pairs = zip(map(str, sources), map(str, targets), strict=True)
    command = [str(box_python()), "-I", "-S", "-c", COMPILE, *chain.from_iterable(pairs)]
    done = subprocess.run(command, capture_output=True, check=False)
    if done.returncode:
        text = done.stderr.decode(errors="replace").strip()
        raise BackendMissing(f"{box_python()} can't run the pilot: {text}")
    for path in (folder, *folder.rglob("*")):
        path.chmod(0o755 if path.is_dir() else 0o644)


def _each(option: str, pairs: Iterable[tuple[str, str]]) -> list[str]:
    return [word for pair in pairs for word in (option, *pair)]
