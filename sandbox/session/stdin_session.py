"""The referee's side of a `stdin` bot: its pipes and its deadlines.

The referee holds the pipes itself, so a question costs one write, one read and two looks at
whether anything lies there: no pilot stands in between.
"""

from __future__ import annotations

import os
import select
import time
from collections.abc import Callable
from contextlib import suppress

from card_arena.common.faults import NO_FACTS, Facts, Fault, time_facts
from card_arena.common.text import decoded
from card_arena.sandbox.kernel.cgroups import Group, Suspender
from card_arena.sandbox.limits import Limits
from card_arena.sandbox.sandbox import Reply
from card_arena.sandbox.session.idle_bots import ComputedTime, IdleBots

TAIL = 64 * 1024
CHUNK = 65536
MOST_WAITING = 4 * CHUNK
SOON = 1
"""Milliseconds in which nearly every answer comes; nothing but the answer is looked for till then.

No deadline is shorter. A bot that has filled its standard error pipe waits that long to be heard.
"""
LOOK_EVERY = 50_000_000
"""The processor time is looked up when the last look is these nanoseconds ago, or for an answer
that took long: asking for every answer would cost as much as the answer."""


class StdinSession:
    """One process's standard input, output and error, as a game's questions and answers.

    `bot_ends` are for the bot's process: start it with them and call `attach`. The last one is for
    its pilot, which closes it when the process has ended. After a reply with a fault the process
    must be ended, since there is no telling which question a later line would answer.

    `group` counts what all of the bot's processes compute. Without one, `ask_pilot` returns it
    (microseconds since the process began, None if it had to be ended); what it raises comes out of
    `ask`. Make this before the process, so that none of its time is missed.
    """

    def __init__(
        self,
        limits: Limits,
        group: Group | None,
        ask_pilot: Callable[[], int | None],
        idle_bots: IdleBots,
    ) -> None:
        self._limits = limits
        self._idle_bots = idle_bots
        self.computed = ComputedTime(group, ask_pilot, idle_bots)
        self._worth_asking = self.computed.worth_asking
        self._looked = time.monotonic_ns()
        self._suspender: Suspender | None = None
        self._stopped = False
        self._asked = False
        their_in, self._in = os.pipe()
        self._out, their_out = os.pipe()
        self._errors, their_errors = os.pipe()
        self._life, their_life = os.pipe()
        self._living = select.poll()
        self._living.register(self._life, select.POLLIN)
        self.bot_ends: tuple[int, ...] = (their_in, their_out, their_errors, their_life)
        for ours in (self._in, self._out, self._errors):
            os.set_blocking(ours, False)
        self._poll = select.poll()
        self._poll.register(self._out, select.POLLIN)
        self._longest = limits.line + 2
        self._unsent = b""
        self._early = b""
        self._tail = b""

    def attach(self, suspender: Suspender | None = None) -> None:
        """Note that the process was started with `bot_ends`.

        After each of its answers it is one of the `idle_bots`, until it is asked again, if there is
        a `suspender` to stop it; it may get ready before the first.
        """
        self._suspender = suspender
        for descriptor in self.bot_ends:
            os.close(descriptor)
        self.bot_ends = ()

    def ask(self, line: str, seconds: float) -> Reply:  # noqa: C901
        """Send a line, after all the notices that waits, and wait for one line in return.

        Its time begins before the write, during which the bot may already run. Raises what
        the suspender and `ask_pilot` raise.
        """
        if self._asked and (self._early or self._poll.poll(0)):
            fault = self._too_soon()
            if fault:
                return fault
        # What it says before the first question has reached it can't be told from an answer.
        self._asked = True
        message = f"{line}\n".encode()
        if self._unsent:
            message = self._unsent + message
        others = self._idle_bots
        started = others.begin_turn(self)
        try:
            sent = os.write(self._in, message)
        except (BlockingIOError, BrokenPipeError):
            sent = 0
        if self._stopped and self._suspender:  # a question that lies there is read at once
            self._suspender.resume(seconds)
            self._stopped = False
        self._unsent = message[sent:]
        received = b""
        if not self._unsent:
            try:  # on one core it has answered before the write is over
                received = os.read(self._out, self._longest)
            except BlockingIOError:
                if others.wait(self._out) or self._poll.poll(SOON):
                    received = os.read(self._out, self._longest)
        if not received or received.find(b"\n") + 1 != len(received):
            received, fault = self._receive(received, started, seconds)
            if fault:
                return fault
        now = time.monotonic_ns()
        if self._suspender:
            others.add(self, now)
        wall = (now - started) // 1000
        if len(received) >= self._longest:
            return self._long_line(wall, received)
        cpu = 0
        if wall >= self._worth_asking or now - self._looked > LOOK_EVERY:
            allowed, self._looked = self._limits.cpu, now
            if (spent := self.computed.now()) is None:
                return self._fault(Fault.CRASH, "output-closed", wall=wall)
            if (cpu := spent) > allowed * 1e6:
                fault = self._fault(Fault.TIMEOUT, "processor-time", time_facts(allowed), wall)
                return fault._replace(cpu=cpu)
        return Reply(decode_line(received), wall=wall, cpu=cpu, peak=self.computed.peak)

    def tell(self, line: str) -> None:
        """Queue a line that needs no answer: it is sent with the next question, or at the end.

        One write for both is what makes notices nearly free; a bot that is not asked has no
        business computing anyway.
        """
        self._unsent += line.encode() + b"\n"

    def stop(self) -> None:
        if self._suspender:
            self._suspender.suspend()
            self._stopped = True

    def close(self) -> None:
        """Send the last notices if there is room for it, and close the pipes."""
        self._idle_bots.remove(self)
        with suppress(OSError):
            os.write(self._in, self._unsent)
        for descriptor in (self._in, self._out, self._errors, self._life, *self.bot_ends):
            os.close(descriptor)

    def stderr(self) -> str:
        """Return the end of the bot's standard error, safe to print; call it when it has ended."""
        for _ in range(MOST_WAITING // CHUNK):
            chunk = self._read(self._errors)
            if not chunk:
                break
            self._tail = (self._tail + chunk)[-TAIL:]
        return decoded(self._tail)

    def _too_soon(self) -> Reply | None:
        """Return a fault if the bot wrote something before its question."""
        early = self._early + self._read(self._out)
        self._tail = (self._tail + self._read(self._errors))[-TAIL:]
        if len(early) > self._limits.output:
            facts = {"bytes": self._limits.output}
            return self._fault(Fault.FLOOD, "unasked-output", facts, received=early)
        if early:
            return self._fault(Fault.MALFORMED, "unasked-line", received=early)
        if self._living.poll(0):
            return self._fault(Fault.CRASH, "output-closed")
        return None

    def _receive(self, received: bytes, started: int, seconds: float) -> tuple[bytes, Reply | None]:
        """Wait for the rest of an answer, or send the rest of a question."""
        self._idle_bots.stop()
        deadline = started + int(seconds * 1e9)
        poll = select.poll()
        poll.register(self._out, select.POLLIN)
        poll.register(self._errors, select.POLLIN)
        poll.register(self._life, select.POLLIN)
        if self._unsent:
            poll.register(self._in, select.POLLOUT)
        while b"\n" not in received:
            if len(received) > self._limits.line:
                return b"", self._long_line(self._since(started), received)
            left = deadline - time.monotonic_ns()
            events = poll.poll(max(left, 0) / 1e6)
            # not only when nothing happens: a bot may not write without pause for ever
            if left <= 0 or not events:
                received += self._read(self._out)
                if b"\n" in received:  # it was the referee that came late
                    break
                code, wall = "no-line-end" if received else "no-answer", self._since(started)
                return b"", self._fault(Fault.TIMEOUT, code, time_facts(seconds), wall, received)
            ready = {descriptor for descriptor, _ in events}
            if self._in in ready and not self._push():
                poll.unregister(self._in)
            if self._errors in ready:
                chunk = self._read(self._errors)
                self._tail = (self._tail + chunk)[-TAIL:]
                if not chunk:
                    poll.unregister(self._errors)
            if self._out in ready:
                chunk = self._read(self._out)
                received += chunk
                if not chunk:
                    poll.unregister(self._out)
            elif self._life in ready:
                wall = self._since(started)
                return b"", self._fault(Fault.CRASH, "output-closed", NO_FACTS, wall, received)
        line, _, self._early = received.partition(b"\n")
        return line + b"\n", None

    def _push(self) -> bool:
        """Send more of the queue; return whether there is more that may still be sent."""
        try:
            self._unsent = self._unsent[os.write(self._in, self._unsent) :]
        except BlockingIOError:
            return True
        except BrokenPipeError:
            return False
        return bool(self._unsent)

    def _long_line(self, wall: int, received: bytes) -> Reply:
        facts = {"bytes": self._limits.line}
        return self._fault(Fault.FLOOD, "long-line", facts, wall, received)

    def _fault(
        self,
        fault: Fault,
        code: str,
        facts: Facts = NO_FACTS,
        wall: int = 0,
        received: bytes = b"",
    ) -> Reply:
        """Return a reply; how a process that crashed has ended, its pilot says later."""
        first = received.partition(b"\n")[0][: self._limits.line]
        return Reply(decode_line(first) if received else None, fault, code, facts, wall=wall)

    def _read(self, descriptor: int) -> bytes:
        try:
            return os.read(descriptor, CHUNK)
        except BlockingIOError:
            return b""

    @staticmethod
    def _since(started: int) -> int:
        return (time.monotonic_ns() - started) // 1000


def decode_line(raw: bytes) -> str:
    """Return an answer as text: no line end, and escapes for bytes that are not UTF-8."""
    return raw.removesuffix(b"\n").removesuffix(b"\r").decode("utf-8", "backslashreplace")
