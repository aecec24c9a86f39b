"""Boxes made of Linux namespaces by bubblewrap: the default, and the kind that submissions run in.

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
from contextlib import suppress
from functools import cache, partial
from pathlib import Path

from sandbox.backend import Backend
from sandbox.backends.layout import (
    ENVIRONMENT,
    INSIDE,
    POLLING,
    box_python,
    of_namespaces,
    pilots_folder,
)
from sandbox.backends.system_image import (
    SYSTEM_PATHS,
    SystemImage,
    SystemPath,
    image_remedy,
    own_image,
    system_paths,
)
from sandbox.backends.users import (
    LAST_USER,
    NOBODY,
    SHARED_FOLDER,
    NoOwnUser,
    as_subordinate,
    choose_user,
    has_user,
    subordinate_ids,
)
from sandbox.backends.zygote import OURS, Zygote, ZygoteLauncher, zygote_pool
from sandbox.box import BackendMissing, BoxBroken, Program
from sandbox.guarantees import NOTHING, UNEXPECTED, Means
from sandbox.inside.pilot_protocol import BUILD, ENTER, Order
from sandbox.kernel.cgroups import groups_remedy, hierarchies, new_group
from sandbox.kernel.seccomp import MACHINES, filter_program
from sandbox.languages.toolchains import in_sight
from sandbox.limits import BuildLimits, Limits
from sandbox.session.piloted_box import GREETING, Launcher, Sandbox
from sandbox.session.reports import terms

MISSING = "bubblewrap is not installed: sudo apt-get install bubblewrap"
APPARMOR_PROFILE = "abi <abi/4.0>, profile bwrap /usr/bin/bwrap flags=(unconfined) { userns, }"
APPARMOR = (
    "AppArmor refuses user namespaces to bubblewrap, as Ubuntu 24.04 does by default; allow them: "
    f"echo '{APPARMOR_PROFILE}' | sudo tee /etc/apparmor.d/bwrap && "
    "sudo apparmor_parser -r /etc/apparmor.d/bwrap"
)
RESTRICTED = "/etc/apparmor.d/bwrap-userns-restrict"
STRIPPED = (
    "programs started by bubblewrap may not make boxes here; if the cause is AppArmor's profile"
    f" {RESTRICTED}, replace it: sudo apparmor_parser -R {RESTRICTED} &&"
    f" sudo ln -s {RESTRICTED} /etc/apparmor.d/disable/ &&"
    f" echo '{APPARMOR_PROFILE}' | sudo tee /etc/apparmor.d/bwrap &&"
    " sudo apparmor_parser -r /etc/apparmor.d/bwrap"
)
COVERED = (
    "bubblewrap can't show a box its own processes, because this container covers parts of /proc;"
    " start the container with --security-opt systempaths=unconfined too"
)
FORBIDDEN = (
    "this machine does not let bubblewrap make namespaces; a container must be started with the"
    " right to (for Docker: --security-opt seccomp=unconfined --security-opt"
    " systempaths=unconfined --security-opt apparmor=unconfined); otherwise see"
    " `sysctl kernel.unprivileged_userns_clone`"
)
NONE_LEFT = (
    "no more user namespaces may be made here: sudo sysctl user.max_user_namespaces=10000; in a"
    " container or namespace with its own limit, do it outside"
)
OLD_BUBBLEWRAP = (
    "this bubblewrap is too old; 0.5 or later is needed: sudo apt-get install bubblewrap, on a"
    " system of 2022 or later"
)

REFUSALS = (
    ("bwrap: setting up uid map: Permission denied", APPARMOR),
    ("bwrap: loopback: Failed RTM_NEWADDR", APPARMOR),
    ("bwrap: Can't mount proc on", COVERED),
    ("unshare: ", COVERED),
    ("unshare(", STRIPPED),
    ("mount(", STRIPPED),
    ("bwrap: Creating new namespace failed: nesting depth", NONE_LEFT),
    ("bwrap: Creating new namespace failed: No space left on device", NONE_LEFT),
    ("bwrap: Creating new namespace failed", FORBIDDEN),
    ("bwrap: No permissions to create", FORBIDDEN),
    ("bwrap: pivot_root: Operation not permitted", FORBIDDEN),
    ("bwrap: Unknown option", OLD_BUBBLEWRAP),
)
"""Prefixes of error messages (from bubblewrap, from mounting /proc for it, or from the zygote), and
their meanings."""


def bubblewrap_remedy(text: str) -> str:
    """The remedy for an error of bubblewrap's, in one sentence; empty if it is unknown."""
    if text == "bwrap: not found":
        return MISSING
    return next((remedy for begin, remedy in REFUSALS if text.startswith(begin)), "")


# What bubblewrap's sandboxes find on this machine, and how to get what they lack.
#
# If an answer here is wrong, a sandbox does not start; none is less closed for it.


NO_USERS = "this container has too few user numbers: give it more, or run the arena outside of it"


def bwrap_path() -> str:
    """The path of bubblewrap; raises `BackendMissing` if it is not installed."""
    path = shutil.which("bwrap")
    if path is None:
        raise BackendMissing(bubblewrap_remedy("bwrap: not found"))
    return path


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


def own_user_remedy(modules: Path) -> str:
    """Say what is missing for a user of its own for each box; empty if nothing is.

    `modules` is as for `as_subordinate`.
    """
    if os.geteuid() == 0:
        return "" if has_user(LAST_USER) else NO_USERS
    try:
        subordinate_ids(modules)
    except NoOwnUser as missing:
        return str(missing)
    return ""


def explained(text: str) -> Exception:
    """Explain from bubblewrap's output why there is no sandbox."""
    remedy = bubblewrap_remedy(text)
    return BackendMissing(remedy) if remedy else BoxBroken(f"a sandbox did not start: {text}")


# How bubblewrap starts a zygote: every mount, namespace and user that a sandbox will have.
#
# Every line of the command below closes one way out. A referee that runs as root first becomes a
# dedicated user: if root started bubblewrap, the bot would be mapped to root, whom neither
# process limits nor file permissions stop.


DEVICES = {name: name for name in ("null", "full", "random", "urandom")} | {"zero": "full"}
"""The device behind each name in /dev. /dev/full also reads as zeros, and can't be mapped: shared
memory has a number that counts up for the whole machine."""


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
    modules = pilots_folder()
    becoming = tuple(_becoming(user, covered=user is not None and proc_is_covered()))
    if os.geteuid():
        with suppress(NoOwnUser):
            becoming, modules = as_subordinate(modules), Path(SHARED_FOLDER)
    words = [
        *mounting,
        *becoming,
        *(bwrap_path(), "--info-fd", str(info), *NAMESPACES),
        *("--ro-bind", str(modules), INSIDE, *system),
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
            # It has both ends of the pipe: where only this process could read, and were killed, it
            # would be ended by SIGPIPE, and leave a child that waits for it for ever.
            pass_fds=(theirs.fileno(), info, news, *files),
            start_new_session=True,  # Ctrl-C is the arena's, which ends its boxes
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
    zygote = Zygote(process, ours, group, (log, news), explained)
    try:
        zygote.join(_first_process(news))
    except OSError as error:
        raise zygote.failed(error) from error
    except BaseException:  # even an interrupt by Ctrl-C leaves nothing behind
        zygote.close()
        raise
    return zygote


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


def _system(paths: Iterable[SystemPath], above: Path = Path("/")) -> list[str]:
    """The mounts common to all boxes: the system's programs, read-only, a few devices, empty
    folders.

    `above` is the folder on the host that contains the system's files.
    """
    words = ["--dir", "/bot", "--dir", "/tmp"]
    for name in ("passwd", "group"):
        words += ["--symlink", f"{INSIDE}/{name}", f"/etc/{name}"]
    for path, link in paths:
        words += ["--symlink", link] if link else ["--ro-bind", str(above / path)]
        words.append(f"/{path}")
    words += ["--proc", "/proc"]
    for name, device in DEVICES.items():
        words += ["--dev-bind", f"/dev/{device}", f"/dev/{name}"]
    for number, name in enumerate(("stdin", "stdout", "stderr")):
        words += ["--symlink", f"/proc/self/fd/{number}", f"/dev/{name}"]
    return [*words, "--symlink", "/proc/self/fd", "/dev/fd"]


def _each(option: str, pairs: Iterable[tuple[str, str]]) -> list[str]:
    return [word for pair in pairs for word in (option, *pair)]


DOCKER = "use the docker box"
KERNEL = "needs Linux 5.9 or later"


class Bubblewrap(Backend):
    """Linux namespaces: own processes, own network, own files, nothing shared."""

    name = "bubblewrap"

    def launcher(self, program: Program, limits: Limits) -> Launcher:
        """Have one zygote fork every sandbox of the box; it returns to the pool on close."""
        _prepare()
        environment = {**ENVIRONMENT, **program.environment}
        image = own_image()
        start = partial(start_zygote, image=image)
        refusals = filter_program(allowed=limits.calls)
        return ZygoteLauncher(program, limits, environment, start, refusals, image)

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
        lacking = own_user_remedy(pilots_folder())
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
            "own-quotas": Means(
                "" if lacking else "a user for each box", "one user for all boxes", lacking
            ),
        }


def _prepare() -> None:
    """Find what every start needs before any files are laid out; raises `BackendMissing`."""
    bwrap_path()
    if platform.machine() not in MACHINES:
        known = " and ".join(MACHINES)
        raise BackendMissing(
            f"system calls can be filtered on {known} only; this machine is {platform.machine()}"
        )
    pilots_folder()
