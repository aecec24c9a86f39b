"""Boxes made of Linux namespaces by bubblewrap: the default, and the kind that submissions run in.

Every line of the command below closes one way out. A referee that runs as root first becomes a
dedicated user: if root started bubblewrap, the bot would be mapped to root, whom neither process
limits nor file permissions stop.

Bubblewrap starts a zygote (`sandbox.inside.zygote`), which neither is nor runs a bot. It forks the
boxes, each in namespaces of its own (`sandbox.inside.namespaces`), in about four milliseconds.
"""

from __future__ import annotations

import os
import platform
import select
import shutil
import socket
import subprocess
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache, partial
from pathlib import Path

from sandbox.backend import Backend
from sandbox.backends.layout import ENVIRONMENT, INSIDE, box_python, pilots_folder
from sandbox.backends.means import POLLING, of_namespaces
from sandbox.backends.remedies import bubblewrap_remedy
from sandbox.backends.system_image import (
    SYSTEM_PATHS,
    SystemImage,
    SystemPath,
    image_remedy,
    own_image,
    system_paths,
)
from sandbox.backends.users import NOBODY, choose_user
from sandbox.backends.zygote import OURS, Zygote
from sandbox.backends.zygote_launcher import ZygoteLauncher
from sandbox.backends.zygote_pool import zygote_pool
from sandbox.box import BackendMissing, BoxBroken, Program
from sandbox.guarantees import NOTHING, UNEXPECTED, Means
from sandbox.inside.pilot_protocol import BUILD, ENTER, Order
from sandbox.kernel.cgroup_tree import hierarchies
from sandbox.kernel.cgroups import new_group
from sandbox.kernel.remedies import groups_remedy
from sandbox.kernel.seccomp import MACHINES, filter_program
from sandbox.languages.toolchains import in_sight
from sandbox.limits import BuildLimits, Limits
from sandbox.session.launchers import Launcher
from sandbox.session.pilot_client import GREETING, Sandbox
from sandbox.session.terms import terms

DEVICES = ("null", "zero", "full", "random", "urandom")

DOCKER = "use the docker box"
KERNEL = "needs Linux 5.9 or later"
NO_USERS = "this container has too few user numbers: give it more, or run the arena outside of it"


class Bubblewrap(Backend):
    """Linux namespaces: own processes, own network, own files, nothing shared."""

    name = "bubblewrap"

    def launcher(self, program: Program, limits: Limits) -> Launcher:
        """Have one zygote fork every sandbox of the box; it returns to the pool on close."""
        _prepare()
        environment = {**ENVIRONMENT, **program.environment}
        image = own_image()
        start = partial(start_zygote, image=image)
        return ZygoteLauncher(program, limits, environment, start, filter_program(), image)

    def launch_build(self, limits: BuildLimits, image: str) -> Sandbox:  # noqa: ARG002
        """Have a zygote fork a sandbox whose folder is empty and writable."""
        _prepare()
        waiting = zygote_pool()
        # A build has no peer to signal to, and may read files that a system image leaves out.
        zygote = waiting.take((None,), lambda: start_zygote((), ENVIRONMENT, None))
        zygote.bound(limits.memory, limits.processes)
        counted = zygote.group is not None
        words = terms(limits, counted=counted, own_user=True, scratch="", ours=OURS)
        order = Order(BUILD, True, words, {})
        return zygote.box(order, None, filter_program(building=True), waiting.give_back)

    def sees(self, path: Path) -> bool:
        """Return whether boxes see a program of this machine, with links resolved."""
        return in_sight(path, [seen.path for seen in system_paths(SYSTEM_PATHS)])

    def means(self) -> Mapping[str, Means]:
        """Namespaces and mounts, and control groups if there are any."""
        groups = hierarchies()
        group = f"cgroup v{groups[0].version}" if groups else ""
        counted = Means(group, NOTHING, groups_remedy())
        alone = "run as root, for a user number for each box" if os.geteuid() else NO_USERS
        return {
            **of_namespaces(),
            "memory": Means(group or POLLING),
            "processes": Means("cgroup and rlimit" if groups else "rlimit"),
            "no-network": Means("namespaces and seccomp"),
            "own-system": Means(
                "a mount of its own of the system's image" if own_image() else "",
                "the host's files, which all boxes share",
                UNEXPECTED if own_image() else image_remedy(),
            ),
            "no-count": Means("the pilot", NOTHING, KERNEL),
            "helpers-time": counted._replace(instead=POLLING),
            "memory-peak": counted,
            "fair-share": counted,
            "own-core": Means("cpuset", "its share, wherever it goes", DOCKER),
            "own-quotas": Means("a user number for each box", "one user for all boxes", alone),
        }


def start_zygote(
    command: Sequence[str],
    environment: Mapping[str, str],
    content: int | None,
    image: SystemImage | None = None,
) -> Zygote:
    """Start a zygote; with a command and files, one for a program that may be forked.

    Its boxes see the system's files in their own mount of an image, or else the host's files.
    Raises `BackendMissing` or `BoxBroken`.
    """
    if image is None:
        return _started_zygote(command, environment, content, _system(system_paths(SYSTEM_PATHS)))
    disk = image.attach()
    try:
        system = _system(image.paths, image.mounted)
        zygote = _started_zygote(command, environment, content, system, image.mounting(disk))
        zygote.disk = os.fstat(disk).st_rdev
        return zygote
    finally:
        os.close(disk)  # the mount keeps it


def _started_zygote(
    command: Sequence[str],
    environment: Mapping[str, str],
    content: int | None,
    system: Sequence[str],
    mounting: Sequence[str] = (),
) -> Zygote:
    user = choose_user()
    group = new_group()
    ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    log = os.memfd_create("log")
    news, info = os.pipe()
    files = () if content is None else (content,)
    words = [
        *mounting,
        *_becoming(user, covered=user is not None and proc_is_covered()),
        *(bwrap_path(), "--info-fd", str(info), *NAMESPACES, *system),
        *(
            "--remount-ro",
            "/",
            "--chdir",
            "/",
            *_each("--setenv", {**ENVIRONMENT, **environment}.items()),
        ),
        *("--", str(box_python()), "-I", "-S", "-c", ENTER, INSIDE, "sandbox.inside.zygote"),
        *(str(theirs.fileno()), *map(str, files), *command),
    ]
    try:
        process = subprocess.Popen(
            words,
            stdin=subprocess.DEVNULL,
            stdout=log,
            stderr=log,
            cwd="/",
            env={},
            pass_fds=(theirs.fileno(), info, *files),
        )
    except OSError as error:
        ours.close()
        os.close(news)
        os.close(log)
        if group:
            group.remove()
        raise BackendMissing(f"bubblewrap can't be run here: {error}") from error
    finally:
        theirs.close()
        os.close(info)
    # The info pipe is kept open: bubblewrap would die if it wrote more to a closed pipe.
    zygote = Zygote(process, ours, group, (log, news), _explained)
    try:
        zygote.join(_first_process(news))
    except OSError as error:
        raise zygote.failed(error) from error
    except BaseException:  # even an interrupt by Ctrl-C leaves nothing behind
        zygote.close()
        raise
    return zygote


def _explained(text: str) -> Exception:
    """Explain from bubblewrap's output why there is no sandbox."""
    remedy = bubblewrap_remedy(text)
    return BackendMissing(remedy) if remedy else BoxBroken(f"a sandbox did not start: {text}")


def _first_process(news: int) -> int | None:
    """The host's PID of a new sandbox's first process, as reported by bubblewrap.

    None if bubblewrap ends or reports nothing in time: waiting for the zygote then shows why.
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
    # for the zygote, to make boxes: a box's pilot drops it before anything is started there
    *("--cap-add", "CAP_SYS_ADMIN"),
    # for the pilot alone: to see processes that hide from it, and to set the counter of processes
    # back
    *("--cap-add", "CAP_SYS_PTRACE", "--cap-add", "CAP_CHECKPOINT_RESTORE"),
)


UNCOVERED = (
    "/usr/bin/unshare",
    "--mount",
    "/bin/sh",
    "-c",
    'mount -t proc proc /proc && exec "$@"',
)
"""Runs the command that follows with its own mount of /proc."""


def _becoming(user: int | None, *, covered: bool) -> Iterator[str]:
    """The prefix of a command that is run as another user.

    If Python changed the user itself it would have to copy this process first, which takes longer
    the more memory the referee has.
    """
    if user is not None:
        if covered:
            yield from (*UNCOVERED, "sh")
        yield from ("/usr/bin/setpriv", f"--reuid={user}", f"--regid={user}", "--clear-groups")


@cache
def proc_is_covered() -> bool:
    """Return whether parts of /proc are covered by other mounts, as is common in containers.

    The kernel then lets only root mount a new one, so root does it before it becomes the
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


def _system(paths: Iterable[SystemPath], above: Path = Path("/")) -> list[str]:
    """The mounts common to all boxes: the system's programs, read-only, a few devices, empty
    folders.

    `above` is the folder on the host that contains the system's files.
    """
    words = ["--ro-bind", str(pilots_folder()), INSIDE, "--dir", "/bot", "--dir", "/tmp"]
    for name in ("passwd", "group"):
        words += ["--symlink", f"{INSIDE}/{name}", f"/etc/{name}"]
    for path, link in paths:
        words += ["--symlink", link] if link else ["--ro-bind", str(above / path)]
        words.append(f"/{path}")
    words += ["--proc", "/proc"]
    for name in DEVICES:
        words += ["--dev-bind", f"/dev/{name}", f"/dev/{name}"]
    for number, name in enumerate(("stdin", "stdout", "stderr")):
        words += ["--symlink", f"/proc/self/fd/{number}", f"/dev/{name}"]
    return [*words, "--symlink", "/proc/self/fd", "/dev/fd"]


def bwrap_path() -> str:
    """The path of bubblewrap; raises `BackendMissing` if it is not installed."""
    path = shutil.which("bwrap")
    if path is None:
        raise BackendMissing(bubblewrap_remedy("bwrap: not found"))
    return path


def _prepare() -> None:
    """Find what every start needs before any files are laid out; raises `BackendMissing`."""
    bwrap_path()
    if platform.machine() not in MACHINES:
        known = " and ".join(MACHINES)
        raise BackendMissing(
            f"system calls can be filtered on {known} only; this machine is {platform.machine()}"
        )
    pilots_folder()


def _each(option: str, pairs: Iterable[tuple[str, str]]) -> list[str]:
    return [word for pair in pairs for word in (option, *pair)]
