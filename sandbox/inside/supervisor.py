"""The first process of a sandbox: it starts programs there, counts what they use and ends them.

It runs under the sandbox's own python3, not the arena's, so it is standard library only, and
imports the small C modules where the public one would double the start of a sandbox.

As the first process of its PID namespace it ends everything with one `kill(-1)`, and when it
ends, the kernel ends the rest. Without a namespace (`bare`) it looks for its descendants instead.
"""

# Without pathlib and contextlib, which would double the start of a sandbox:
# ruff: noqa: SIM105

from __future__ import annotations

import _signal  # type: ignore[import-not-found]
import _socket
import errno
import fcntl
import os
import select
import struct
import sys
import time

from card_arena.sandbox.inside import pilot_protocol as protocol
from card_arena.sandbox.inside.accounting import bot_processes, kill
from card_arena.sandbox.inside.hardening import refuse, set_limits, shut_out

RECEIVE, SEND = 0xC0502100, 0xC0182101
"""SECCOMP_IOCTL_NOTIF_RECV, SECCOMP_IOCTL_NOTIF_SEND."""
NOTICE, ANSWER = 80, struct.Struct("QqiI")
"""Bytes of struct seccomp_notif; struct seccomp_notif_resp: identifier, value, error, flags."""
IDENTIFIER, NUMBER = slice(0, 8), slice(16, 20)
"""Where they are in a notice."""
MOST = 4
"""Calls that a report names."""
WIDTH = 4


class RefusedCalls:
    """Answers the notices of a filter, and keeps the numbers of the first few calls.

    All of it in memory that is overwritten, since a bot that is forked from the pilot can read it.
    """

    def __init__(self, listener: int) -> None:
        self.listener = listener
        self.numbers = bytearray(MOST * WIDTH)
        self._kept = memoryview(self.numbers)
        self._count = 0
        self._notice = memoryview(bytearray(NOTICE))
        self._answer = memoryview(bytearray(ANSWER.pack(0, 0, -errno.ENOSYS, 0)))
        self._blank = memoryview(bytes(NOTICE))

    def answer(self) -> None:
        """Answer one notice: the caller gets ENOSYS."""
        self._notice[:] = self._blank
        try:
            fcntl.ioctl(self.listener, RECEIVE, self._notice)
            self._answer[IDENTIFIER] = self._notice[IDENTIFIER]
            fcntl.ioctl(self.listener, SEND, self._answer)
        except OSError:
            return  # the caller has ended
        number = self._notice[NUMBER]
        offsets = range(0, self._count * WIDTH, WIDTH)
        if self._count < MOST and all(self._kept[at : at + WIDTH] != number for at in offsets):
            self._kept[self._count * WIDTH : (self._count + 1) * WIDTH] = number
            self._count += 1

    def forget(self) -> None:
        self._kept[:] = self._blank[: len(self._kept)]
        self._notice[:] = self._blank
        self._count = 0


DEFAULT_SIGNALS = (_signal.SIGPIPE, _signal.SIGXFSZ, _signal.SIGINT)


class Supervisor:
    """Starts and ends one program at a time, and reports to the referee.

    `control` is the number of the socket that the requests come by, `counter` that of a file which
    sets the numbers of processes, -1 where the kernel does not allow that, `scratch` that of a
    socket to a zygote that mounts a new /tmp, -1 where there is none. `main` is the process that
    was started, 0 where there is none.
    """

    def __init__(
        self, spec: protocol.SandboxSpec, control: int, counter: int = -1, scratch: int = -1
    ) -> None:
        self.spec = spec
        self.alone = os.getpid() == 1
        self.counter = counter
        self.scratch = scratch
        self.control = _socket.socket(fileno=protocol.settle(control, counter, scratch))
        self.inbox = memoryview(bytearray(protocol.LONGEST_REQUEST))
        self.environment = dict(os.environb)
        self.program = ""
        self.refusals = b""
        self.refused = RefusedCalls(-1)
        self.main = 0

    def greet(self, how_started: str = "") -> None:
        """Send the greeting and a handle on us, and wait until we are in our group."""
        handle = os.pidfd_open(os.getpid())
        rights = [(_socket.SOL_SOCKET, _socket.SCM_RIGHTS, protocol.FD.pack(handle))]
        self.control.sendmsg((protocol.HELLO, how_started.encode()), rights)
        os.close(handle)
        word = self.control.recv(protocol.LONGEST_GO)
        if not word.startswith(protocol.GO):
            sys.exit(0)
        self.refusals = word[len(protocol.GO) :]

    def harden(self) -> None:
        """Close every way from the bot to us, and set the limits that it will inherit."""
        _signal.signal(_signal.SIGINT, _signal.SIG_DFL)
        shut_out(alone=self.alone)
        set_limits(self.spec, alone=self.alone)
        if self.refusals:
            self.refused = RefusedCalls(refuse(self.refusals))

    def receive(self) -> tuple[bytes | memoryview, tuple[int, ...]]:
        """Wait for a request and its descriptors; empty when the referee has hung up."""
        size, descriptors = protocol.received(self.control, self.inbox)
        return bytes(self.inbox[:size]), descriptors

    def send(self, message: tuple[bytes | memoryview, ...]) -> None:
        """Send one message to the referee, given in pieces.

        Not by `sendmsg`, which the filter refuses: it could pass descriptors.
        """
        os.writev(self.control.fileno(), message)

    def poll_of(self, *descriptors: int) -> select.poll:
        """Return a poll for input on these, for notices of refused calls and the referee's end."""
        poll = select.poll()
        poll.register(self.control, 0)
        for descriptor in (*descriptors, self.refused.listener):
            if descriptor >= 0:
                poll.register(descriptor, select.POLLIN)
        return poll

    def spawn(self, command: list[bytes], source: int | None, out: int, errors: int) -> None:
        """Start the bot in a session of its own, and close what was meant for it.

        Raises `OSError` where it can't be executed.
        """
        actions: list[tuple[int, int, int] | tuple[int, int, str, int, int]]
        actions = [(os.POSIX_SPAWN_DUP2, out, 1), (os.POSIX_SPAWN_DUP2, errors, 2)]
        descriptors = [out, errors]
        if source is None:
            # reopened: the flags of a shared one would tell of the previous question
            actions.append((os.POSIX_SPAWN_OPEN, 0, protocol.NOTHING, os.O_RDONLY, 0))
        else:
            actions.append((os.POSIX_SPAWN_DUP2, source, 0))
            descriptors.append(source)
        self.set_counter()
        try:
            self.main = os.posix_spawn(
                self.program,
                command,
                self.environment,
                file_actions=actions,
                setsid=True,
                setsigdef=DEFAULT_SIGNALS,
            )
        finally:
            for descriptor in descriptors:
                os.close(descriptor)

    def set_counter(self) -> None:
        """Let the next process have number 2, as for every question."""
        if self.counter >= 0:
            os.pwrite(self.counter, b"1", 0)

    def signal(self, number: int) -> None:
        """Send a signal to everything that the bot started, all at once where that can be."""
        for pid in (-1,) if self.alone else bot_processes():
            try:
                os.kill(pid, number)
            except ProcessLookupError:
                pass  # it has ended

    def reap(self, options: int, report: protocol.ExitReport) -> bool:
        """Reap ended processes; return whether any are left."""
        try:
            while True:
                pid, status, usage = os.wait4(-1, options)
                if pid == 0:
                    return True
                report.use(usage)
                if pid == self.main and report.outcome == protocol.LIVING:
                    report.take(status)
        except ChildProcessError:
            return False

    def finish(self, report: protocol.ExitReport) -> None:
        """Note how the main process ended, if it was not by us, and end all that it started."""
        if report.outcome == protocol.LIVING:
            _, status, usage = os.wait4(self.main, 0)
            report.take(status)
            report.use(usage)
        self.end_all(report)

    def end_all(self, report: protocol.ExitReport) -> None:
        """End every process but this one; nothing that the bot started is left afterwards."""
        judged = report.outcome, report.code
        if self.alone:
            # a process that loses its parent becomes our child: without children none is left
            if self.reap(os.WNOHANG, report) and kill(-1):
                self.reap(0, report)
        else:
            while self.reap(os.WNOHANG, report):
                for pid in bot_processes(surely=True):
                    kill(pid)
                time.sleep(0.0005)
        report.outcome, report.code = judged


def find(word: str) -> str:
    """Resolve a command to a file, as a shell would."""
    if "/" in word:
        return word
    for folder in os.environ.get("PATH", os.defpath).split(":"):
        path = f"{folder}/{word}"
        if os.access(path, os.X_OK):
            return path
    return word
