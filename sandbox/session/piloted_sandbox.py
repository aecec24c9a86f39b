"""A sandbox with a pilot inside: requests to the pilot, and replies from its reports.

A backend only supplies a way to start a pilot. This module asks questions and draws verdicts, and
replaces a sandbox in which a bot has played or left anything behind.
"""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import time
from collections.abc import Callable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import ExitStack, suppress
from pathlib import Path
from typing import Protocol

import psutil

from card_arena.common.faults import Fault, time_facts
from card_arena.common.text import decoded
from card_arena.sandbox.inside import pilot_protocol
from card_arena.sandbox.kernel.cgroups import Freezer, Group, Suspender, freezer_below
from card_arena.sandbox.limits import Limits
from card_arena.sandbox.sandbox import Reply, Sandbox, SandboxBroken
from card_arena.sandbox.session.idle_bots import IdleBots
from card_arena.sandbox.session.reports import (
    PilotLate,
    PilotSilent,
    Report,
    exchange,
    read_report,
    readable,
    send,
)
from card_arena.sandbox.session.stdin_session import StdinSession, decode_line
from card_arena.sandbox.session.verdicts import refusal, too_much_memory, verdict

GREETING = 15.0
CLOSING = 10.0
LONGEST_QUESTION = 128 * 1024
"""Bytes; the kernel takes no longer word on a command line."""


class Started(Protocol):
    """The process behind a sandbox: a child of this process, or a fallback action for one."""

    @property
    def pid(self) -> int: ...

    def wait(self, timeout: float | None = None) -> object:
        """Wait for its end; raises `subprocess.TimeoutExpired`."""

    def kill(self) -> None: ...


class StartedSandbox:
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
        greeting, handles = exchange(self._control, None, GREETING, descriptors=1)
        self._handle = handles[0] if handles else -1
        if greeting.startswith(pilot_protocol.REFUSAL):
            raise PilotSilent(decoded(greeting.removeprefix(pilot_protocol.REFUSAL)))
        if not greeting.startswith(pilot_protocol.HELLO):
            raise PilotSilent("the pilot speaks another version")
        self.how_started = decoded(greeting.removeprefix(pilot_protocol.HELLO))
        pid = host_pid(self._handle)
        if self.group and self._process:
            self.group.add(pid)
        with suppress(OSError):  # if the machine runs out of memory, a bot goes before others
            Path(f"/proc/{pid}/oom_score_adj").write_text("1000")
        # Keep a crowd of the bot's processes from making its pilot wait; only root may do that.
        # Some kernels let no process of a control group run in real time. There it stays one of
        # the crowd, since the group as a whole has its share; being nicer would not help: a process
        # of much weight, once it has had its turn, waits longer for the next one.
        with suppress(OSError):
            os.sched_setscheduler(pid, os.SCHED_FIFO | os.SCHED_RESET_ON_FORK, os.sched_param(1))
        send(self._control, pilot_protocol.GO + refusals, time.monotonic() + GREETING)
        self._pid = pid

    def run(self, words: Sequence[str], seconds: float, line: int) -> Report:
        """Have the program started with these words; its line is at most `line` bytes long.

        Raises `PilotSilent`.
        """
        body = b"".join(os.fsencode(word) + b"\0" for word in words)
        message = pilot_protocol.RUN + pilot_protocol.DEADLINE_FIELD.pack(seconds) + body
        if len(message) > LONGEST_QUESTION:
            raise SandboxBroken(
                f"a question of {len(message)} bytes is too long for a command line"
            )
        longest = pilot_protocol.LONGEST_REPORT + line
        before = self.group.computed() if self.group else None
        report = self._request(message, seconds, longest=longest)
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
        report = self._request(pilot_protocol.START, attached=descriptors)
        living = report.outcome == pilot_protocol.LIVING
        if self._freezer and living and not self._freezer.is_occupied():
            self._freezer.remove()
            self._freezer, self._may_freeze = None, False
        return report

    def suspender(self) -> Suspender:
        """Return the object that stops and continues the program's processes."""
        return self._freezer or self

    def suspend(self) -> None:
        """Have the pilot stop the program, by signals to everything in its namespace.

        It does not wait where the socket is full: the pilot has then been kept from reading for
        hundreds of turns. The next `resume` waits, and what is computed until then counts.
        """
        with suppress(OSError, PilotLate):
            send(self._control, pilot_protocol.STOP, time.monotonic())

    def resume(self, seconds: float) -> None:
        """Let it continue; raises `PilotLate` if the pilot can't be told within these seconds."""
        with suppress(OSError):  # if the sandbox broke meanwhile, ending it will show that
            send(self._control, pilot_protocol.CONTINUE, time.monotonic() + seconds)

    def build(self, steps: bytes, seconds: float, descriptors: tuple[int, ...]) -> Report:
        """Have a bot built by packed steps (see `inside.build_worker`); raises `PilotSilent`."""
        message = pilot_protocol.DEADLINE_FIELD.pack(seconds) + steps
        return self._request(message, seconds, descriptors, pilot_protocol.LONGEST_LOG)

    def end(self) -> Report:
        """Have everything ended that was started; raises `PilotSilent`."""
        return self._request(pilot_protocol.END)

    def computed(self) -> int | None:
        """Return the microseconds that the processes of the living program have computed.

        Those that have ended are included. None if all had to be ended, because they were too big.
        Raises `PilotSilent`.
        """
        answer, _ = exchange(self._control, pilot_protocol.COMPUTED, self.grace)
        _, seconds, outcome = pilot_protocol.COMPUTED_REPLY.unpack(answer)
        return None if outcome == pilot_protocol.MEMORY else int(seconds * 1e6)

    def out_of_memory(self) -> bool:
        return self.group is not None and self.group.out_of_memory()

    def fault_without_report(self, silence: PilotSilent, seconds: float) -> Fault:
        """Return the fault of a bot whose pilot does not report within this time and the grace.

        The kernel killed for memory, or the bot's processes keep a living pilot from ending them
        past their deadline: the bot did that. Otherwise it is our failure, and `SandboxBroken` is
        raised. If the pilot is gone, remaining processes of the bot prove nothing.
        """
        if self.out_of_memory():
            return Fault.MEMORY
        if isinstance(silence, PilotLate):
            with suppress(psutil.Error, OSError):
                if psutil.Process(host_pid(self._handle)).children(recursive=True):
                    return Fault.TIMEOUT
            patience = seconds + self.grace
            raise SandboxBroken(f"the pilot did not report within {patience:g} s") from silence
        raise SandboxBroken(f"the sandbox broke: {silence}") from silence

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
            with suppress(psutil.Error):
                process = psutil.Process(self._process.pid)
                for member in (process, *process.children(recursive=True)):
                    with suppress(psutil.Error):
                        member.kill()
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
            return readable(self._handle, CLOSING)
        return True

    def _request(
        self,
        message: bytes,
        seconds: float = 0.0,
        attached: tuple[int, ...] = (),
        longest: int = pilot_protocol.LONGEST_REPORT,
    ) -> Report:
        """Send a request for something that may take this time, and return the report on it."""
        seconds += self.grace
        packed, _ = exchange(self._control, message, seconds, attached, longest=longest)
        report = read_report(packed)
        self.dirty = self.dirty or report.dirty
        return report


def host_pid(handle: int) -> int:
    """Return the number, in this process's namespace, of the process behind a pidfd.

    Raises `ProcessLookupError` if it is gone.
    """
    for line in Path(f"/proc/self/fdinfo/{handle}").read_text().splitlines():
        if line.startswith("Pid:") and int(line.split()[1]) > 0:
            return int(line.split()[1])
    raise ProcessLookupError(f"the process behind descriptor {handle} has ended")


class Launcher(Protocol):
    """Makes the sandboxes of one sandbox, one after the other."""

    def launch(self, *, fresh: bool) -> StartedSandbox:
        """Make a sandbox, whose pilot has been greeted; raises `BackendMissing` or `SandboxBroken`.

        A `fresh` one shares nothing that a bot could change with those before it; another may have
        the bot's files from the one before it.
        """

    def prepare(self) -> None:
        """Make another fresh sandbox in the meantime, where that takes long."""

    def close(self) -> None:
        """Remove what the sandboxes had in common, when they are all gone."""


class LaunchEach:
    """A launcher of sandboxes that have nothing in common but the function that starts them.

    The next one is prepared in a thread: the time that it takes is the Docker engine's, not ours.
    """

    def __init__(self, start: Callable[[], StartedSandbox]) -> None:
        self._start = start
        self._ready: Future[StartedSandbox] | None = None
        self._threads = ThreadPoolExecutor(1, thread_name_prefix="launcher")

    def launch(self, *, fresh: bool) -> StartedSandbox:  # noqa: ARG002 - they are all fresh
        ready, self._ready = self._ready, None
        return ready.result() if ready else self._start()

    def prepare(self) -> None:
        if self._ready is None:
            self._ready = self._threads.submit(self._start)

    def close(self) -> None:
        ready, self._ready = self._ready, None
        self._threads.shutdown(wait=ready is not None)
        if ready and not ready.exception():
            ready.result().close()


class PilotedSandbox(Sandbox):
    """A sandbox over whatever starts sandboxes with a pilot in each; raises as `launch` does.

    `idle_bots` are the table's bots that still run: they are stopped before this sandbox makes
    anybody wait.
    """

    def __init__(self, launcher: Launcher, limits: Limits, idle_bots: IdleBots) -> None:
        self._launcher = launcher
        self._limits = limits
        self._idle_bots = idle_bots
        self._session: StdinSession | None = None
        self._started: StartedSandbox | None = None
        self._played = False
        self._notices: list[str] | None = []
        try:
            self._started = launcher.launch(fresh=True)
        except BaseException:
            launcher.close()
            raise
        self.how_started = self._started.how_started

    def begin_game(self, *, more: bool = False) -> None:
        self.end_game()
        self._idle_bots.stop()
        self._notices = []
        if self._played:
            self._discard()
            self._started = self._launcher.launch(fresh=True)
            self._played = False
        if more:
            self._launcher.prepare()

    def run(self, words: Sequence[str], seconds: float) -> Reply:
        sandbox = self._clean_sandbox()
        self._played = True
        try:
            report = sandbox.run(words, seconds, self._limits.line)
        except PilotSilent as silence:
            return self._without_pilot(silence, seconds)
        return self._judge(report, seconds, hit_limit=sandbox.out_of_memory())

    def ask(self, line: str, seconds: float) -> Reply:
        if self._session is None and (failure := self._begin()):
            return failure
        assert self._session is not None
        try:
            reply = self._session.ask(line, seconds)
        except PilotSilent as silence:
            session, self._session = self._session, None
            session.close()
            return self._without_pilot(silence, seconds)
        return reply if reply.fault is None else self._end_after(reply, seconds)

    def tell(self, line: str) -> None:
        if self._session:
            self._session.tell(line)
        elif self._notices is not None:
            self._notices.append(line)

    def end_game(self) -> str:
        if not self._session or not self._started:
            return ""
        self._idle_bots.stop()
        session, self._session = self._session, None  # closed once, also where that is interrupted
        written = session.stderr()
        session.close()
        try:
            self._started.end()
            self._started.out_of_memory()  # what happened after the last answer is past
        except PilotSilent:
            self._started.dirty = True
        return written

    def close(self) -> None:
        with ExitStack() as undo:
            undo.callback(self._launcher.close)
            undo.callback(self._discard)
            self.end_game()  # without namespaces only the pilot finds all that a bot has started

    def _discard(self) -> None:
        if self._started:
            self._started.close()
            self._started = None

    def _clean_sandbox(self) -> StartedSandbox:
        """Return the sandbox, or a new one where the bot has left a mark on the old."""
        self._idle_bots.stop()
        if self._started and self._started.dirty:
            self._discard()
        if self._started is None:
            self._started = self._launcher.launch(fresh=False)
        return self._started

    def _begin(self) -> Reply | None:
        """Start the living process; return a reply if that fails.

        It is not started before its first question: no other bot at the table is running then, so
        there is nobody to talk to.
        """
        sandbox = self._clean_sandbox()
        self._played = True
        notices, self._notices = self._notices or [], None
        session = StdinSession(self._limits, sandbox.group, sandbox.computed, self._idle_bots)
        try:
            suspendable = self._limits.stopped_between_turns
            report = sandbox.start(session.bot_ends, suspendable=suspendable)
            if report.outcome == pilot_protocol.LIVING:
                session.attach(sandbox.suspender() if suspendable else None)
                self._session = session
                for line in notices:
                    session.tell(line)
                return None
        except PilotSilent as silence:
            session.close()
            return self._without_pilot(silence, 0.0)
        session.close()
        return self._judge(report, 0.0, hit_limit=False)

    def _end_after(self, reply: Reply, seconds: float) -> Reply:
        """End a process that failed to answer, and ask the pilot what happened to it."""
        assert self._session is not None
        assert self._started is not None
        self._idle_bots.stop()
        try:
            report = self._started.end()
        except PilotSilent as silence:
            return self._without_pilot(silence, seconds)
        finally:
            session, self._session = self._session, None
            stderr = session.stderr()
            session.close()
        fault, code, facts = reply.fault, reply.code, reply.facts
        cpu = reply.cpu + session.computed.since(report.cpu)
        hit_limit = self._started.out_of_memory()
        if fault is Fault.CRASH or report.outcome == pilot_protocol.MEMORY or hit_limit:
            judged = self._judge(report, seconds, hit_limit=hit_limit, alive=True)
            fault, code, facts = judged.fault, judged.code, judged.facts
        else:
            facts = {**facts, **refusal(report)}
        return Reply(reply.line, fault, code, facts, stderr, reply.wall, cpu, report.peak)

    def _without_pilot(self, silence: PilotSilent, seconds: float) -> Reply:
        """Return the reply of a bot whose pilot does not report; the sandbox is thrown away."""
        self._idle_bots.stop()
        sandbox = self._started
        assert sandbox is not None
        try:
            fault = sandbox.fault_without_report(silence, seconds)
        finally:
            self._started = None
            sandbox.close()
        late = Fault.TIMEOUT, "not-stopped", time_facts(sandbox.grace)
        judged = too_much_memory(self._limits) if fault is Fault.MEMORY else late
        return Reply(None, *judged, "", int(seconds * 1e6))

    def _judge(
        self, report: Report, seconds: float, *, hit_limit: bool, alive: bool = False
    ) -> Reply:
        counted = self._started is not None and self._started.group is not None
        judged = verdict(
            report, self._limits, seconds, counted=counted, hit_limit=hit_limit, alive=alive
        )
        raw = report.line
        line = decode_line(raw[: self._limits.line]) if raw is not None else None
        return Reply(line, *judged, report.stderr, report.wall, report.cpu, report.peak)
