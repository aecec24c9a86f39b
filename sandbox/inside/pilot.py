"""The pilot: the first process in a bot's sandbox, which starts the bot, watches it and ends it.

Its report is the only verdict that the referee believes: it travels over a socket that no bot can
reach.
"""

from __future__ import annotations

import _signal  # type: ignore[import-not-found]
import errno
import os
import select
import sys
import time

from card_arena.sandbox.inside import accounting
from card_arena.sandbox.inside import pilot_protocol as protocol
from card_arena.sandbox.inside.supervisor import Supervisor, find


class Buffer:
    """Memory that is reused, and overwritten on request."""

    def __init__(self, size: int) -> None:
        self.content = bytearray(size)
        self.view = memoryview(self.content)
        self.blank = memoryview(bytes(size))
        self.size = 0
        self.used = 0

    def read(self, descriptor: int) -> int:
        """Append a chunk; return its length."""
        count = os.readv(descriptor, [self.view[self.size : self.size + protocol.CHUNK]])
        self.size += count
        self.used = max(self.used, self.size)
        return count

    def forget(self) -> None:
        self.view[: self.used] = self.blank[: self.used]
        self.size = self.used = 0


class OutputCapture:
    """Reads what a bot writes on its two pipes, within bounds, into memory that is overwritten."""

    def __init__(self, spec: protocol.SandboxSpec) -> None:
        self.spec = spec
        self.output = Buffer(spec.output + protocol.CHUNK)
        self.errors = Buffer(protocol.TAIL + protocol.CHUNK)
        self.out = -1
        self.open: set[int] = set()
        self.poll = select.poll()

    def begin(self, out: int, errors: int, poll: select.poll) -> None:
        self.out = out
        self.open = {out, errors}
        self.poll = poll

    def read(self, descriptor: int) -> None:
        buffer = self.output if descriptor == self.out else self.errors
        if not buffer.read(descriptor):
            self.poll.unregister(descriptor)
            self.open.remove(descriptor)
        elif buffer is self.errors and buffer.size > protocol.TAIL:
            buffer.view[: protocol.TAIL] = buffer.view[buffer.size - protocol.TAIL : buffer.size]
            buffer.size = protocol.TAIL

    def drain(self) -> None:
        while self.open and not self.flooded():
            waiting = [fd for fd, _ in self.poll.poll(0) if fd in self.open]
            if not waiting:
                return
            for descriptor in waiting:
                self.read(descriptor)

    def flooded(self) -> bool:
        """Return whether there is more than may be, in all or in the first line."""
        size, longest = self.output.size, self.spec.line
        endless = size > longest + 1 and self.output.content.find(b"\n", 0, longest + 2) < 0
        return endless or size > self.spec.output

    def first_line(self) -> memoryview | None:
        """Return the first line, whole only where nothing flooded."""
        size = self.output.size
        end = self.output.content.find(b"\n", 0, size)
        length = min(size if end < 0 else end, self.spec.line + 2)
        return self.output.view[:length] if size else None

    def forget(self) -> None:
        self.output.forget()
        self.errors.forget()


SOON = 1
"""Milliseconds within which a small compiled bot has answered and ended. Until then only its end is
awaited, since every wake-up of the pilot would interrupt it. No deadline is shorter."""
REAP_EVERY = 0.1
AGAIN = 0.002
"""Seconds after which every process is stopped or continued again, since one that was just being
forked may have missed the signal and would stay stopped for ever."""
SIGNALS = {protocol.STOP: _signal.SIGSTOP, protocol.CONTINUE: _signal.SIGCONT}
PROCESSORS = len(os.sched_getaffinity(0))


class Pilot(Supervisor):
    """Starts, watches and ends one bot, as the referee's requests say."""

    def __init__(self, spec: protocol.SandboxSpec, *descriptors: int) -> None:
        super().__init__(spec, *descriptors)
        self.command: list[bytes] = []
        self.report = protocol.ExitReport()
        self.renewing = self.played = False
        self.folder = accounting.ScratchFolder(spec.scratch, numbered=self.alone)
        self.life = -1
        self.captured = OutputCapture(spec)

    def serve(self, how_started: str = "") -> None:
        self.greet(how_started)
        self.harden()
        self.command = [os.fsencode(word) for word in self.spec.command]
        self.program = find(self.spec.command[0])
        self.ask_for_scratch()
        while True:
            request, attached = self.watch_over() if self.main else self.receive()
            kind, body = request[:1], request[1:]
            if kind == protocol.RUN:
                (seconds,) = protocol.DEADLINE_FIELD.unpack_from(body)
                self.reply(self.run(body[protocol.DEADLINE_FIELD.size :], seconds))
            elif kind == protocol.START:
                self.start(attached[:3], attached[3], attached[4:])
            elif kind == protocol.END:
                self.reply(self.end())
            else:
                self.end_all(protocol.ExitReport())
                return

    def reply(self, report: protocol.ExitReport) -> None:
        """Send how a process ended, and whether the referee has to start a new sandbox."""
        dirty = self.scratch < 0 and self.folder.changed()
        self.send(report.pack(self.refused.numbers, dirty=dirty))
        self.refused.forget()
        self.captured.forget()

    def ask_for_scratch(self) -> None:
        """Have the zygote mount a new /tmp, if there is one; other bots are asked meanwhile."""
        if self.scratch >= 0:
            os.write(self.scratch, protocol.RENEW)
            self.renewing = True

    def prepare_scratch(self) -> None:
        """Wait for the new /tmp that was asked for; raises `OSError` if there is none.

        Its times must not tell when the question before it ended, so they are those of this one.
        """
        if self.renewing and os.read(self.scratch, 1) != protocol.DONE:
            raise OSError(errno.ENOMEM, "no new /tmp")
        self.renewing = False
        if self.scratch >= 0:
            accounting.number_of_new_file(self.spec.scratch)
        else:
            self.folder.changed()

    # A question to a fresh process.

    def run(self, words: bytes | memoryview, seconds: float) -> protocol.ExitReport:
        """Start the program with these words, each ended by a NUL; wait for its end or a limit."""
        out, out_end = os.pipe()
        errors, errors_end = os.pipe()
        try:
            self.prepare_scratch()
            started = time.monotonic()
            self.begin(words, None, out_end, errors_end)
        except OSError as error:
            return protocol.ExitReport(protocol.UNSTARTED, error.errno or 0)
        else:
            report = self.attend(out, errors, started, seconds)
            self.ask_for_scratch()
            return report
        finally:
            self.main = 0
            os.close(out)
            os.close(errors)

    def attend(self, out: int, errors: int, started: float, seconds: float) -> protocol.ExitReport:
        """Watch the process just started, end whatever is left of it, and report what it said."""
        report = protocol.ExitReport()
        capture = self.captured
        handle = os.pidfd_open(self.main)
        capture.begin(out, errors, self.poll_of(out, errors, handle))
        self.watch(handle, started, seconds, report)
        report.wall = int((time.monotonic() - started) * 1e6)
        self.finish(report)
        capture.poll.unregister(handle)
        os.close(handle)
        capture.drain()
        if report.outcome == protocol.EXITED and capture.flooded():
            report.outcome = protocol.OUTPUT
        report.line = capture.first_line()
        report.errors = capture.errors.view[: capture.errors.size]
        return report

    def begin(self, words: bytes | memoryview, source: int | None, out: int, errors: int) -> None:
        """Start a process for one question or, with a source, for a game; raises `OSError`."""
        self.spawn(self.command + bytes(words).split(b"\0")[:-1], source, out, errors)

    def watch(
        self, handle: int, started: float, seconds: float, report: protocol.ExitReport
    ) -> None:
        """Listen to the bot until its main process ends or a limit is met."""
        capture = self.captured
        deadline = started + seconds
        ended = self.poll_of(handle)
        if any(descriptor == handle for descriptor, _ in ended.poll(SOON)):
            return
        cpu, memory = accounting.CpuMeter(), accounting.memory_meter(self.spec)
        # No sooner than this can all processors together have used up the time allowed.
        cpu_check = started + min(accounting.CPU_EVERY, self.spec.cpu / PROCESSORS)
        memory_check = started if memory else deadline
        while True:
            now = time.monotonic()
            if now >= deadline:
                report.outcome = protocol.DEADLINE
                return
            if now >= cpu_check:
                if accounting.computed_too_much(cpu, self.spec, accounting.bot_processes(), report):
                    return
                cpu_check = time.monotonic() + accounting.CPU_EVERY
            if memory and now >= memory_check:
                if accounting.too_big(memory, accounting.bot_processes(), report):
                    return
                memory_check = time.monotonic() + memory.pause
            pause = min(deadline, cpu_check, memory_check) - time.monotonic()
            ready = [descriptor for descriptor, _ in capture.poll.poll(max(pause, 0.0) * 1000)]
            for descriptor in ready:
                if descriptor in capture.open:
                    capture.read(descriptor)
            if self.refused.listener in ready:
                self.refused.answer()
            if capture.flooded():
                report.outcome = protocol.OUTPUT
                return
            if handle in ready:
                return
            if self.control.fileno() in ready:
                self.end_all(protocol.ExitReport())
                sys.exit(0)

    # A process that lives for a game.

    def start(self, pipes: tuple[int, ...], life: int, groups: tuple[int, ...]) -> None:
        """Start the program on the referee's pipes.

        `life` is the end of a pipe that is closed when the program has ended: so the referee learns
        it at once. `groups` are files by which we move into the control group where the program can
        be frozen, and back out.
        """
        self.report, failure = protocol.ExitReport(), None
        self.life = life
        self.enter_group(groups[:1])
        try:
            if self.played:
                self.ask_for_scratch()
            self.prepare_scratch()
            self.begin(b"", *pipes)
        except OSError as error:
            failure = protocol.ExitReport(protocol.UNSTARTED, error.errno or 0)
        self.played = True
        self.enter_group(groups[1:])
        if failure:
            self.let_go()
            self.reply(failure)
        else:
            self.send(protocol.ExitReport().pack(self.refused.numbers, dirty=False))

    def let_go(self) -> None:
        """Tell the referee that the program has ended."""
        if self.life >= 0:
            os.close(self.life)
            self.life = -1

    def enter_group(self, group: tuple[int, ...]) -> None:
        """Move into another control group, if there is one and the kernel lets us."""
        for descriptor in group:
            try:
                os.write(descriptor, b"0")
            except OSError:
                pass  # the referee sees that the group is empty
            finally:
                os.close(descriptor)

    def watch_over(self) -> tuple[bytes | memoryview, tuple[int, ...]]:
        """Reap orphans and mind memory and time until the referee's next request.

        Meanwhile the bot is stopped and continued as the referee says. The dead count as processes
        until they are reaped, so each of them wakes the pilot.
        """
        wakeup, wakeup_end = os.pipe2(os.O_NONBLOCK | os.O_CLOEXEC)
        _signal.signal(_signal.SIGCHLD, lambda *_: None)
        _signal.set_wakeup_fd(wakeup_end, warn_on_full_buffer=False)
        poll = self.poll_of(self.control.fileno(), wakeup)
        cpu, memory = accounting.CpuMeter(), accounting.memory_meter(self.spec)
        look = again = time.monotonic()
        signalled, answer = 0, None
        while answer is None:
            pause = min(look, again) - time.monotonic()
            ready = {descriptor for descriptor, _ in poll.poll(max(pause, 0.0) * 1000)}
            if self.control.fileno() in ready:
                signalled, counting, answer = self.read_requests(signalled)
                if counting:
                    look = self.look(cpu, memory)
                    counted = protocol.COMPUTED_REPLY.pack(
                        protocol.COMPUTED, self.report.seen, self.report.outcome
                    )
                    self.send((counted,))
                again = time.monotonic() + AGAIN
            if self.refused.listener in ready:
                self.refused.answer()
            if wakeup in ready:
                os.read(wakeup, protocol.CHUNK)
            self.reap(os.WNOHANG, self.report)
            if self.report.outcome != protocol.LIVING:
                self.let_go()
            now = time.monotonic()
            if now >= again:
                again = now + REAP_EVERY
                if signalled:
                    self.signal(signalled)
            if now >= look:
                look = self.look(cpu, memory) if memory else now + REAP_EVERY
        _signal.set_wakeup_fd(-1)
        _signal.signal(_signal.SIGCHLD, _signal.SIG_DFL)
        os.close(wakeup)
        os.close(wakeup_end)
        return answer

    def read_requests(
        self, signalled: int
    ) -> tuple[int, bool, tuple[bytes | memoryview, tuple[int, ...]] | None]:
        """Read all requests that wait, and send the last signal: many may have come meanwhile.

        Returns the latest signal, whether the CPU time is asked for, and any request of another
        kind.
        """
        waiting = select.poll()
        waiting.register(self.control, select.POLLIN)
        number, counting, other = 0, False, None
        while other is None and waiting.poll(0):
            request, attached = self.receive()
            kind = bytes(request)
            if kind in SIGNALS:
                number = SIGNALS[kind]
            elif kind == protocol.COMPUTED:
                counting = True
            else:
                other = request, attached
        if number:
            self.signal(number)
        return number or signalled, counting, other

    def look(self, cpu: accounting.CpuMeter, memory: accounting.MemoryMeter | None) -> float:
        """Measure the living bot's CPU time, and end it if it is too big; return when to repeat."""
        self.reap(os.WNOHANG, self.report)
        processes = accounting.bot_processes()
        self.report.seen = cpu.look(processes, self.report.cpu)
        if not memory:
            return time.monotonic() + REAP_EVERY
        if self.report.outcome == protocol.LIVING and accounting.too_big(
            memory, processes, self.report
        ):
            self.end_all(self.report)
        return time.monotonic() + memory.pause

    def end(self) -> protocol.ExitReport:
        """End the living process; return how it had ended, if it was not by us."""
        self.reap(os.WNOHANG, self.report)
        self.end_all(self.report)
        self.let_go()
        self.main = 0
        return self.report


def main(words: list[str]) -> None:
    """Serve the referee; the words are where it is reached, and `SandboxSpec`."""
    control, *spec = words
    Pilot(protocol.SandboxSpec(spec), protocol.connected(control)).serve()
