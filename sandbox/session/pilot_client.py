"""The referee's handle on one started sandbox: asking it, and ending it."""

from __future__ import annotations

import os
import select
import signal
import socket
import subprocess
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Protocol

import psutil

from common.escaping import decoded
from sandbox.box import BoxBroken
from sandbox.inside import pilot_protocol
from sandbox.kernel.cgroups import Group
from sandbox.kernel.freezer import Freezer, Suspender, freezer_below
from sandbox.session.reports import PilotLate, PilotSilent, Report, exchange, read_report, send

GREETING = 15.0
CLOSING = 10.0
LONGEST_QUESTION = 128 * 1024
"""Bytes; the kernel takes no longer word on a command line."""


class PilotSuspender:
    """Stops and continues a bot through its pilot, by signals to everything in its namespace."""

    def __init__(self, control: socket.socket) -> None:
        self._control = control

    def suspend(self) -> None:
        """Let none of its processes compute.

        It does not wait where the socket is full: the pilot has then been kept from reading for
        hundreds of turns. The next `resume` waits, and what is computed until then counts.
        """
        with suppress(OSError, PilotLate):
            send(self._control, pilot_protocol.STOP, time.monotonic())

    def resume(self, seconds: float) -> None:
        """Let them go on; raises `PilotLate` where the pilot can't be told within these seconds."""
        with suppress(OSError):  # if the box broke meanwhile, ending it will show that
            send(self._control, pilot_protocol.CONTINUE, time.monotonic() + seconds)


class Started(Protocol):
    """The process behind a sandbox: a child of this process, or a stand-in for one."""

    @property
    def pid(self) -> int: ...

    def wait(self, timeout: float | None = None) -> object:
        """Wait for its end; raises `subprocess.TimeoutExpired`."""
        ...

    def kill(self) -> None: ...


class Sandbox:
    """One started sandbox, held by the referee: a process, a socket to its pilot, its group.

    `process` is None where a zygote has forked it, whose group it is born in. `remove` undoes what
    the launch had laid out. `grace` is the seconds over a deadline that a pilot may take to end a
    bot and report.
    """

    grace = 3.0

    def __init__(
        self,
        process: Started | None,
        control: socket.socket,
        group: Group | None,
        remove: Callable[[], None],
    ) -> None:
        self.group = group
        self.dirty = False
        self.how_started = ""
        self.gone = False
        """Whether it was closed and nothing of it is left."""
        self._process = process
        self._control = control
        self._poll = select.poll()
        self._poll.register(control, select.POLLIN)
        self._remove = remove
        self._handle = -1
        self._pid = 0
        self._freezer: Freezer | None = None
        self._may_freeze = True

    def greet(self, refusals: bytes = b"") -> None:
        """Wait for the pilot, and put it in its group before it starts anything.

        `refusals` is the filter of system calls that it puts itself and all that it starts under
        (`seccomp.filter_program`). Raises `PilotSilent`.
        """
        hello, handles = self._exchange(None, (), GREETING, descriptors=1)
        self._handle = handles[0] if handles else -1
        if hello.startswith(pilot_protocol.REFUSAL):
            raise PilotSilent(decoded(hello.removeprefix(pilot_protocol.REFUSAL)))
        if not hello.startswith(pilot_protocol.HELLO):
            raise PilotSilent("the pilot speaks another version")
        self.how_started = decoded(hello.removeprefix(pilot_protocol.HELLO))
        pid = host_pid(self._handle)
        if self.group and self._process:
            self.group.add(pid)
        with suppress(OSError):  # if the machine runs out of memory, a bot goes before others
            Path(f"/proc/{pid}/oom_score_adj").write_text("1000")
        _put_first(pid)
        send(self._control, pilot_protocol.GO + refusals, time.monotonic() + GREETING)
        self._pid = pid

    def run(self, words: Sequence[str], seconds: float, line: int) -> Report:
        """Have the program started with these words; its line is at most `line` bytes long.

        Raises `PilotSilent`.
        """
        body = b"".join(os.fsencode(word) + b"\0" for word in words)
        message = pilot_protocol.RUN + pilot_protocol.DEADLINE_FIELD.pack(seconds) + body
        if len(message) > LONGEST_QUESTION:
            raise BoxBroken(f"a question of {len(message)} bytes is too long for a command line")
        longest = pilot_protocol.LONGEST_REPORT + line
        before = self.group.computed() if self.group else None
        packed, _ = self._exchange(message, (), seconds + self.grace, longest=longest)
        report = self._read(packed)
        after = self.group.computed() if self.group else None
        if before is None or after is None:
            return report
        # The kernel also counts processes that nobody waited for. The pilot's share is small.
        return report._replace(cpu=max(report.cpu, after - before))

    def start(self, descriptors: tuple[int, ...], *, suspendable: bool) -> Report:
        """Have the program started on these pipes; `Report.outcome` is `LIVING` if it was.

        `suspendable` says that it will be stopped between its turns, by `suspender`.
        """
        if suspendable and self._freezer is None and self._may_freeze:
            self._freezer = freezer_below(self._pid)
        if self._freezer:
            self._freezer.resume()
            descriptors += self._freezer.groups
        report = self._read(self._exchange(pilot_protocol.START, descriptors, self.grace)[0])
        living = report.outcome == pilot_protocol.LIVING
        if self._freezer and living and not self._freezer.is_occupied():
            self._freezer.remove()
            self._freezer, self._may_freeze = None, False
        return report

    def suspender(self) -> Suspender:
        """What stops all that the program now is, and lets it go on."""
        return self._freezer or PilotSuspender(self._control)

    def build(self, steps: bytes, seconds: float, descriptors: tuple[int, ...]) -> Report:
        """Have a bot built by packed steps (see `inside.build_worker`); raises `PilotSilent`."""
        message = pilot_protocol.DEADLINE_FIELD.pack(seconds) + steps
        report, _ = self._exchange(
            message, descriptors, seconds + self.grace, longest=pilot_protocol.LONGEST_LOG
        )
        return self._read(report)

    def end(self) -> Report:
        """Have everything ended that was started; raises `PilotSilent`."""
        report, _ = self._exchange(pilot_protocol.END, (), self.grace)
        return self._read(report)

    def computed(self) -> int | None:
        """Microseconds that the processes of the living program have computed.

        Those that have ended are included. None where all had to be ended, because they were too
        big. Raises `PilotSilent`.
        """
        answer, _ = self._exchange(pilot_protocol.COMPUTED, (), self.grace)
        _, seconds, outcome = pilot_protocol.COMPUTED_REPLY.unpack(answer)
        return None if outcome == pilot_protocol.MEMORY else int(seconds * 1e6)

    def out_of_memory(self) -> bool:
        """Tell whether the kernel has killed for memory in this box since the last call."""
        return self.group is not None and self.group.out_of_memory()

    def crowded(self) -> bool:
        """Return whether processes of the bot are still there."""
        with suppress(psutil.Error, OSError):
            return bool(psutil.Process(host_pid(self._handle)).children(recursive=True))
        return False

    def close(self) -> None:
        """End the sandbox with all that is in it, and remove what it had on the host.

        A caller that was interrupted here calls it again.
        """
        if self.group and self._process:
            self.group.forget()  # a zygote's is used again, and forgets when it is
        self._control.close()
        if self._handle >= 0:
            with suppress(OSError):
                signal.pidfd_send_signal(self._handle, signal.SIGKILL)
        elif self._process:
            for process in _family(self._process.pid):
                with suppress(psutil.Error):
                    process.kill()
        self.gone = self._wait_for_end()
        handle, self._handle = self._handle, -1
        if handle >= 0:
            os.close(handle)
        freezer, self._freezer = self._freezer, None
        if freezer:
            freezer.remove()
        group, self.group = self.group, None
        if group and self._process:
            group.remove()
        self._remove()

    def _wait_for_end(self) -> bool:
        """Wait for the end of a killed process; return False if the kernel does not let it go."""
        if self._process:
            try:
                self._process.wait(CLOSING)
            except subprocess.TimeoutExpired:
                self._process.kill()
                self._process.wait()
        elif self._handle >= 0:  # the zygote's child, and not ours
            poll = select.poll()
            poll.register(self._handle, select.POLLIN)
            return bool(poll.poll(CLOSING * 1000))
        return True

    def _exchange(
        self,
        message: bytes | None,
        attached: tuple[int, ...],
        seconds: float,
        descriptors: int = 0,
        longest: int = pilot_protocol.LONGEST_REPORT,
    ) -> tuple[bytes, list[int]]:
        return exchange(self._control, self._poll, message, attached, seconds, descriptors, longest)

    def _read(self, packed: bytes) -> Report:
        report = read_report(packed)
        self.dirty = self.dirty or report.dirty
        return report


def _put_first(pid: int) -> None:
    """Keep a crowd of the bot's processes from making its pilot wait; only root may do that.

    Some kernels let no process of a control group run in real time. There it stays one of the
    crowd, since the group as a whole has its share; being nicer would not help: a process of much
    weight, once it has had its turn, waits longer for the next one.
    """
    with suppress(OSError):
        os.sched_setscheduler(pid, os.SCHED_FIFO | os.SCHED_RESET_ON_FORK, os.sched_param(1))


def host_pid(handle: int) -> int:
    """The number of the process behind a pidfd, as this process's namespace counts.

    Raises `ProcessLookupError` where it is gone.
    """
    for line in Path(f"/proc/self/fdinfo/{handle}").read_text().splitlines():
        if line.startswith("Pid:") and int(line.split()[1]) > 0:
            return int(line.split()[1])
    raise ProcessLookupError(f"descriptor {handle} is no handle on a living process")


def _family(pid: int) -> list[psutil.Process]:
    with suppress(psutil.Error):
        process = psutil.Process(pid)
        return [process, *process.children(recursive=True)]
    return []
