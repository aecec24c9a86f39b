"""A bot's seat: asks the referee's questions of a sandbox, and keeps the clock."""

from __future__ import annotations

from collections.abc import Sequence
from time import monotonic
from typing import Literal, NamedTuple

from card_arena.common.faults import Fault, time_facts
from card_arena.sandbox.causes import with_cause
from card_arena.sandbox.limits import KIB, OVERRUNS, Clock
from card_arena.sandbox.sandbox import Reply, Sandbox

Protocol = Literal["argv", "stdin"]

LONGEST_STDERR = 64 * KIB
"""The most characters that are kept of the end of a game's standard error."""

SPARE, SPARE_EACH = 10.0, 0.02
"""Seconds that a bot's sandbox may take in a game beyond the bot's own answers, and in addition for
each answer: replacing a sandbox takes time, and a bot that forces this repeatedly would hold up the
table while no clock runs."""


class _Time(NamedTuple):
    """The time for one answer: in microseconds, in seconds with the overrun, as written to bots."""

    allowed: int
    seconds: float
    words: str


class BotPlayer:
    """Plays for one bot through its sandbox; faults are returned in the reply, not counted here.

    An `argv` bot's first question of a match has the longer time, since a cold disk is not its
    fault; a `stdin` bot gets it for the first answer of each process, since a runtime must start.
    Before every question a `stdin` bot is told how much time it has and how long its last answer
    took.
    """

    def __init__(self, sandbox: Sandbox, clock: Clock, protocol: Protocol) -> None:
        self._sandbox = sandbox
        self._clock = clock
        self._protocol = protocol
        self._cold = True
        self._overrun = _microseconds(clock.overrun)
        self._first = self._time(_microseconds(clock.start))
        self._next = self._time(_microseconds(clock.question))
        self.stderr = ""
        """The end of what the bot has written on standard error in this game.

        For a living process it is available when the game has ended.
        """
        self._new_game()

    def _new_game(self) -> None:
        bank = self._clock.bank
        self._bank: int | None = None if bank is None else _microseconds(bank)
        self._overruns = 0
        self._last = 0
        self._asked = 0
        self._beyond = 0.0
        self.stderr = ""

    def begin_game(self, *, more: bool = False) -> None:
        """Begin a game, in a sandbox without a trace of the previous game; raises `SandboxBroken`.

        `more` says that another game will follow in the match.
        """
        self._new_game()
        started = monotonic()
        self._sandbox.begin_game(more=more)
        self._beyond += monotonic() - started
        self._cold = self._cold or self._protocol == "stdin"

    def ask(self, words: Sequence[str]) -> Reply:
        """Ask a question; raises `SandboxBroken`."""
        time = self._first if self._cold else self._next
        if self._bank is not None:
            left = self._bank // 1000 * 1000
            if left <= 0:
                return Reply(None, Fault.TIMEOUT, "bank", time_facts(self._clock.bank or 0))
            time = self._time(min(time.allowed, left), left)
        if self._beyond > SPARE + SPARE_EACH * self._asked:
            return Reply(None, Fault.TIMEOUT, "sandbox-time", time_facts(self._beyond))
        self._asked += 1
        cold = self._cold
        started = monotonic()
        if self._protocol == "argv":
            self._cold = False
            reply = self._sandbox.run(words, time.seconds)
        else:
            message = f"{time.words} {self._last // 1000}\n{' '.join(words)}"
            reply = self._sandbox.ask(message, time.seconds)
            # after a fault the process is gone, and the next question starts another
            self._cold = reply.fault is not None
        self._beyond += max(0.0, monotonic() - started - reply.wall / 1e6)
        if reply.fault is None and reply.wall > time.allowed + self._overrun:
            # the sandbox would not have waited so long: it was the referee that came late
            reply = reply._replace(wall=time.allowed)
        wall = self._last = reply.wall
        if reply.stderr:
            self._keep(reply.stderr)
        if self._bank is not None:
            self._bank -= wall
        if reply.fault:
            return with_cause(reply, self._protocol, cold=cold)
        return reply if wall <= time.allowed else self._late(reply, time.allowed)

    def tell(self, line: str) -> None:
        """Send notices to a `stdin` bot: a line that begins with #."""
        if self._protocol == "stdin":
            self._sandbox.tell(f"# {line}")

    def end_game(self) -> None:
        written = self._sandbox.end_game()
        if self._protocol == "stdin":
            self._keep(written)

    def _time(self, allowed: int, left: int | None = None) -> _Time:
        shown = allowed if left is None else left
        return _Time(allowed, (allowed + self._overrun) / 1_000_000, f"# clock {shown // 1000}")

    def _keep(self, written: str) -> None:
        self.stderr = (self.stderr + written)[-LONGEST_STDERR:]

    def _late(self, reply: Reply, allowed: int) -> Reply:
        """Judge an answer that took longer than the microseconds allowed; its process lives on."""
        late = reply.wall - allowed
        self._overruns += 1
        if self._overruns <= OVERRUNS:
            return reply
        facts = {"over": late, "microseconds": allowed, "times": self._overruns}
        return reply._replace(fault=Fault.TIMEOUT, code="late", facts=facts)


def _microseconds(seconds: float) -> int:
    return round(seconds * 1_000_000)
