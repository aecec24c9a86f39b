"""The referee's side of a zygote: putting it in its group, ordering boxes, ending it.

A zygote (`sandbox.inside.zygote`) takes twenty milliseconds or more to start, once, and four to
fork a box.
"""

from __future__ import annotations

import os
import select
import signal
import socket
import subprocess
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from time import monotonic

from sandbox.box import BoxBroken
from sandbox.inside.pilot_protocol import CLEAR, DONE, Order
from sandbox.kernel.cgroups import Group
from sandbox.session.pilot_client import CLOSING, GREETING, Sandbox
from sandbox.session.reports import PilotSilent, send

OURS = 2
"""The processes in a box's namespaces and group that don't belong to its bot: zygote and pilot."""

Key = tuple[object, ...]
"""The source of a zygote's system files, and the fingerprint of its program (if any), file by
file."""


class Zygote:
    """The referee's handle on one zygote.

    `files` are kept open as long as it lives; the first is a log of errors from before there was a
    pilot, from which `explain` makes an exception.
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
        """Whether a box that it made still exists."""
        self.used_before = False
        """Whether it has made a box before."""
        self.disk = 0
        """The number of the disk with the system's files for its boxes only, if there is one."""
        self._process = process
        self._control = control
        self._files = files
        self._explain = explain
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

    @property
    def pid(self) -> int:
        """The PID that it was started with."""
        return self._process.pid

    def alive(self) -> bool:
        """Return whether it can still make a box."""
        if not self.sound or self._handle < 0:
            return False
        poll = select.poll()
        poll.register(self._handle, select.POLLIN)
        return not poll.poll(0)

    def bound(self, memory: int, processes: int) -> None:
        """Bound the memory, in bytes, and the processes of the next boxes; raises `BoxBroken`."""
        if self.group:
            try:
                self.group.forget()
                if self.disk and self.used_before:
                    self._read_again()
                self.group.bound(memory, processes + OURS)
            except OSError as error:
                self.sound = False
                raise BoxBroken(f"a box's limits can't be set: {error}") from error

    def _read_again(self) -> None:
        """Read the files that this process itself runs on into memory, outside the zygote's group.

        They were dropped together with everything that a bot had read. Every box begins with them
        in memory, so they reveal nothing, and a box that read them page by page would take five
        times as long to start.
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
            # Its group may still hold the remains of a box; then no other box gets it.
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
        except BaseException:  # even an interrupt by Ctrl-C leaves nothing behind
            self.close()
            sandbox.close()
            raise
        self.used_before = True
        return sandbox

    def clear(self) -> None:
        """Have all files of the last box removed, and with them what its group is charged for them.

        The zygote is of no use any more where that fails.
        """
        try:
            send(self._control, CLEAR, monotonic() + GREETING)
            answer = select.poll()
            answer.register(self._control, select.POLLIN)
            self.sound = bool(answer.poll(GREETING * 1000)) and self._control.recv(1) == DONE
        except (PilotSilent, OSError):
            self.sound = False

    def failed(self, error: Exception, sandbox: Sandbox | None = None) -> Exception:
        """End the zygote and its box, and explain the failure from its last output."""
        log = os.pread(self._files[0], 2000, 0) if self._files else b""
        text = log.decode(errors="replace").strip()
        self.close()
        if sandbox:
            sandbox.close()
        return self._explain(text or str(error))

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
            with suppress(OSError):
                os.killpg(self._process.pid, signal.SIGKILL)
        try:
            self._process.wait(CLOSING)
        except subprocess.TimeoutExpired:
            with suppress(OSError):
                os.killpg(self._process.pid, signal.SIGKILL)
            self._process.wait()
        group, self.group = self.group, None
        if group:
            group.remove()
        files, self._files = self._files, ()
        for descriptor in files:
            os.close(descriptor)
