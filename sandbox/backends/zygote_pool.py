"""The referee's side of zygotes: taken by a box for a match, given back, and used again.

A zygote (`sandbox.inside.zygote`) is started once, in twenty milliseconds or more, and forks boxes
in four. One without a bot serves for any program; one in which a Python bot's program waits to
be forked is kept for that program. Each belongs to one box at a time: two boxes never share one, so
that they share no user number, no control group and no page of memory that one of them could feel
the other change.
"""

from __future__ import annotations

import atexit
import os
import select
import signal
import socket
import subprocess
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from functools import cache
from pathlib import Path
from time import monotonic
from typing import Protocol

from sandbox.box import BoxBroken, Program
from sandbox.inside import build_worker
from sandbox.inside.pilot_protocol import PILOT, Order
from sandbox.inside.zygote_compiler import afresh
from sandbox.kernel.cgroups import Group
from sandbox.limits import Limits
from sandbox.session.pilot_client import CLOSING, GREETING, PilotSilent, Sandbox, send
from sandbox.session.piloted_box import terms

OURS = 2
"""Processes in a box's namespaces and group that are not its bot's: the zygote and the pilot."""
MOST_IDLE = 8
"""Zygotes that wait in one process for somebody to take them; each takes some 10 MiB."""

PAGE, INODE = 4096, 1024
"""Bytes of memory that a file takes in pages, and besides."""

Key = tuple[object, ...]
"""What a zygote has the system's files from, and what tells its program, if it has any, from
another, file by file."""


class Hatch(Protocol):
    """Starts a zygote: one for a program that may be forked, if its command and files are given."""

    def __call__(
        self, command: Sequence[str], environment: Mapping[str, str], content: int | None
    ) -> Zygote:
        """Start it; raises `BackendMissing` or `BoxBroken`."""
        ...


class Zygote:
    """One zygote as the referee holds it.

    `files` are kept open as long as it lives; the first is a log of what was said where no pilot
    could, of which `explain` makes an exception.
    """

    def __init__(
        self,
        process: subprocess.Popen[bytes],
        control: socket.socket,
        group: Group | None,
        files: tuple[int, ...],
        explain: Callable[[str], Exception],
    ) -> None:
        self.group = group
        self.key: Key = ()
        self.sound = True
        self.taken = False
        """Whether a box of it is still there."""
        self.seasoned = False
        """Whether it has made a box before."""
        self.disk = 0
        """The number of the disk that its boxes alone have the system's files from, if they do."""
        self._process = process
        self._control = control
        self._files = files
        self._explain = explain
        self._handle = -1
        self._first = 0

    def join(self, pid: int | None) -> None:
        """Put the process in its group while it still gets ready; raises `OSError`.

        The kernel takes its time over that, in which it can as well load its modules. All that it
        forks is born there.
        """
        if pid:
            self._handle = os.pidfd_open(pid)
            self._first = pid
            if self.group:
                self.group.add(pid)

    @property
    def pid(self) -> int:
        """The number of what it was started as."""
        return self._process.pid

    def alive(self) -> bool:
        """Tell whether it can still be asked for a box."""
        if not self.sound or self._handle < 0:
            return False
        poll = select.poll()
        poll.register(self._handle, select.POLLIN)
        return not poll.poll(0)

    def bound(self, memory: int, processes: int) -> None:
        """Let the next boxes have so many bytes and processes of a bot; raises `BoxBroken`."""
        if self.group:
            try:
                self.group.forget()
                if self.disk and self.seasoned:
                    self._read_again()
                self.group.bound(memory, processes + OURS)
            except OSError as error:
                self.sound = False
                raise BoxBroken(f"a box's limits can't be set: {error}") from error

    def _read_again(self) -> None:
        """Have what this process itself runs on in memory, in nobody's group.

        It was let go of with all that a bot had read. Every box begins with it, so that it tells
        nothing, and reading it page by page would take a box five times as long to start.
        """
        self.disk, disk = 0, f"{os.major(self.disk):02x}:{os.minor(self.disk):02x}"
        with suppress(OSError):
            lines = Path(f"/proc/{self._first}/maps").read_text().splitlines()
            for path in {line.split(maxsplit=5)[5] for line in lines if f" {disk} " in line}:
                with Path(f"/proc/{self._first}/root{path}").open("rb", buffering=0) as file:
                    while file.read(1 << 20):
                        pass

    def box(
        self,
        order: Order,
        content: int | None,
        refusals: bytes,
        left: Callable[[Zygote], None] = lambda _: None,
    ) -> Sandbox:
        """Have a box forked and greet its pilot; `content` is a file with the bot's files.

        `left` is called with this zygote when the box is closed. Raises `BackendMissing` or
        `BoxBroken`.
        """

        def remove() -> None:
            # Its group may hold what is left of a box; nobody else gets it then.
            self.taken = not sandbox.gone
            left(self)

        ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        sandbox = Sandbox(None, ours, self.group, remove)
        self.taken = True
        try:
            with theirs:
                descriptors = (theirs.fileno(), *(() if content is None else (content,)))
                send(self._control, order.write(), monotonic() + GREETING, descriptors)
            sandbox.greet(refusals)
        except (PilotSilent, OSError) as error:
            raise self.failed(error, sandbox) from error
        except BaseException:  # Ctrl-C in the middle leaves nothing behind either
            self.close()
            sandbox.close()
            raise
        self.seasoned = True
        return sandbox

    def failed(self, error: Exception, sandbox: Sandbox | None = None) -> Exception:
        """End it and a box of it, and say what went wrong by what was last heard of it."""
        log = os.pread(self._files[0], 2000, 0) if self._files else b""
        text = log.decode(errors="replace").strip()
        self.close()
        if sandbox:
            sandbox.close()
        return self._explain(text or str(error))

    def close(self) -> None:
        """End it with all that it has forked."""
        self.sound = False
        self._control.close()
        handle, self._handle = self._handle, -1
        if handle >= 0:
            with suppress(OSError):
                signal.pidfd_send_signal(handle, signal.SIGKILL)
            os.close(handle)
        else:
            self._process.kill()
        try:
            self._process.wait(CLOSING)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        group, self.group = self.group, None
        if group:
            group.remove()
        files, self._files = self._files, ()
        for descriptor in files:
            os.close(descriptor)


class Nursery:
    """The zygotes of this process that wait for somebody to take them."""

    def __init__(self) -> None:
        self.idle: list[Zygote] = []
        """Those whom nobody has now; who has waited longest is first."""
        self.unfit: set[Key] = set()
        """Programs of which no zygote could be made."""

    def take(self, key: Key, hatch: Callable[[], Zygote]) -> Zygote:
        """Give a zygote for a program, one that waits or else a new one; raises as `hatch` does."""
        for zygote in [each for each in self.idle if not each.alive()]:
            self.idle.remove(zygote)
            zygote.close()
        for zygote in reversed(self.idle):
            if zygote.key == key:
                self.idle.remove(zygote)
                return zygote
        zygote = hatch()
        zygote.key = key
        return zygote

    def give_back(self, zygote: Zygote) -> None:
        """Keep a zygote for somebody else; the one that has waited longest may have to go."""
        if zygote.taken or not zygote.alive():
            zygote.close()
            return
        self.idle.append(zygote)
        while len(self.idle) > MOST_IDLE:
            self.idle.pop(0).close()

    def close(self) -> None:
        """End all that wait."""
        while self.idle:
            self.idle.pop().close()


def nursery() -> Nursery:
    """The nursery of this process; a fork of it has one of its own."""
    return _nursery(os.getpid())


@cache
def _nursery(process: int) -> Nursery:  # noqa: ARG001
    made = Nursery()
    atexit.register(made.close)
    return made


class Cradle:
    """Makes the boxes of one bot in a match, one after the other, from a zygote that it holds."""

    def __init__(
        self,
        program: Program,
        limits: Limits,
        environment: Mapping[str, str],
        hatch: Hatch,
        refusals: bytes,
        system: object = None,
    ) -> None:
        """`system` is what its zygotes must have the system's files from, to serve for it."""
        self._system = system
        self._program = program
        self._limits = limits
        self._environment = environment
        self._hatch = hatch
        self._refusals = refusals
        self._zygote: Zygote | None = None
        self._content, self._size, self._key = packed(program)

    def launch(self, *, fresh: bool) -> Sandbox:
        """Make a box; a fresh one has the bot's files anew, another those of the box before it.

        Raises `BackendMissing` or `BoxBroken`.
        """
        unfit = nursery().unfit
        if not self._program.warm or self._key in unfit:
            return self._made(fresh=fresh, warm=False)
        try:
            return self._made(fresh=fresh, warm=True)
        except BoxBroken:
            # Whatever came between may have been the program, which can be started as any other.
            unfit.add(self._key)
            return self._made(fresh=True, warm=False)

    def prepare(self) -> None:
        """Nothing takes long: it is forked when it is wanted."""

    def close(self) -> None:
        """Give the zygote back."""
        zygote, self._zygote = self._zygote, None
        if zygote:
            nursery().give_back(zygote)
        content, self._content = self._content, -1
        if content >= 0:
            os.close(content)

    def _made(self, *, fresh: bool, warm: bool) -> Sandbox:
        zygote = self._zygote
        if zygote and not zygote.alive():
            nursery().give_back(zygote)
            self._zygote = zygote = None
        if zygote is None:
            zygote, fresh = self._taken(warm=warm), True
            self._zygote = zygote
        if fresh:
            # the bot's files lie in memory, and are not what it uses of it
            zygote.bound(self._limits.memory + self._size, self._limits.processes)
        counted = zygote.group is not None
        words = terms(self._limits, counted=counted, own_user=True, scratch="/tmp", ours=OURS)
        variables = {os.fsencode(k): os.fsencode(v) for k, v in self._environment.items()}
        order = Order(PILOT, fresh, [*words, *self._program.command], variables)
        seasoned = zygote.seasoned
        try:
            sandbox = zygote.box(order, self._content if fresh else None, self._refusals)
        except BoxBroken:
            if not seasoned:
                raise
            # It waited here, and whatever has become of it meanwhile is nobody's fault.
            return self._made(fresh=True, warm=warm)
        if self._program.warm and not warm:
            sandbox.manner = afresh("an interpreter could not be made ready for it")
        return sandbox

    def _taken(self, *, warm: bool) -> Zygote:
        if not warm:
            return nursery().take((self._system,), lambda: self._hatch((), {}, None))
        command, environment = self._program.command, self._environment
        return nursery().take(
            (self._system, *self._key),
            lambda: self._hatch(command, environment, self._content),
        )


def packed(program: Program) -> tuple[int, int, Key]:
    """Pack a bot's files for a box: a file of them, what they take, what tells them from others."""
    content = os.memfd_create("bot")
    key: list[object] = [program.command, *program.environment.items()]
    size = 0
    try:
        with open(content, "wb", closefd=False) as file:
            for name, path in _regular_files(program.folder):
                status = path.stat()
                key.append((str(path), status.st_ino, status.st_size, status.st_mtime_ns))
                size += -(-status.st_size // PAGE) * PAGE + INODE
                text = path.read_bytes()
                file.writelines(build_worker.pack([(name, text, bool(status.st_mode & 0o100))]))
    except OSError as error:
        os.close(content)
        raise BoxBroken(f"a bot's files can't be read for its box: {error}") from error
    return content, size, tuple(key)


def _regular_files(folder: Path) -> list[tuple[str, Path]]:
    found = []
    for place, folders, names in os.walk(folder):
        folders.sort()
        relative = os.path.relpath(place, folder)
        for name in sorted(names):
            path = Path(place, name)
            if path.is_file() and not path.is_symlink():
                found.append((name if relative == "." else f"{relative}/{name}", path))
    return found
