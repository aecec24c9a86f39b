"""Boxes made by Docker, for machines without bubblewrap or bots with an image of their own.

Each box is a container, with the pilot as its first process. The pilot connects to a socket in a
folder that only its container sees; after that nothing else can connect. The rest is as in any
other box: descriptors travel over the socket, so a living bot talks to the referee through plain
pipes. A round trip takes 11 µs, compared with 98 µs over a stream attached by the engine.
"""

from __future__ import annotations

import hashlib
import os
import secrets
import shutil
import socket
import struct
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from functools import cache, partial
from pathlib import Path
from typing import Any

from sandbox.backend import Backend
from sandbox.backends.docker_engine import (
    CommandMissing,
    Container,
    Engine,
    ImageMissing,
    engine,
    labels,
)
from sandbox.backends.layout import (
    BUBBLEWRAP,
    ENVIRONMENT,
    IMAGE_OF_SYSTEM,
    INSIDE,
    MODULES,
    POLLING,
    modules_inside,
    of_namespaces,
)
from sandbox.backends.users import some_user
from sandbox.box import BackendMissing, BoxBroken, ImageNotBuilt, Program
from sandbox.guarantees import NOTHING, UNEXPECTED, Means
from sandbox.inside.hardening import NO_CORE
from sandbox.inside.pilot_protocol import ENTER
from sandbox.inside.proc_files import COPIED, LINKS, contents
from sandbox.kernel.cgroups import adopted, freezer_remedy
from sandbox.kernel.freezer import FREEZER, SIGNALS
from sandbox.kernel.seccomp import filter_program
from sandbox.languages.registry import libraries, packages
from sandbox.languages.toolchains import ToolMissing
from sandbox.limits import BuildLimits, Limits
from sandbox.session.piloted_box import GREETING, LaunchEach, Launcher, Sandbox
from sandbox.session.reports import PilotSilent
from sandbox.session.verdicts import build_command, pilot_command

MADE_UP = ("cpuinfo", "meminfo", "stat", "loadavg", "uptime")
"""Files of /proc in whose places an engine lets others be mounted."""
SEEN_IN_PROC = {*MADE_UP, *COPIED, *LINKS, "net"}
OF_PILOT = tuple(
    f"/proc/1/{folder}{name}"
    for folder in ("", "task/1/")
    for name in (
        *("stat", "statm", "status", "sched", "schedstat", "wchan", "latency"),
        *("arch_status", "autogroup", "oom_score", "children"),
    )
)
"""The pilot's entries in /proc, which change with every question that it hands on."""
COVERED_FOLDERS = (
    "/sys",
    "/dev/console",
    "/dev/mqueue",
    "/dev/ptmx",
    "/dev/pts",
    "/dev/shm",
)


@cache
def covered() -> tuple[str, ...]:
    """Return the paths that are covered by something empty: all of /proc that is not on a list.

    A container shares the kernel with this process, and so the names in /proc.
    """
    names = (path.name for path in Path("/proc").iterdir() if not path.name.isdigit())
    of_machine = (f"/proc/{name}" for name in names if name not in SEEN_IN_PROC)
    return (*of_machine, *OF_PILOT, *COVERED_FOLDERS)


FOLDER = Path(__file__).parent / "images"
NAME = "card-arena/languages"
NOT_BUILT = "Docker has no image with the languages yet: make it with `arena image build`"
OUT_OF_DATE = (
    "Docker's image of the languages is not this arena's: make it with `arena image build`"
)


@cache
def language_image() -> str:
    """The image's full name, which identifies its recipe."""
    installed = " ".join((*packages(), *libraries()))
    recipe = (FOLDER / "Dockerfile").read_bytes() + installed.encode()
    return f"{NAME}:{hashlib.sha256(recipe).hexdigest()[:12]}"


def missing(image: str) -> str:
    """The remedy for an image that the engine does not have."""
    if image != language_image():
        return f"Docker has no image {image}: docker pull {image}"
    return OUT_OF_DATE if older_images() else NOT_BUILT


def older_images() -> list[str]:
    """The images built by earlier versions of this arena, each of which takes gigabytes."""
    return [name for name in engine().images(NAME) if name != language_image()]


def build_image(network: str | None = None, *, update: bool = False) -> Iterator[str]:
    """Build the image, yielding the engine's output line by line.

    `network` is the network for fetching packages, by default the engine's usual one. With `update`
    every step is run again, so the newest packages are installed; the image takes the name of the
    one before, which is removed unless a container still uses it. Raises `BackendMissing` if there
    is no engine, `ImageNotBuilt` if a step fails.
    """
    docker, name = engine(), language_image()
    before = docker.image_id(name) if name in docker.images(NAME) else ""
    arguments = {"PACKAGES": " ".join(packages()), "LIBRARIES": " ".join(libraries())}
    for step in docker.build(
        FOLDER, name, network_mode=network, buildargs=arguments, nocache=update
    ):
        if "error" in step:
            raise ImageNotBuilt(f"the image could not be built: {step['error'].strip()}")
        yield from filter(None, step.get("stream", "").splitlines())
    if before and before != docker.image_id(name):
        docker.remove_image(before)


COPY_PREFIX = "card-arena-"


def new_folder() -> Path:
    """Make a folder that no other user can enter, after removing the leftovers of killed runs."""
    sweep_copies()
    return Path(tempfile.mkdtemp(prefix=f"{COPY_PREFIX}{os.getpid()}-"))


def copy_for_boxes(folder: Path, target: Path) -> Path:
    """Copy a bot's files so that any user in a box may read them but none may change them."""
    copy = shutil.copytree(folder, target, symlinks=True)
    for path in (copy, *copy.rglob("*")):
        if not path.is_symlink():
            path.chmod(0o755 if path.is_dir() or path.stat().st_mode & 0o100 else 0o644)
    return copy


@cache
def sweep_copies() -> None:
    """Remove the leftovers of killed runs, once per process."""
    for top in Path(tempfile.gettempdir()).glob(f"{COPY_PREFIX}*"):
        owner = top.name.removeprefix(COPY_PREFIX).split("-")[0]
        with suppress(OSError):
            ours = top.lstat().st_uid == os.geteuid() and not top.is_symlink()
            if ours and owner.isdigit() and not Path("/proc", owner).exists():
                shutil.rmtree(top, ignore_errors=True)


SOCKET = "referee"
"""The file name of the socket that the pilot connects to."""
CREDENTIALS = struct.Struct("3i")
INODES, INODES_OF_A_BUILD = 4096, 65536
"""The most files in a bot's /tmp, and in a build's folder."""
STARTING = 32
"""Processes that the engine itself needs in a container before the first one of ours."""
REMAPPED_USERS = range(10_000, 60_000)
"""User ids inside containers whose users are mapped to others outside."""

HOST_CONFIG: Mapping[str, Any] = {
    "AutoRemove": True,
    "CapDrop": ["ALL"],
    "CgroupnsMode": "private",
    "Init": False,
    "IpcMode": "none",
    "LogConfig": {"Type": "none"},
    "NetworkMode": "none",
    "OomScoreAdj": 1000,
    "ReadonlyRootfs": True,
    # Docker's own filter of system calls stays in place, and the pilot adds ours.
    "SecurityOpt": ["no-new-privileges"],
    "Ulimits": [
        {"Name": name, "Soft": most, "Hard": most}
        for name, most in (("core", NO_CORE), ("memlock", 0), ("msgqueue", 0), ("nofile", 1024))
    ],
}
EMPTY = ("/etc/hostname", "/etc/hosts", "/etc/resolv.conf")
"""Files that the engine would otherwise fill with the host's data."""
ENGINE = "the Docker engine must have control groups: run it as root, not rootless"


ROOT = "run the arena as root, which alone may freeze in the engine's control groups"
OWN_RUNTIME = "leave out `runtime:`, since Docker's own runtime keeps it"
UNDER_RUNTIME = (
    "(under Docker's runtime {name}; if this happens to every sandbox, the runtime can't pass file"
    " descriptors from a sandbox to the referee, as gVisor can't: choose another `runtime:`, or"
    " leave it out)"
)


class Docker(Backend):
    """Docker containers: own processes, own network, own files, and an image's programs."""

    has_images = True

    def __init__(self, runtime: str = "") -> None:
        self.name = f"docker:{runtime}" if runtime else "docker"
        self._runtime = runtime

    def with_runtime(self, runtime: str) -> Docker:
        """Return Docker's sandboxes under a runtime that the engine knows by this name."""
        return Docker(runtime)

    def variants(self) -> Sequence[Docker]:
        """Return this backend with each runtime that was added to the engine; none without one."""
        try:
            return [Docker(runtime) for runtime in engine().added_runtimes()]
        except BackendMissing:
            return ()

    def launcher(self, program: Program, limits: Limits) -> Launcher:
        """Start a container around the program for each game."""
        return LaunchEach(partial(_launch, program, limits, self._runtime))

    def launch_build(self, limits: BuildLimits, image: str) -> Sandbox:
        """Start a container in which a bot is built; its folder is empty and writable."""
        docker = engine()
        return _start_under(
            self._runtime,
            docker,
            image,
            build_command(limits, counted=docker.counts_memory, own_user=True),
            filter_program(building=True),
            ENVIRONMENT,
            limits,
            {
                "/bot": _writable(2 * limits.product, INODES_OF_A_BUILD),
                "/tmp": _writable(limits.product, INODES_OF_A_BUILD),
            },
            None,
        )

    def means(self) -> Mapping[str, Means]:
        """Containers: namespaces and mounts, and control groups that the engine makes."""
        group = Means("the engine's cgroup", NOTHING, ENGINE)
        means = {
            **of_namespaces(),
            "memory": group,
            "processes": group,
            "own-system": Means("", "an image's files, which its boxes share", IMAGE_OF_SYSTEM),
            "no-count": Means("the pilot", NOTHING, BUBBLEWRAP),
            "no-network": Means("no network, and seccomp"),
            "helpers-time": group._replace(instead=POLLING),
            "memory-peak": group,
            "fair-share": group,
            "own-core": Means("cpuset", "its share, wherever it goes", ENGINE),
            "stopped-surely": Means(FREEZER, SIGNALS, _freezer_remedy()),
            "own-quotas": Means("a user number for each box", "one user for all boxes", ENGINE),
        }
        if not self._runtime:
            return means
        return {
            name: mean._replace(remedy=OWN_RUNTIME) if mean.remedy == UNEXPECTED else mean
            for name, mean in means.items()
        }

    def fingerprint(self, tools: Sequence[str], image: str) -> str:  # noqa: ARG002
        """Return an image's fingerprint; raises `BackendMissing` if there is no such image."""
        name = image or language_image()
        try:
            return engine().image_id(name)
        except ImageMissing as error:
            raise BackendMissing(missing(name)) from error


def _freezer_remedy() -> str:
    """How to freeze bots, which are in the engine's control groups: these are root's."""
    return ROOT if os.geteuid() else freezer_remedy()


def _launch(program: Program, limits: Limits, runtime: str) -> Sandbox:
    docker = engine()
    return _start_under(
        runtime,
        docker,
        program.image,
        pilot_command(program, limits, counted=docker.counts_memory, own_user=True, scratch="/tmp"),
        filter_program(allowed=limits.calls),
        {**ENVIRONMENT, **program.environment},
        limits,
        {"/tmp": _writable(limits.scratch, INODES)},
        program.folder,
    )


def _start_under(runtime: str, *what: Any) -> Sandbox:
    """Do as `_start`, and say which runtime was used if that fails."""
    try:
        return _start(runtime, *what)
    except BoxBroken as error:
        if not runtime:
            raise
        raise BoxBroken(f"{error} {UNDER_RUNTIME.format(name=runtime)}") from error


def _start(
    runtime: str,
    docker: Engine,
    image: str,
    inside: Sequence[str],
    refusals: bytes,
    environment: Mapping[str, str],
    limits: Limits | BuildLimits,
    writable: Mapping[str, str],
    folder: Path | None,
) -> Sandbox:
    """Run one of our modules as the first process of a container, and greet it.

    Each container gets its own copy of the bot's files, so that notes hidden in them for the next
    game disappear with the container.
    """
    user = _choose_user(docker)
    home = _lay_out(user)
    remove = partial(shutil.rmtree, home.parent, ignore_errors=True)
    mounts = []
    if folder:
        mounts.append(_seen(copy_for_boxes(folder, home.parent / "bot"), "/bot"))
    if image:  # a named image sets its own PATH
        environment = {name: value for name, value in environment.items() if name != "PATH"}
    settings = {
        "Image": image or language_image(),
        "Entrypoint": ["python3", "-I", "-S", "-c", ENTER, INSIDE],
        "Cmd": [inside[0], f"{INSIDE}/{SOCKET}", *inside[1:]],
        "Env": [f"{name}={value}" for name, value in environment.items()],
        "User": f"{user}:{user}",
        "WorkingDir": "/bot",
        "Hostname": "box",
        "NetworkDisabled": True,
        "Labels": labels(),
        "HostConfig": {
            **HOST_CONFIG,
            **_bounds(limits),
            "MaskedPaths": covered(),
            "Runtime": runtime,
            "Tmpfs": {place: f"{how},uid={user},gid={user}" for place, how in writable.items()},
            "Mounts": [
                _seen(home, INSIDE),
                *(_seen(home / name, f"/etc/{name}") for name in ("passwd", "group")),
                *(_seen(home / "empty", place) for place in EMPTY),
                _seen(Path("/dev/full"), "/dev/zero"),  # shared memory of it has a number
                *(_seen(home / name, f"/proc/{name}") for name in MADE_UP),
                *mounts,
            ],
        },
    }
    try:
        with _listening(home / SOCKET) as listener:
            try:
                container = docker.start(settings)
            except ImageMissing as error:
                raise BackendMissing(missing(image or language_image())) from error
            except CommandMissing as error:
                raise _unfit(image) from error
            try:
                control = _connected(listener, container, image)
            except BaseException:
                container.kill()
                raise
    except BaseException:  # even an interrupt by Ctrl-C leaves nothing behind
        remove()
        raise
    group = None
    if docker.counts_memory:
        group = adopted(container.pid, container.ran_out_of_memory)
    sandbox = Sandbox(container, control, group, remove)
    try:
        sandbox.greet(refusals)
    except (PilotSilent, OSError) as error:
        ended = container.ended(0)
        sandbox.close()
        if ended:
            raise _unfit(image) from error
        raise BoxBroken(f"a container's pilot did not greet: {error}") from error
    except BaseException:
        sandbox.close()
        raise
    return sandbox


def _bounds(limits: Limits | BuildLimits) -> Mapping[str, Any]:
    processors = sorted(os.sched_getaffinity(0))
    return {
        "Memory": limits.memory,
        "MemorySwap": limits.memory,
        "PidsLimit": max(limits.processes + 1, STARTING),
        "NanoCpus": len(processors) * 10**9,
        "CpusetCpus": ",".join(map(str, processors)),
    }


def _writable(size: int, files: int) -> str:
    """The mount options of a file system in memory."""
    return f"rw,exec,nosuid,nodev,mode=0755,size={size},nr_inodes={files}"


def _seen(source: Path, target: str) -> Mapping[str, Any]:
    """A read-only mount of a file or folder of the host."""
    return {
        "Type": "bind",
        "Source": str(source),
        "Target": target,
        "ReadOnly": True,
        "BindOptions": {"NonRecursive": True},
    }


def _choose_user(docker: Engine) -> int:
    """Choose a user id for one box, since quotas such as pipe memory are counted by user."""
    if docker.remapped:
        return secrets.choice(REMAPPED_USERS)
    return some_user()


def _lay_out(user: int) -> Path:
    """Make the folder with the pilot's files, inside one that no other user of the host can enter.

    The modules are source files, since an image's python3 may be of any version.
    """
    home = new_folder() / "arena"
    (home / MODULES).mkdir(parents=True)
    for source in modules_inside():
        shutil.copyfile(source, home / MODULES / source.name)
    (home / "passwd").write_text(f"bot:x:{user}:{user}::/tmp:/bin/sh\n")
    (home / "group").write_text(f"bot:x:{user}:\n")
    (home / "empty").touch()
    files = contents()
    for name in MADE_UP:
        (home / name).write_bytes(files[name])
    for path in (home, *home.rglob("*")):
        path.chmod(0o755 if path.is_dir() else 0o644)
    return home


@contextmanager
def _listening(path: Path) -> Iterator[socket.socket]:
    """Listen at a socket's path, which is removed afterwards so that nothing else can connect."""
    with socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET) as listener:
        folder = os.open(path.parent, os.O_PATH | os.O_DIRECTORY | os.O_CLOEXEC)
        try:  # an address may have 107 bytes, which the path of a TMPDIR may exceed
            listener.bind(f"/proc/self/fd/{folder}/{path.name}")
        finally:
            os.close(folder)
        path.chmod(0o666)
        listener.listen(1)
        listener.settimeout(0)
        try:
            yield listener
        finally:
            path.unlink(missing_ok=True)


def _connected(listener: socket.socket, container: Container, image: str) -> socket.socket:
    """Wait for the pilot; raises `BoxBroken` if it does not connect, or another process does."""
    if container.ended(GREETING, listener.fileno()):
        raise _unfit(image)
    try:
        control, _ = listener.accept()
    except BlockingIOError:
        raise BoxBroken(f"a container's pilot did not come within {GREETING:g} s") from None
    raw = control.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, CREDENTIALS.size)
    pid, _, _ = CREDENTIALS.unpack(raw)
    if pid != container.pid:
        control.close()
        raise BoxBroken("a process other than the pilot connected to a container's socket")
    return control


def _unfit(image: str) -> Exception:
    """The error for an image in which no pilot could start."""
    if not image:
        return BoxBroken(f"the pilot did not begin in a container of {language_image()}")
    return ToolMissing(f"the image {image} has no python3 3.10 or later for a pilot")
