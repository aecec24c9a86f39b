"""The Docker engine, as far as boxes need it: connecting, cleaning up after killed runs, how
containers end."""

from __future__ import annotations

import os
import re
import select
import shutil
import socket
import subprocess
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import Any

from sandbox.box import BackendMissing, BoxBroken

INSTALL = "there is no Docker on this machine: sudo apt-get install docker.io"
NOT_RUNNING = (
    "no Docker engine answers at {where}: sudo systemctl start docker, or say in DOCKER_HOST where "
    "it listens"
)
ELSEWHERE = "boxes need a Docker engine on this machine, but DOCKER_HOST is {where}: unset it"
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

NEWS = 5.0
"""Seconds within which the engine notices the end of a container."""
LAG = 1.0
"""Seconds by which it may learn the reason later than the end."""

SCHEME = "unix://"
USUAL_PLACE = "unix:///var/run/docker.sock"

OURS, REFEREE = "card-arena", "card-arena.referee"
"""The labels of every container, which mark it as ours and name its referee."""
ABANDONED = 60.0
"""Seconds after which a container that is not running counts as abandoned, since each is started
immediately."""


class ImageMissing(Exception):
    """The engine has no image of this name."""


class CommandMissing(Exception):
    """An image lacks the program that its container should run."""


class Engine:
    """A Docker engine that answers; all requests of boxes go through here.

    `remapped` says that users in its containers are mapped to others outside, `counts_memory` that
    it can bound memory. Raises `BackendMissing`, with a remedy, if no engine answers.
    """

    def __init__(self) -> None:
        _knock()
        import docker  # a sixth of a second, which only Docker's boxes should pay

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

        `settings` are in the format of the engine's API. Raises `ImageMissing`, `CommandMissing`,
        `BackendMissing` for a runtime or a folder that the engine does not know, and `BoxBroken`
        for everything else.
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
                raise ImageMissing(settings["Image"]) from error
            reason = str(getattr(error, "explanation", None) or error)
            if "executable file not found" in reason:
                raise CommandMissing(settings["Entrypoint"][0]) from error
            if UNKNOWN_RUNTIME.search(reason):
                known = ", ".join(sorted(self._client.info()["Runtimes"]))
                name = settings["HostConfig"]["Runtime"]
                raise BackendMissing(NO_RUNTIME.format(name=name, known=known)) from error
            if (unseen := UNSEEN_SOURCE.search(reason)) and Path(unseen[1]).exists():
                place = tempfile.gettempdir()
                raise BackendMissing(UNSEEN.format(folder=unseen[1], place=place)) from error
            if isinstance(error, (self._errors.DockerException, OSError)):
                raise BoxBroken(f"Docker did not start a container: {reason}") from error
            raise

    def remove(self, name: str) -> None:
        """Remove a container, running or not, if it is still there."""
        with suppress(self._errors.DockerException, OSError):
            self._client.remove_container(name, force=True)

    def happened(self, name: str, since: float) -> set[str]:
        """The events of a container after a moment, as recorded by the engine.

        Words such as `oom` and `die`; none if the engine was restarted meanwhile, or does not
        answer.
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
        """The id of an image's current state; raises `ImageMissing`."""
        try:
            return str(self._client.inspect_image(name)["Id"])
        except self._errors.ImageNotFound as error:
            raise ImageMissing(name) from error
        except (self._errors.DockerException, OSError) as error:
            raise BoxBroken(f"Docker did not say what image {name} is: {error}") from error

    def images(self, name: str) -> list[str]:
        """The full names of all images with a name, whatever their tags."""
        return [tag for found in self._client.images(name) for tag in found["RepoTags"] or ()]

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
        for found in self._client.containers(all=True, filters={"label": OURS}):
            place, _, process = found["Labels"].get(REFEREE, "").partition(" ")
            idle = found["State"] != "running" and time.time() - found["Created"] > ABANDONED
            if not _lives(process) if place == _place() else idle:
                self.remove(found["Id"])


def engine() -> Engine:
    """The engine of this machine; raises `BackendMissing` if none answers.

    The first call in a process removes the leftovers of killed runs.
    """
    return _engine(os.getpid())  # its connection must not be shared with a fork


@cache
def _engine(process: int) -> Engine:  # noqa: ARG001
    found = Engine()
    found.sweep()
    return found


def _knock() -> None:
    """Check that something listens at the engine's address; raises `BackendMissing`."""
    where = os.environ.get("DOCKER_HOST") or USUAL_PLACE
    if not where.startswith(SCHEME):
        raise BackendMissing(ELSEWHERE.format(where=where))
    try:
        with socket.socket(socket.AF_UNIX) as caller:
            caller.connect(where.removeprefix(SCHEME))
    except PermissionError as error:
        raise BackendMissing(NOT_ALLOWED) from error
    except OSError as error:
        installed = shutil.which("dockerd") or where != USUAL_PLACE
        raise BackendMissing(NOT_RUNNING.format(where=where) if installed else INSTALL) from error


def labels() -> Mapping[str, str]:
    """The labels of our containers, so that a later run knows whose they are."""
    return {OURS: "box", REFEREE: f"{_place()} {os.getpid()}-{_born(os.getpid())}"}


@cache
def _place() -> str:
    """An identifier of this boot of the machine and this PID namespace."""
    boot = Path("/proc/sys/kernel/random/boot_id").read_text().strip()
    return f"{boot}/{Path('/proc/self/ns/pid').readlink()}"


def _lives(process: str) -> bool:
    pid, _, born = process.partition("-")
    return pid.isdigit() and _born(int(pid)) == born


def _born(pid: int) -> str:
    """The start time of a process, since its PID may be reused; empty if it has ended."""
    with suppress(OSError):
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[19]
    return ""


class Container:
    """A started container, handled like a child process: its PID, its end.

    Raises `BoxBroken` if it has already ended.
    """

    def __init__(self, engine: Engine, name: str, pid: int) -> None:
        self.pid = pid
        self._engine = engine
        self._name = name
        try:
            self._handle = os.pidfd_open(pid)
        except (OSError, ValueError) as error:
            raise BoxBroken("a container ended as soon as it was started") from error

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
        seconds = PATIENCE if timeout is None else timeout
        if self._handle >= 0 and not self.ended(seconds):
            raise subprocess.TimeoutExpired("docker", seconds)
        handle, self._handle = self._handle, -1
        if handle >= 0:
            os.close(handle)

    def ran_out_of_memory(self, since: float) -> bool:
        """Return whether the kernel killed for memory in it after a moment; call after its end."""
        end = time.monotonic() + NEWS
        while "oom" not in (happened := self._engine.happened(self._name, since)):
            if time.monotonic() > end:
                return False
            if "die" in happened:  # the engine learns of the two separately
                end = min(end, time.monotonic() + LAG)
            time.sleep(0.05)
        return True

    def kill(self) -> None:
        """Have the engine end and remove it."""
        self._engine.remove(self._name)
