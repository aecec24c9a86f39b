"""Sandboxes made by Docker, for machines without bubblewrap or bots with an image of their own.

Each sandbox is a container, with the pilot as its first process. The pilot connects to a socket in
a folder that only its container sees; after that nothing else can connect. The rest is as in any
other sandbox: descriptors travel over the socket, so a living bot talks to the referee through
plain pipes. A round trip takes 11 µs, compared with 98 µs over a stream attached by the engine.
"""

from __future__ import annotations

import hashlib
import os
import re
import secrets
import select
import shutil
import socket
import struct
import subprocess
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager, suppress
from functools import cache, partial
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from card_arena.sandbox.backend import Backend
from card_arena.sandbox.backends.layout import (
    BUBBLEWRAP,
    ENVIRONMENT,
    IMAGE_OF_SYSTEM,
    INSIDE,
    MODULES,
    POLLING,
    modules_inside,
    of_namespaces,
)
from card_arena.sandbox.backends.users import some_user
from card_arena.sandbox.guarantees import NOTHING, UNEXPECTED, Enforcement
from card_arena.sandbox.inside.hardening import NO_CORE
from card_arena.sandbox.inside.pilot_protocol import ENTER
from card_arena.sandbox.inside.proc_files import COPIED, LINKS, contents
from card_arena.sandbox.kernel.cgroups import FREEZER, SIGNALS, adopted, freezer_fix
from card_arena.sandbox.kernel.seccomp import filter_program
from card_arena.sandbox.languages.registry import libraries, packages
from card_arena.sandbox.languages.toolchains import ToolMissing
from card_arena.sandbox.limits import BuildLimits, Limits
from card_arena.sandbox.sandbox import BackendMissing, ImageNotBuilt, Program, SandboxBroken
from card_arena.sandbox.session.piloted_sandbox import (
    GREETING,
    LaunchEach,
    Launcher,
    StartedSandbox,
)
from card_arena.sandbox.session.reports import PilotSilent
from card_arena.sandbox.session.verdicts import build_command, pilot_command

INSTALL = "there is no Docker on this machine: sudo apt-get install docker.io"
NOT_RUNNING = (
    "no Docker engine answers at {where}: sudo systemctl start docker, or say in DOCKER_HOST where "
    "it listens"
)
ELSEWHERE = "sandboxes need a Docker engine on this machine, but DOCKER_HOST is {where}: unset it"
NOT_ALLOWED = (
    "you may not talk to Docker's engine: sudo usermod -aG docker $USER, then log in again"
)
NO_RUNTIME = (
    "Docker's engine has no runtime {name}; it has {known}: add {name} to `runtimes` in"
    " /etc/docker/daemon.json, then sudo systemctl reload docker"
)
UNSEEN = (
    "Docker's engine does not see the folder {folder}, which was made for a sandbox, because the"
    " arena has a {place} of its own, such as by PrivateTmp in a systemd unit: set TMPDIR to a"
    " folder that both see, such as /dev/shm (docs/deploy.md, Docker)"
)
UNKNOWN_RUNTIME = re.compile(r"unknown (?:or invalid )?runtime", re.IGNORECASE)
BUILT_IN = re.compile(r"runc|io\.containerd\..*")
"""The names of the engine's own runtime."""
UNSEEN_SOURCE = re.compile(r"bind source path does not exist: (\S+)")
PATIENCE = 60
"""Seconds for one answer from the engine."""

END_DELAY = 5.0
"""Seconds within which the engine notices the end of a container."""
REASON_DELAY = 1.0
"""Seconds by which it may learn the reason later than the end."""

SCHEME = "unix://"
USUAL_PLACE = "unix:///var/run/docker.sock"

OURS, REFEREE = "card-arena", "card-arena.referee"
"""The labels of every container, which mark it as ours and name its referee."""
NO_PACKAGE = (
    "the docker package is not installed, which Docker's sandboxes need:"
    " pip install 'card-arena[server]'"
)
ABANDONED = 60.0
"""Seconds after which a container that is not running counts as abandoned, since each is started
immediately."""


class Engine:
    """A Docker engine that answers; all requests of sandboxes go through here.

    `remapped` says that users in its containers are mapped to others outside, `counts_memory` that
    it can bound memory. Raises `BackendMissing`, with a fix, if no engine answers.
    """

    def __init__(self) -> None:
        if not find_spec("docker"):
            raise BackendMissing(NO_PACKAGE)
        _check_listening()
        import docker  # a sixth of a second, which only Docker's sandboxes should pay

        self._errors = docker.errors
        try:
            self._client = docker.from_env(timeout=PATIENCE).api
            # The package would keep a connection open for each recent container, and has already
            # opened one to negotiate a version.
            self._client.headers["Connection"] = "close"
            self._client.close()
            info = self._client.info()
        except (self._errors.DockerException, OSError) as error:
            raise BackendMissing(f"Docker's engine answers with an error: {error}") from error
        security = " ".join(info.get("SecurityOptions") or ())
        self.remapped = "name=userns" in security or "name=rootless" in security
        self.counts_memory = bool(info.get("MemoryLimit"))

    def added_runtimes(self) -> Sequence[str]:
        info = self._client.info()
        return [
            name
            for name in sorted(info.get("Runtimes") or ())
            if name != info.get("DefaultRuntime") and not BUILT_IN.fullmatch(name)
        ]

    def start(self, settings: Mapping[str, Any]) -> Container:
        """Make a container and start it.

        `settings` are in the format of the engine's API. Raises `BackendMissing` for an image, a
        runtime or a folder that the engine does not know, `ToolMissing` for a named image without
        python3, and `SandboxBroken` for everything else.
        """
        name = ""
        try:
            name = self._client.create_container_from_config(settings)["Id"]
            self._client.start(name)
            return Container(self, name, self._client.inspect_container(name)["State"]["Pid"])
        except BaseException as error:
            if name:
                self.remove(name)
            if isinstance(error, self._errors.ImageNotFound):
                raise BackendMissing(missing(settings["Image"])) from error
            reason = str(getattr(error, "explanation", None) or error)
            if "executable file not found" in reason:
                raise _image_error(settings["Image"]) from error
            if UNKNOWN_RUNTIME.search(reason):
                runtimes = ", ".join(sorted(self._client.info()["Runtimes"]))
                name = settings["HostConfig"]["Runtime"]
                raise BackendMissing(NO_RUNTIME.format(name=name, known=runtimes)) from error
            if (unseen := UNSEEN_SOURCE.search(reason)) and Path(unseen[1]).exists():
                place = tempfile.gettempdir()
                raise BackendMissing(UNSEEN.format(folder=unseen[1], place=place)) from error
            if isinstance(error, (self._errors.DockerException, OSError)):
                raise SandboxBroken(f"Docker did not start a container: {reason}") from error
            raise

    def remove(self, name: str) -> None:
        with suppress(self._errors.DockerException, OSError):
            self._client.remove_container(name, force=True)

    def happened(self, name: str, since: float) -> set[str]:
        """Return the events of a container after a moment, such as `oom` and `die`.

        There are none if the engine was restarted meanwhile, or does not answer.
        """
        try:
            events = self._client.events(
                since=f"{since:.6f}",
                until=f"{time.time():.6f}",
                filters={"container": name},
                decode=True,
            )
            return {event["Action"] for event in events}
        except (self._errors.DockerException, OSError):
            return set()

    def image_id(self, name: str) -> str:
        """Return the id of an image's current state; raises `BackendMissing` if there is none."""
        try:
            return str(self._client.inspect_image(name)["Id"])
        except self._errors.ImageNotFound as error:
            raise BackendMissing(missing(name)) from error
        except (self._errors.DockerException, OSError) as error:
            raise SandboxBroken(f"Docker did not say what image {name} is: {error}") from error

    def images(self, name: str) -> list[str]:
        """Return the full names of all images with a name, whatever their tags."""
        return [tag for image in self._client.images(name) for tag in image["RepoTags"] or ()]

    def remove_image(self, image: str) -> None:
        """Remove an image unless it has a name or a container uses it."""
        with suppress(self._errors.DockerException, OSError):
            if not self._client.inspect_image(image)["RepoTags"]:
                self._client.remove_image(image)

    def build(self, folder: Path, name: str, **settings: Any) -> Iterator[Mapping[str, str]]:
        """Build an image from a folder's Dockerfile, yielding the engine's output."""
        yield from self._client.build(
            path=str(folder), tag=name, rm=True, forcerm=True, decode=True, **settings
        )

    def sweep(self) -> None:
        """Remove the containers of referees that are gone.

        A container ends with its referee, and then the engine removes it. Only those remain that
        were never started, or that outlived a crash of the engine. A referee that can't be seen
        from here, on another machine or in another container, may still be alive, so only those of
        its containers that are not running are removed.
        """
        for container in self._client.containers(all=True, filters={"label": OURS}):
            boot, _, process = container["Labels"].get(REFEREE, "").partition(" ")
            idle = (
                container["State"] != "running" and time.time() - container["Created"] > ABANDONED
            )
            if not _is_running(process) if boot == _boot_and_namespace() else idle:
                self.remove(container["Id"])


def engine() -> Engine:
    """Return the engine of this machine; raises `BackendMissing` if none answers.

    The first call in a process removes the leftovers of killed runs.
    """
    return _engine(os.getpid())  # its connection must not be shared with a fork


@cache
def _engine(process: int) -> Engine:  # noqa: ARG001
    docker = Engine()
    docker.sweep()
    return docker


def _check_listening() -> None:
    """Check that something listens at the engine's address; raises `BackendMissing`."""
    address = os.environ.get("DOCKER_HOST") or USUAL_PLACE
    if not address.startswith(SCHEME):
        raise BackendMissing(ELSEWHERE.format(where=address))
    try:
        with socket.socket(socket.AF_UNIX) as caller:
            caller.connect(address.removeprefix(SCHEME))
    except PermissionError as error:
        raise BackendMissing(NOT_ALLOWED) from error
    except OSError as error:
        installed = shutil.which("dockerd") or address != USUAL_PLACE
        raise BackendMissing(NOT_RUNNING.format(where=address) if installed else INSTALL) from error


def labels() -> Mapping[str, str]:
    """Return the labels of our containers, so that a later run knows whose they are."""
    return {
        OURS: "sandbox",
        REFEREE: f"{_boot_and_namespace()} {os.getpid()}-{_start_time(os.getpid())}",
    }


@cache
def _boot_and_namespace() -> str:
    """Return an identifier of this boot of the machine and this PID namespace."""
    boot = Path("/proc/sys/kernel/random/boot_id").read_text().strip()
    return f"{boot}/{Path('/proc/self/ns/pid').readlink()}"


def _is_running(process: str) -> bool:
    pid, _, born = process.partition("-")
    return pid.isdigit() and _start_time(int(pid)) == born


def _start_time(pid: int) -> str:
    """Return the start time of a process, since its PID may be reused; empty if it has ended."""
    with suppress(OSError):
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[19]
    return ""


class Container:
    """A started container, handled like a child process: its PID, its end.

    Raises `SandboxBroken` if it has already ended.
    """

    def __init__(self, engine: Engine, name: str, pid: int) -> None:
        self.pid = pid
        self._engine = engine
        self._name = name
        try:
            self._handle = os.pidfd_open(pid)
        except (OSError, ValueError) as error:
            raise SandboxBroken("a container ended as soon as it was started") from error

    def ended(self, seconds: float, other: int = -1) -> bool:
        """Wait for its end, or for input on another descriptor; return whether it has ended."""
        poll = select.poll()
        poll.register(self._handle, select.POLLIN)
        if other >= 0:
            poll.register(other, select.POLLIN)
        return self._handle in dict(poll.poll(seconds * 1000))

    def wait(self, timeout: float | None = None) -> None:
        """Wait for its end, after which it no longer exists.

        Raises `subprocess.TimeoutExpired`. The engine removes its remains by itself.
        """
        if self._handle < 0:
            return
        seconds = PATIENCE if timeout is None else timeout
        if not self.ended(seconds):
            raise subprocess.TimeoutExpired("docker", seconds)
        handle, self._handle = self._handle, -1
        os.close(handle)

    def ran_out_of_memory(self, since: float) -> bool:
        """Return whether the kernel killed for memory in it after a moment; call after its end."""
        end = time.monotonic() + END_DELAY
        while "oom" not in (events := self._engine.happened(self._name, since)):
            if time.monotonic() > end:
                return False
            if "die" in events:  # the engine learns of the two separately
                end = min(end, time.monotonic() + REASON_DELAY)
            time.sleep(0.05)
        return True

    def kill(self) -> None:
        self._engine.remove(self._name)


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
    """Return the image's full name, which identifies its recipe."""
    installed = " ".join((*packages(), *libraries()))
    recipe = (FOLDER / "Dockerfile").read_bytes() + installed.encode()
    return f"{NAME}:{hashlib.sha256(recipe).hexdigest()[:12]}"


def missing(image: str) -> str:
    """Return the fix for an image that the engine does not have."""
    if image != language_image():
        return f"Docker has no image {image}: docker pull {image}"
    return OUT_OF_DATE if older_images() else NOT_BUILT


def older_images() -> list[str]:
    """Return the images built by earlier versions of this arena, each of which takes gigabytes."""
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


def copy_for_sandboxes(folder: Path, target: Path) -> Path:
    """Copy a bot's files so that any user in a sandbox may read them but none may change them."""
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
        return Docker(runtime)

    def variants(self) -> Sequence[Docker]:
        try:
            return [Docker(runtime) for runtime in engine().added_runtimes()]
        except BackendMissing:
            return ()

    def launcher(self, program: Program, limits: Limits) -> Launcher:
        return LaunchEach(partial(self._launch, program, limits))

    def launch_build(self, limits: BuildLimits, image: str) -> StartedSandbox:
        command = build_command(limits, counted=engine().counts_memory, own_user=True)
        writable = {
            "/bot": _writable(2 * limits.product, INODES_OF_A_BUILD),
            "/tmp": _writable(limits.product, INODES_OF_A_BUILD),
        }
        program = Program(Path(), (), image=image)
        return self._start(program, command, filter_program(building=True), limits, writable)

    def _launch(self, program: Program, limits: Limits) -> StartedSandbox:
        counted = engine().counts_memory
        command = pilot_command(program, limits, counted=counted, own_user=True, scratch="/tmp")
        writable = {"/tmp": _writable(limits.scratch, INODES)}
        refusals = filter_program(allowed=limits.calls)
        return self._start(program, command, refusals, limits, writable)

    def _start(self, *arguments: Any) -> StartedSandbox:
        """Start a container; if that fails, name the runtime in the error."""
        try:
            return _start(self._runtime, *arguments)
        except SandboxBroken as error:
            if not self._runtime:
                raise
            name = UNDER_RUNTIME.format(name=self._runtime)
            raise SandboxBroken(f"{error} {name}") from error

    def enforcement(self) -> Mapping[str, Enforcement]:
        group = Enforcement("the engine's cgroup", NOTHING, ENGINE)
        enforcement = {
            **of_namespaces(),
            "memory": group,
            "processes": group,
            "own-system": Enforcement(
                "", "an image's files, which its sandboxes share", IMAGE_OF_SYSTEM
            ),
            "no-count": Enforcement("the pilot", NOTHING, BUBBLEWRAP),
            "no-network": Enforcement("no network, and seccomp"),
            "helpers-time": group._replace(instead=POLLING),
            "memory-peak": group,
            "fair-share": group,
            "own-core": Enforcement("cpuset", "its share, wherever it goes", ENGINE),
            "stopped-surely": Enforcement(
                FREEZER, SIGNALS, ROOT if os.geteuid() else freezer_fix()
            ),
            "own-quotas": Enforcement(
                "a user number for each sandbox", "one user for all sandboxes", ENGINE
            ),
        }
        if not self._runtime:
            return enforcement
        return {
            name: mean._replace(fix=OWN_RUNTIME) if mean.fix == UNEXPECTED else mean
            for name, mean in enforcement.items()
        }

    def fingerprint(self, tools: Sequence[str], image: str) -> str:  # noqa: ARG002
        return engine().image_id(image or language_image())


def _start(
    runtime: str,
    program: Program,
    inside: Sequence[str],
    refusals: bytes,
    limits: Limits | BuildLimits,
    writable: Mapping[str, str],
) -> StartedSandbox:
    """Run one of our modules as the first process of a container, and greet it.

    Each container gets its own copy of the bot's files, so that notes hidden in them for the next
    game disappear with the container. A program without a command is a build, which has no files
    yet.
    """
    docker = engine()
    # a user number for each sandbox, since quotas such as pipe memory are counted by user
    user = secrets.choice(REMAPPED_USERS) if docker.remapped else some_user()
    home = _lay_out(user)
    remove = partial(shutil.rmtree, home.parent, ignore_errors=True)
    mounts = []
    if program.command:
        mounts.append(_read_only(copy_for_sandboxes(program.folder, home.parent / "bot"), "/bot"))
    environment = {**ENVIRONMENT, **program.environment}
    if program.image:  # a named image sets its own PATH
        del environment["PATH"]
    image = program.image or language_image()
    settings = {
        "Image": image,
        "Entrypoint": ["python3", "-I", "-S", "-c", ENTER, INSIDE],
        "Cmd": [inside[0], f"{INSIDE}/{SOCKET}", *inside[1:]],
        "Env": [f"{name}={value}" for name, value in environment.items()],
        "User": f"{user}:{user}",
        "WorkingDir": "/bot",
        "Hostname": "sandbox",
        "NetworkDisabled": True,
        "Labels": labels(),
        "HostConfig": {
            **HOST_CONFIG,
            **_bounds(limits),
            "MaskedPaths": covered(),
            "Runtime": runtime,
            "Tmpfs": {place: f"{how},uid={user},gid={user}" for place, how in writable.items()},
            "Mounts": [
                _read_only(home, INSIDE),
                *(_read_only(home / name, f"/etc/{name}") for name in ("passwd", "group")),
                *(_read_only(home / "empty", place) for place in EMPTY),
                _read_only(Path("/dev/full"), "/dev/zero"),  # shared memory of it has a number
                *(_read_only(home / name, f"/proc/{name}") for name in MADE_UP),
                *mounts,
            ],
        },
    }
    with ExitStack() as undo:  # even an interrupt by Ctrl-C leaves nothing behind
        undo.callback(remove)
        with _listening(home / SOCKET) as listener:
            container = docker.start(settings)
            undo.callback(container.kill)
            control = _connected(listener, container, image)
        undo.pop_all()
    group = None
    if docker.counts_memory:
        group = adopted(container.pid, container.ran_out_of_memory)
    sandbox = StartedSandbox(container, control, group, remove)
    try:
        sandbox.greet(refusals)
    except (PilotSilent, OSError) as error:
        ended = container.ended(0)
        sandbox.close()
        if ended:
            raise _image_error(image) from error
        raise SandboxBroken(f"a container's pilot did not greet: {error}") from error
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
    """Return the mount options of a file system in memory."""
    return f"rw,exec,nosuid,nodev,mode=0755,size={size},nr_inodes={files}"


def _read_only(source: Path, target: str) -> Mapping[str, Any]:
    """Return a read-only mount of a file or folder of the host."""
    return {
        "Type": "bind",
        "Source": str(source),
        "Target": target,
        "ReadOnly": True,
        "BindOptions": {"NonRecursive": True},
    }


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
    """Wait for the pilot; raises `SandboxBroken` if it does not connect, or something else does."""
    if container.ended(GREETING, listener.fileno()):
        raise _image_error(image)
    try:
        control, _ = listener.accept()
    except BlockingIOError:
        raise SandboxBroken(f"a container's pilot did not come within {GREETING:g} s") from None
    raw = control.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, CREDENTIALS.size)
    pid, _, _ = CREDENTIALS.unpack(raw)
    if pid != container.pid:
        control.close()
        raise SandboxBroken("a process other than the pilot connected to a container's socket")
    return control


def _image_error(image: str) -> Exception:
    """Return the error for an image in which no pilot could start."""
    if image == language_image():
        return SandboxBroken(f"the pilot did not begin in a container of {image}")
    return ToolMissing(f"the image {image} has no python3 3.10 or later for a pilot")
