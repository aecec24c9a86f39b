"""The referee's side of a zygote: putting it in its group, ordering sandboxes, ending it.

A zygote (`sandbox.inside.zygote`) takes twenty milliseconds or more to start, once, and four to
fork a sandbox.
"""

from __future__ import annotations

import atexit
import os
import signal
import socket
import subprocess
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from functools import cache, partial
from pathlib import Path
from threading import Lock
from time import monotonic

from card_arena.sandbox.backends.bubblewrap_support import explained
from card_arena.sandbox.inside import packed_files
from card_arena.sandbox.inside.pilot_protocol import CLEAR, DONE, PILOT, ZygoteRequest
from card_arena.sandbox.inside.zygote_compiler import afresh
from card_arena.sandbox.kernel.cgroups import Group
from card_arena.sandbox.limits import Limits
from card_arena.sandbox.sandbox import Program, SandboxBroken
from card_arena.sandbox.session.piloted_sandbox import CLOSING, GREETING, StartedSandbox
from card_arena.sandbox.session.reports import PilotSilent, readable, send
from card_arena.sandbox.session.verdicts import spec_words

OURS = 2
"""The processes in a sandbox's namespaces and group beside its bot's: zygote and pilot."""

Key = tuple[object, ...]
"""The source of a zygote's system files, and the fingerprint of its program (if any), file by
file."""


class Zygote:
    """The referee's handle on one zygote.

    `files` are kept open as long as it lives; the first is a log of errors from before there was a
    pilot.
    """

    def __init__(
        self,
        process: subprocess.Popen[bytes],
        control: socket.socket,
        group: Group | None,
        files: tuple[int, ...],
    ) -> None:
        self.pid = process.pid
        self.group = group
        self.key: Key = ()
        self.sound = True
        self.taken = False
        """Whether a sandbox that it made still exists."""
        self.used_before = False
        """Whether it has made a sandbox before."""
        self.disk = 0
        """The number of the disk with the system's files for its sandboxes only, or None."""
        self._process = process
        self._control = control
        self._files = files
        self._handle = -1
        self._first = 0

    def join(self, pid: int | None) -> None:
        """Put the process in its group while it is still starting; raises `OSError`.

        The kernel needs some time for that, during which the zygote can load its modules. All its
        forks are born in the group.
        """
        if pid:
            self._handle = os.pidfd_open(pid)
            self._first = pid
            if self.group:
                self.group.add(pid)

    def alive(self) -> bool:
        """Return whether it can still make a sandbox."""
        return self.sound and self._handle >= 0 and not readable(self._handle, 0)

    def bound(self, memory: int, processes: int) -> None:
        """Bound memory, in bytes, and processes of the next sandboxes; raises `SandboxBroken`."""
        if self.group:
            try:
                self.group.forget()
                if self.disk and self.used_before:
                    self._read_again()
                self.group.bound(memory, processes + OURS)
            except OSError as error:
                self.sound = False
                raise SandboxBroken(f"a sandbox's limits can't be set: {error}") from error

    def _read_again(self) -> None:
        """Read the files that this process itself runs on into memory, outside the zygote's group.

        They were dropped together with everything that a bot had read. Every sandbox begins with
        them in memory, so they reveal nothing, and a sandbox that read them page by page would take
        five times as long to start.
        """
        self.disk, disk = 0, f"{os.major(self.disk):02x}:{os.minor(self.disk):02x}"
        with suppress(OSError):
            lines = Path(f"/proc/{self._first}/maps").read_text().splitlines()
            for path in {line.split(maxsplit=5)[5] for line in lines if f" {disk} " in line}:
                with Path(f"/proc/{self._first}/root{path}").open("rb", buffering=0) as file:
                    while file.read(1 << 20):
                        pass

    def sandbox(
        self,
        request: ZygoteRequest,
        content: int | None,
        refusals: bytes,
        left: Callable[[Zygote], None] = lambda _: None,
    ) -> StartedSandbox:
        """Have a sandbox forked and greet its pilot; `content` is a file with the bot's files.

        `left` is called with this zygote when the sandbox is closed. Raises `BackendMissing` or
        `SandboxBroken`.
        """

        def remove() -> None:
            # Its group may still hold the remains of a sandbox; then no other sandbox gets it.
            self.taken = not sandbox.gone
            left(self)

        ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        sandbox = StartedSandbox(None, ours, self.group, remove)
        self.taken = True
        try:
            with theirs:
                descriptors = (theirs.fileno(), *(() if content is None else (content,)))
                send(self._control, request.write(), monotonic() + GREETING, descriptors)
            sandbox.greet(refusals)
        except (PilotSilent, OSError) as error:
            raise self.failed(error, sandbox) from error
        except BaseException:  # even an interrupt by Ctrl-C leaves nothing behind
            self.close()
            sandbox.close()
            raise
        self.used_before = True
        return sandbox

    def clear(self) -> None:
        """Remove all files of the last sandbox, and with them what its group is charged for them.

        The zygote is of no use any more where that fails.
        """
        try:
            send(self._control, CLEAR, monotonic() + GREETING)
            self.sound = readable(self._control, GREETING) and self._control.recv(1) == DONE
        except (PilotSilent, OSError):
            self.sound = False

    def failed(self, error: Exception, sandbox: StartedSandbox | None = None) -> Exception:
        """End the zygote and its sandbox, and explain the failure from its last output."""
        log = os.pread(self._files[0], 2000, 0) if self._files else b""
        text = log.decode(errors="replace").strip()
        self.close()
        if sandbox:
            sandbox.close()
        return explained(text or str(error))

    def close(self) -> None:
        self.sound = False
        self._control.close()
        handle, self._handle = self._handle, -1
        if handle >= 0:
            with suppress(OSError):
                signal.pidfd_send_signal(handle, signal.SIGKILL)
            os.close(handle)
        else:
            # Bubblewrap alone must not be killed: its child would wait for it for ever. Children
            # that have left the session have begun, and end since nobody is at the control socket.
            self._kill_group()
        try:
            self._process.wait(CLOSING)
        except subprocess.TimeoutExpired:
            self._kill_group()
            self._process.wait()
        group, self.group = self.group, None
        if group:
            group.remove()
        files, self._files = self._files, ()
        for descriptor in files:
            os.close(descriptor)

    def _kill_group(self) -> None:
        with suppress(OSError):
            os.killpg(self.pid, signal.SIGKILL)


# A pool of zygotes: each is taken for a match and given back afterwards.
#
# A zygote without a bot serves any program; one in which a Python bot's program waits to be
# forked is kept for that program. Each belongs to one sandbox at a time: two sandboxes never share
# a zygote, so they share no user id, no control group and no page of memory in which one could
# notice the other.


MOST_IDLE = 8
"""The most zygotes waiting in one process; each takes some 10 MiB."""


class ZygotePool:
    """The idle zygotes of this process, for all threads that launch sandboxes."""

    def __init__(self) -> None:
        self.idle: list[Zygote] = []
        """The zygotes not in use, the longest idle first."""
        self.unfit: set[Key] = set()
        """Programs for which no zygote could be made."""
        self._lock = Lock()

    def take(self, key: Key, start: Callable[[], Zygote]) -> Zygote:
        """Take an idle zygote for a program, or else start one; raises as `start` does."""
        with self._lock:
            dead = [zygote for zygote in self.idle if not zygote.alive()]
            self.idle = [zygote for zygote in self.idle if zygote not in dead]
            fitting = next((zygote for zygote in reversed(self.idle) if zygote.key == key), None)
            if fitting:
                self.idle.remove(fitting)
        for zygote in dead:
            zygote.close()
        if fitting is None:
            fitting = start()
            fitting.key = key
        return fitting

    def give_back(self, zygote: Zygote) -> None:
        """Keep a zygote for another sandbox; if there are too many, end the longest idle one."""
        if not zygote.taken and zygote.alive():
            zygote.clear()
        if zygote.taken or not zygote.alive():
            zygote.close()
            return
        with self._lock:
            self.idle.append(zygote)
            surplus = [self.idle.pop(0) for _ in range(len(self.idle) - MOST_IDLE)]
        for zygote in surplus:
            zygote.close()

    def close(self) -> None:
        while self.idle:
            self.idle.pop().close()


def zygote_pool() -> ZygotePool:
    """Return the pool of this process; a forked process has its own."""
    return _pool_of(os.getpid())


@cache
def _pool_of(process: int) -> ZygotePool:  # noqa: ARG001
    pool = ZygotePool()
    atexit.register(pool.close)
    return pool


PAGE, INODE = 4096, 1024
"""Bytes of memory that a file takes: its page size, and the overhead."""


StartZygote = Callable[[Sequence[str], Mapping[str, str], int | None], Zygote]
"""Starts a zygote; with a command, its environment and files, one for a program to be forked.

It raises `BackendMissing` or `SandboxBroken`."""


class ZygoteLauncher:
    """Makes the sandboxes of one bot in a match, one at a time, from a zygote that it holds."""

    def __init__(
        self,
        program: Program,
        limits: Limits,
        environment: Mapping[str, str],
        start_zygote: StartZygote,
        refusals: bytes,
        system: object = None,
    ) -> None:
        """`system` is the source of system files that its zygotes must have."""
        self._system = system
        self._program = program
        self._limits = limits
        self._environment = environment
        self._start_zygote = start_zygote
        self._refusals = refusals
        self._zygote: Zygote | None = None
        self._content, self._size, self._key = packed(program)

    def launch(self, *, fresh: bool) -> StartedSandbox:
        """Make a sandbox; a fresh one has a new copy of the bot's files, otherwise it has its
        predecessor's.

        Raises `BackendMissing` or `SandboxBroken`.
        """
        unfit = zygote_pool().unfit
        if not self._program.forkable or self._key in unfit:
            return self._made(fresh=fresh, forkable=False)
        try:
            return self._made(fresh=fresh, forkable=True)
        except SandboxBroken:
            # The program may be what failed, and it can still be started like any other.
            unfit.add(self._key)
            return self._made(fresh=True, forkable=False)

    def prepare(self) -> None:
        """Do nothing: a fork is quick enough when it is needed."""

    def close(self) -> None:
        zygote, self._zygote = self._zygote, None
        if zygote:
            zygote_pool().give_back(zygote)
        content, self._content = self._content, -1
        if content >= 0:
            os.close(content)

    def _made(self, *, fresh: bool, forkable: bool) -> StartedSandbox:
        if self._zygote and not self._zygote.alive():
            zygote_pool().give_back(self._zygote)
            self._zygote = None
        if self._zygote is None:
            self._zygote, fresh = self._taken(forkable=forkable), True
        zygote = self._zygote
        counted = zygote.group is not None
        words = spec_words(self._limits, counted=counted, own_user=True, scratch="/tmp", ours=OURS)
        variables = {os.fsencode(k): os.fsencode(v) for k, v in self._environment.items()}
        request = ZygoteRequest(PILOT, fresh, [*words, *self._program.command], variables)
        used_before = zygote.used_before
        try:
            if fresh:
                # the bot's files lie in memory, but don't count as its usage
                zygote.bound(self._limits.memory + self._size, self._limits.processes)
            sandbox = zygote.sandbox(request, self._content if fresh else None, self._refusals)
        except SandboxBroken:
            if not used_before:
                raise
            # It had been waiting, so whatever happened to it meanwhile is no bot's fault.
            return self._made(fresh=True, forkable=forkable)
        if self._program.forkable and not forkable:
            sandbox.how_started = afresh("an interpreter could not be made ready for it")
        return sandbox

    def _taken(self, *, forkable: bool) -> Zygote:
        if not forkable:
            return zygote_pool().take((self._system,), partial(self._start_zygote, (), {}, None))
        program = self._program.command, self._environment, self._content
        key = (self._system, *self._key)
        return zygote_pool().take(key, partial(self._start_zygote, *program))


def packed(program: Program) -> tuple[int, int, Key]:
    """Pack a bot's files for a sandbox: return the file, its size in memory, and a fingerprint."""
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
                file.writelines(packed_files.pack([(name, text, bool(status.st_mode & 0o100))]))
    except OSError as error:
        os.close(content)
        raise SandboxBroken(f"a bot's files can't be read for its sandbox: {error}") from error
    return content, size, tuple(key)


def _regular_files(folder: Path) -> Iterator[tuple[str, Path]]:
    for place, folders, names in os.walk(folder):
        folders.sort()
        for path in (Path(place, name) for name in sorted(names)):
            if path.is_file() and not path.is_symlink():
                yield str(path.relative_to(folder)), path
