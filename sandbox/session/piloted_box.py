"""A box whose inside is a pilot: how its reports become replies, whatever walls are around it.

A backend brings only a way to start a pilot. Here the questions are put, the verdicts drawn, and
a sandbox in which a bot left anything behind, or has played, is thrown away for a new one.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Protocol

from sandbox.box import Box, BoxBroken, Fault, Program, Reply
from sandbox.inside import pilot_protocol
from sandbox.limits import MIB, BuildLimits, Limits
from sandbox.session.pilot_client import PilotLate, PilotSilent, Report, Sandbox
from sandbox.session.stdin_session import Talk, decode_line
from sandbox.session.verdicts import verdict


class Launcher(Protocol):
    """Makes the sandboxes of one box, one after the other."""

    def launch(self, *, fresh: bool) -> Sandbox:
        """Make a sandbox, whose pilot has been greeted; raises `BackendMissing` or `BoxBroken`.

        A `fresh` one shares nothing that a bot could change with those before it, another one may
        have the bot's files from the one before it.
        """
        ...

    def prepare(self) -> None:
        """Another fresh sandbox will be wanted: make it meanwhile, where that takes long."""
        ...

    def close(self) -> None:
        """Remove what the sandboxes had in common; none of them is there any more."""
        ...


class Each:
    """A launcher whose sandboxes have nothing in common but how they are started.

    One that is prepared is started by a thread: the time is the Docker engine's, not ours.
    """

    def __init__(self, start: Callable[[], Sandbox]) -> None:
        self._start = start
        self._ready: Future[Sandbox] | None = None
        self._threads = ThreadPoolExecutor(1, thread_name_prefix="launcher")

    def launch(self, *, fresh: bool) -> Sandbox:  # noqa: ARG002 - they are all fresh
        """Make a sandbox, or give the one that is prepared; raises as `start` does."""
        ready, self._ready = self._ready, None
        return ready.result() if ready else self._start()

    def prepare(self) -> None:
        """Begin to make another one."""
        if self._ready is None:
            self._ready = self._threads.submit(self._start)

    def close(self) -> None:
        """Remove the one that was prepared and that nobody has taken."""
        ready, self._ready = self._ready, None
        self._threads.shutdown(wait=ready is not None)
        if ready and not ready.exception():
            ready.result().close()


class PilotedBox(Box):
    """A box over whatever starts sandboxes with a pilot in each; raises as `launch` does."""

    def __init__(self, launcher: Launcher, limits: Limits) -> None:
        self._launcher = launcher
        self._limits = limits
        self._talk: Talk | None = None
        self._sandbox: Sandbox | None = None
        self._played = False
        self._news: list[str] | None = []
        try:
            self._sandbox = launcher.launch(fresh=True)
        except BaseException:
            launcher.close()
            raise
        self.manner = self._sandbox.manner

    def begin_game(self, *, more: bool = False) -> None:
        """Let everything from here on happen where nobody has played yet."""
        self.end_game()
        self._news = []
        if self._played:
            self._discard()
            self._sandbox = self._launcher.launch(fresh=True)
            self._played = False
        if more:
            self._launcher.prepare()

    def run(self, words: Sequence[str], seconds: float) -> Reply:
        """Start the program with these arguments and wait for its end; its first line answers."""
        sandbox = self._clean_sandbox()
        self._played = True
        try:
            ending = sandbox.run(words, seconds, self._limits.line)
        except PilotSilent as silence:
            return self._without_pilot(silence, seconds)
        return self._judge(ending, seconds, hit_limit=sandbox.out_of_memory())

    def ask(self, line: str, seconds: float) -> Reply:
        """Send a line to the living process and wait for the one line that it gives back."""
        if self._talk is None:
            failure = self._begin()
            if failure:
                return failure
        assert self._talk is not None
        try:
            reply = self._talk.ask(line, seconds)
        except PilotSilent as silence:
            talk, self._talk = self._talk, None
            talk.close()
            return self._without_pilot(silence, seconds)
        return reply if reply.fault is None else self._end_after(reply, seconds)

    def tell(self, line: str) -> None:
        """Send a line that wants no answer; a process that is not there any more misses it."""
        if self._talk:
            self._talk.tell(line)
        elif self._news is not None:
            self._news.append(line)

    def end_game(self) -> str:
        """End the living process and everything that it started; gives the end of its stderr."""
        if not self._talk or not self._sandbox:
            return ""
        talk, self._talk = self._talk, None  # closed once, also where that is interrupted
        written = talk.stderr()
        talk.close()
        try:
            self._sandbox.end()
            self._sandbox.out_of_memory()  # what happened after the last answer is past
        except PilotSilent:
            self._sandbox.dirty = True
        return written

    def close(self) -> None:
        """Remove the box; calling it twice does no harm."""
        try:
            self.end_game()  # without walls nobody but the pilot finds all that a bot has started
        finally:
            try:
                self._discard()
            finally:
                self._launcher.close()

    def _discard(self) -> None:
        if self._sandbox:
            self._sandbox.close()
            self._sandbox = None

    def _clean_sandbox(self) -> Sandbox:
        """The sandbox, or a new one where the bot has left a mark on the old."""
        if self._sandbox and self._sandbox.dirty:
            self._discard()
        if self._sandbox is None:
            self._sandbox = self._launcher.launch(fresh=False)
        return self._sandbox

    def _begin(self) -> Reply | None:
        """Start a process to talk to; a reply says why there is none.

        Not before its first question: nobody else who plays is running then, so it has nobody to
        talk to.
        """
        sandbox = self._clean_sandbox()
        self._played = True
        news, self._news = self._news or [], None
        talk = Talk(self._limits, sandbox.group, sandbox.computed)
        try:
            braked = self._limits.stopped_between_turns
            ending, handle = sandbox.start(talk.theirs, braked=braked)
            if handle >= 0:
                talk.begun(handle, sandbox.brake() if braked else None)
                self._talk = talk
                for line in news:
                    talk.tell(line)
                return None
        except PilotSilent as silence:
            talk.close()
            return self._without_pilot(silence, 0.0)
        talk.close()
        return self._judge(ending, 0.0, hit_limit=False)

    def _end_after(self, reply: Reply, seconds: float) -> Reply:
        """End a process that failed to answer, and learn from the pilot what became of it."""
        assert self._talk is not None
        assert self._sandbox is not None
        try:
            ending = self._sandbox.end()
        except PilotSilent as silence:
            return self._without_pilot(silence, seconds)
        finally:
            talk, self._talk = self._talk, None
            stderr = talk.stderr()
            talk.close()
        fault, detail = reply.fault, reply.detail
        cpu = talk.computed_since(ending.cpu)
        hit_limit = self._sandbox.out_of_memory()
        if fault is Fault.CRASH or ending.outcome == pilot_protocol.MEMORY or hit_limit:
            judged = self._judge(ending, seconds, hit_limit=hit_limit, alive=True)
            fault, detail = judged.fault, judged.detail
        return Reply(reply.line, fault, detail, stderr, reply.wall, cpu, ending.peak)

    def _without_pilot(self, silence: PilotSilent, seconds: float) -> Reply:
        """Say whose fault it is that the pilot does not report; the sandbox is thrown away.

        The kernel killed for memory, or the bot's processes keep a living pilot from ending them
        past their deadline: the bot did that. Else it is ours, and `BoxBroken` is raised: of a
        pilot that is gone the bot's processes are for a moment the rest.
        """
        sandbox = self._sandbox
        assert sandbox is not None
        wall = int(seconds * 1e6)
        hit_limit = sandbox.out_of_memory()
        crowded = isinstance(silence, PilotLate) and sandbox.crowded()
        self._sandbox = None
        sandbox.close()
        if hit_limit:
            return Reply(None, Fault.MEMORY, self._memory_text(), wall=wall)
        if crowded:
            detail = f"could not be ended {sandbox.grace:g} s after its time"
            return Reply(None, Fault.TIMEOUT, detail, wall=wall)
        patience = seconds + sandbox.grace
        raise BoxBroken(f"the pilot did not report within {patience:g} s: {silence}")

    def _judge(
        self, ending: Report, seconds: float, *, hit_limit: bool, alive: bool = False
    ) -> Reply:
        """Make a reply of the pilot's report."""
        counted = self._sandbox is not None and self._sandbox.group is not None
        fault, detail = verdict(ending, self._limits, seconds, counted=counted, alive=alive)
        if fault and hit_limit:
            fault, detail = Fault.MEMORY, self._memory_text()
        heard = ending.line
        line = decode_line(heard[: self._limits.line]) if heard is not None else None
        return Reply(line, fault, detail, ending.stderr, ending.wall, ending.cpu, ending.peak)

    def _memory_text(self) -> str:
        return f"used more than {self._limits.memory // MIB} MiB of memory"


def piloting(
    program: Program, limits: Limits, *, counted: bool, own_user: bool, scratch: str
) -> list[str]:
    """The module that is the pilot of a program, and its words after the control socket's.

    `scratch` is the directory inside that the bot may write to; the others are as for `terms`.
    """
    words = terms(limits, counted=counted, own_user=own_user, scratch=scratch)
    module = "sandbox.inside.zygote_compiler" if program.warm else "sandbox.inside.pilot"
    return [module, *words, *program.command]


def terms(
    limits: Limits | BuildLimits, *, counted: bool, own_user: bool, scratch: str, ours: int = 1
) -> list[str]:
    """The words of `pilot_protocol.Terms` that come before the bot's command.

    `counted`: a control group bounds the memory; without one the pilot polls, and no process may
    have more than twice the limit, so that none outgrows the polling. `own_user`: the number of
    processes may be bounded, since nobody else's count as this user's but so many of `ours`.
    """
    if isinstance(limits, BuildLimits):
        line, output, files = 0, min(limits.log, pilot_protocol.MOST_LOG), limits.product
    else:
        line, output, files = limits.line, limits.output, limits.scratch
    numbers = {
        "line": line,
        "output": output,
        "cpu": int(limits.cpu * 1e6),
        "memory": 0 if counted else limits.memory,
        "processes": limits.processes + ours if own_user else 0,
        "data": 0 if counted else 2 * limits.memory,
        "files": files,
    }
    return [*(str(numbers[name]) for name in pilot_protocol.Terms.FIELDS), scratch]
