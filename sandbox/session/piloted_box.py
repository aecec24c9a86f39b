"""A box whose inside is a pilot: how its reports become replies, whatever the box is made of.

A backend only supplies a way to start a pilot. This module asks questions and draws verdicts, and
replaces a sandbox in which a bot has played or left anything behind.
"""

from __future__ import annotations

from collections.abc import Sequence

from common.faults import Fault
from sandbox.box import Box, BoxBroken, Reply
from sandbox.inside import pilot_protocol
from sandbox.limits import MIB, Limits
from sandbox.session.idle_bots import IdleBots
from sandbox.session.launchers import Launcher
from sandbox.session.pilot_client import Sandbox
from sandbox.session.reports import PilotLate, PilotSilent, Report
from sandbox.session.stdin_session import StdinSession, decode_line
from sandbox.session.verdicts import refusal, verdict


class PilotedBox(Box):
    """A box over whatever starts sandboxes with a pilot in each; raises as `launch` does.

    `idle_bots` are the table's bots that still run: they are stopped before this box makes anybody
    wait.
    """

    def __init__(self, launcher: Launcher, limits: Limits, idle_bots: IdleBots) -> None:
        self._launcher = launcher
        self._limits = limits
        self._idle_bots = idle_bots
        self._session: StdinSession | None = None
        self._sandbox: Sandbox | None = None
        self._played = False
        self._news: list[str] | None = []
        try:
            self._sandbox = launcher.launch(fresh=True)
        except BaseException:
            launcher.close()
            raise
        self.how_started = self._sandbox.how_started

    def begin_game(self, *, more: bool = False) -> None:
        """Let everything from here on happen where no game has been played yet."""
        self.end_game()
        self._idle_bots.stop()
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
            report = sandbox.run(words, seconds, self._limits.line)
        except PilotSilent as silence:
            return self._without_pilot(silence, seconds)
        return self._judge(report, seconds, hit_limit=sandbox.out_of_memory())

    def ask(self, line: str, seconds: float) -> Reply:
        """Send a line to the living process and wait for the one line that it gives back."""
        if self._session is None:
            failure = self._begin()
            if failure:
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
        """Send a line that wants no answer; a process that is not there any more misses it."""
        if self._session:
            self._session.tell(line)
        elif self._news is not None:
            self._news.append(line)

    def end_game(self) -> str:
        """End the living process and everything that it started; gives the end of its stderr."""
        if not self._session or not self._sandbox:
            return ""
        self._idle_bots.stop()
        session, self._session = self._session, None  # closed once, also where that is interrupted
        written = session.stderr()
        session.close()
        try:
            self._sandbox.end()
            self._sandbox.out_of_memory()  # what happened after the last answer is past
        except PilotSilent:
            self._sandbox.dirty = True
        return written

    def close(self) -> None:
        """Remove the box; calling it twice does no harm."""
        try:
            self.end_game()  # without namespaces only the pilot finds all that a bot has started
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
        self._idle_bots.stop()
        if self._sandbox and self._sandbox.dirty:
            self._discard()
        if self._sandbox is None:
            self._sandbox = self._launcher.launch(fresh=False)
        return self._sandbox

    def _begin(self) -> Reply | None:
        """Start the living process; a reply says why there is none.

        That is not done before its first question: no other bot at the table is running then, so
        there is nobody to talk to.
        """
        sandbox = self._clean_sandbox()
        self._played = True
        news, self._news = self._news or [], None
        session = StdinSession(self._limits, sandbox.group, sandbox.computed, self._idle_bots)
        try:
            suspendable = self._limits.stopped_between_turns
            report = sandbox.start(session.theirs, suspendable=suspendable)
            if report.outcome == pilot_protocol.LIVING:
                session.begun(sandbox.suspender() if suspendable else None)
                self._session = session
                for line in news:
                    session.tell(line)
                return None
        except PilotSilent as silence:
            session.close()
            return self._without_pilot(silence, 0.0)
        session.close()
        return self._judge(report, 0.0, hit_limit=False)

    def _end_after(self, reply: Reply, seconds: float) -> Reply:
        """End a process that failed to answer, and learn from the pilot what happened to it."""
        assert self._session is not None
        assert self._sandbox is not None
        self._idle_bots.stop()
        try:
            report = self._sandbox.end()
        except PilotSilent as silence:
            return self._without_pilot(silence, seconds)
        finally:
            session, self._session = self._session, None
            stderr = session.stderr()
            session.close()
        fault, detail = reply.fault, reply.detail
        cpu = reply.cpu + session.computed.since(report.cpu)
        hit_limit = self._sandbox.out_of_memory()
        if fault is Fault.CRASH or report.outcome == pilot_protocol.MEMORY or hit_limit:
            judged = self._judge(report, seconds, hit_limit=hit_limit, alive=True)
            fault, detail = judged.fault, judged.detail
        else:
            detail += refusal(report)
        return Reply(reply.line, fault, detail, stderr, reply.wall, cpu, report.peak)

    def _without_pilot(self, silence: PilotSilent, seconds: float) -> Reply:
        """Say whose fault it is that the pilot does not report; the sandbox is thrown away.

        The kernel killed for memory, or the bot's processes keep a living pilot from ending them
        past their deadline: the bot did that. Else it is ours, and `BoxBroken` is raised. Where the
        pilot is gone, processes of the bot that are still there prove nothing.
        """
        self._idle_bots.stop()
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
        self, report: Report, seconds: float, *, hit_limit: bool, alive: bool = False
    ) -> Reply:
        counted = self._sandbox is not None and self._sandbox.group is not None
        fault, detail = verdict(report, self._limits, seconds, counted=counted, alive=alive)
        if fault and hit_limit:
            fault, detail = Fault.MEMORY, self._memory_text()
        heard = report.line
        line = decode_line(heard[: self._limits.line]) if heard is not None else None
        return Reply(line, fault, detail, report.stderr, report.wall, report.cpu, report.peak)

    def _memory_text(self) -> str:
        return f"used more than {self._limits.memory // MIB} MiB of memory"
