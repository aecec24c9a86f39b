"""The pilot: the first process in a box, which starts the bot, watches it and ends it.

It runs under the box's own python3, not the arena's, so it is standard library only, and imports
the small C modules where the public one would double the start of a box. What it reports is the
only verdict the referee believes: it goes through a socket that no bot can reach.

As the first process of its PID namespace it ends everything with one `kill(-1)`, and when it
ends, the kernel ends the rest. Without a namespace (`bare`) it looks for its descendants instead.
"""

# Without pathlib and contextlib, which would double the start of a box:
# ruff: noqa: PTH116, PTH208, SIM105

from __future__ import annotations

import _signal  # type: ignore[import-not-found]
import _socket
import fcntl
import os
import select
import sys
import time

from sandbox.inside.accounting import Scales
from sandbox.inside.hardening import adopt_orphans, drop_powers, refuse, set_limits, shut_out
from sandbox.inside.output_capture import CHUNK, Ears
from sandbox.inside.pilot_protocol import (
    COMPUTED,
    COMPUTED_REPLY,
    CONTINUE,
    CPU,
    DEADLINE,
    DEADLINE_FIELD,
    END,
    EXITED,
    FD,
    GO,
    HELLO,
    LIVING,
    LONGEST_GO,
    LONGEST_REQUEST,
    MEMORY,
    OUTPUT,
    RUN,
    START,
    STOP,
    UNSTARTED,
    Ending,
    Terms,
    received,
)
from sandbox.inside.procfs import Meter, kill, others

CPU_EVERY = 0.02
SOON = 1
"""Milliseconds within which a small compiled bot has answered and ended. Nothing but its end is
waited for till then: every awakening of the pilot would interrupt it. No deadline is shorter."""
REAP_EVERY = 0.1
AGAIN = 0.002
"""Seconds after which everybody is stopped or continued once more: a process that was being forked
meanwhile may have missed it, and would then stay stopped for good."""
FIRST_PRIVATE_FD = 100
NOTHING = "/dev/null"
SIGNALS = {STOP: _signal.SIGSTOP, CONTINUE: _signal.SIGCONT}
DEFAULT_SIGNALS = (_signal.SIGPIPE, _signal.SIGXFSZ, _signal.SIGINT)
PROCESSORS = len(os.sched_getaffinity(0))


class Pilot:
    """Starts, watches and ends one bot, as the referee's requests say.

    `control` is the number of the socket that the requests come by, `counter` that of a file which
    sets the numbers of processes, -1 where the kernel lets nobody do that.
    """

    def __init__(self, terms: Terms, control: int, counter: int = -1) -> None:
        self.terms = terms
        self.alone = os.getpid() == 1
        self.counter = counter
        self.control = _socket.socket(fileno=settle(control, counter))
        self.inbox = memoryview(bytearray(LONGEST_REQUEST))
        self.environment = dict(os.environb)
        self.command: list[bytes] = []
        self.program = ""
        self.refusals = b""
        self.manner = ""
        self.main = 0
        self.ending = Ending()

    def serve(self) -> None:
        """Answer requests until the referee hangs up."""
        self.greet()
        self.harden()
        self.command = [os.fsencode(word) for word in self.terms.command]
        self.program = find(self.terms.command[0])
        self.clean = self.print_of_scratch()
        while True:
            request, attached = self.watch_over() if self.main else self.receive()
            kind, body = request[:1], request[1:]
            if kind == RUN:
                (seconds,) = DEADLINE_FIELD.unpack_from(body)
                self.reply(self.run(body[DEADLINE_FIELD.size :], seconds))
            elif kind == START:
                self.start(attached[:3], attached[3:])
            elif kind == END:
                self.reply(self.end())
            else:
                self.end_all(Ending())
                return

    def greet(self) -> None:
        """Say that we are up, give the referee a handle on us, and wait to be put in our place."""
        handle = os.pidfd_open(os.getpid())
        self.send((HELLO, self.manner.encode()), handle)
        os.close(handle)
        word = self.control.recv(LONGEST_GO)
        if not word.startswith(GO):
            sys.exit(0)
        self.refusals = word[len(GO) :]

    def harden(self) -> None:
        """Shut every way from the bot to us, and set the limits that it will inherit."""
        _signal.signal(_signal.SIGINT, _signal.SIG_DFL)
        shut_out()
        if self.alone:
            drop_powers()
        else:
            adopt_orphans()
        set_limits(self.terms)
        if self.refusals:
            refuse(self.refusals)

    def receive(self) -> tuple[bytes | memoryview, tuple[int, ...]]:
        """Wait for a request and its descriptors; empty when the referee has hung up."""
        size, descriptors = self.listen()
        return bytes(self.inbox[:size]), descriptors

    def listen(self) -> tuple[int, tuple[int, ...]]:
        """Wait for a request, and leave it in the inbox."""
        return received(self.control, self.inbox)

    def send(self, message: tuple[bytes | memoryview, ...], descriptor: int | None = None) -> None:
        """Send one message to the referee, given in pieces."""
        attached = []
        if descriptor is not None:
            rights = FD.pack(descriptor)
            attached = [(_socket.SOL_SOCKET, _socket.SCM_RIGHTS, rights)]
        self.control.sendmsg(message, attached)

    def reply(self, ending: Ending) -> None:
        """Send how a process ended."""
        self.send(ending.pack(self.print_of_scratch() != self.clean))

    def print_of_scratch(self) -> object:
        """Everything that a bot could change about its scratch directory, contents included."""
        if not self.terms.scratch:
            return None
        status = os.stat(self.terms.scratch)
        room = os.statvfs(self.terms.scratch)
        return (
            status.st_mode,
            status.st_nlink,
            status.st_atime_ns,
            status.st_mtime_ns,
            status.st_ctime_ns,
            room.f_bfree,
            room.f_ffree,
        )

    # A question to a fresh process.

    def run(self, words: bytes | memoryview, seconds: float) -> Ending:
        """Start the program with these words, each ended by a NUL; wait for its end or a limit."""
        out, out_end = os.pipe()
        errors, errors_end = os.pipe()
        started = time.monotonic()
        try:
            self.begin(words, out_end, errors_end)
        except OSError as error:
            return Ending(UNSTARTED, error.errno or 0)
        else:
            return self.attend(out, errors, started, seconds)
        finally:
            self.main = 0
            os.close(out)
            os.close(errors)

    def attend(self, out: int, errors: int, started: float, seconds: float) -> Ending:
        """Watch the process just started, end whatever is left of it, and judge what it said."""
        ending = Ending()
        ears = self.ears(out, errors)
        handle = os.pidfd_open(self.main)
        ears.poll.register(handle, select.POLLIN)
        ears.poll.register(self.control, 0)
        self.watch(handle, ears, started, seconds, ending)
        ending.wall = int((time.monotonic() - started) * 1e6)
        if ending.outcome == LIVING:
            _, status, usage = os.wait4(self.main, 0)
            ending.take(status)
            ending.use(usage)
        self.end_all(ending)
        ears.poll.unregister(handle)
        os.close(handle)
        ears.hear_out()
        if ending.outcome == EXITED and ears.flooded():
            ending.outcome = OUTPUT
        ending.line, ending.errors = ears.answer(), ears.complaints()
        return ending

    def ears(self, out: int, errors: int) -> Ears:
        """Listen to a process that was just started."""
        return Ears(out, errors, self.terms)

    def begin(self, words: bytes | memoryview, out: int, errors: int) -> None:
        """Start the process that answers one question; raises `OSError` where there can be none."""
        self.spawn(self.command + bytes(words).split(b"\0")[:-1], None, out, errors)

    def spawn(self, command: list[bytes], source: int | None, out: int, errors: int) -> None:
        """Start the bot in a session of its own, and close what was meant for it.

        Raises `OSError` where it can't be executed.
        """
        actions: list[tuple[int, int, int] | tuple[int, int, str, int, int]]
        actions = [(os.POSIX_SPAWN_DUP2, out, 1), (os.POSIX_SPAWN_DUP2, errors, 2)]
        given = [out, errors]
        if source is None:
            # opened anew: flags of one that all questions share would tell of the one before
            actions.append((os.POSIX_SPAWN_OPEN, 0, NOTHING, os.O_RDONLY, 0))
        else:
            actions.append((os.POSIX_SPAWN_DUP2, source, 0))
            given.append(source)
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
            for descriptor in given:
                os.close(descriptor)

    def set_counter(self) -> None:
        """Let the next process be the second of the box, as it is for every question."""
        if self.counter >= 0:
            os.pwrite(self.counter, b"1", 0)

    def watch(
        self, handle: int, ears: Ears, started: float, seconds: float, ending: Ending
    ) -> None:
        """Listen to the bot until its main process ends or a limit is met."""
        deadline = started + seconds
        bell = select.poll()
        bell.register(handle, select.POLLIN)
        if bell.poll(SOON):
            return
        meter, scales = Meter(), self.scales()
        # No sooner than this can all processors together have used up the time allowed.
        cpu_check = started + min(CPU_EVERY, self.terms.cpu / PROCESSORS)
        memory_check = started if scales else deadline
        while True:
            now = time.monotonic()
            if now >= deadline:
                ending.outcome = DEADLINE
                return
            if now >= cpu_check:
                if self.computed_too_much(meter, others(), ending):
                    return
                cpu_check = time.monotonic() + CPU_EVERY
            if scales and now >= memory_check:
                if self.too_big(scales, others(), ending):
                    return
                memory_check = time.monotonic() + scales.pause
            pause = min(deadline, cpu_check, memory_check) - time.monotonic()
            ready = [descriptor for descriptor, _ in ears.poll.poll(max(pause, 0.0) * 1000)]
            for descriptor in ready:
                if descriptor in ears.open:
                    ears.hear(descriptor)
            if ears.flooded():
                ending.outcome = OUTPUT
                return
            if handle in ready:
                return
            if self.control.fileno() in ready:
                self.end_all(Ending())
                sys.exit(0)

    # A process that lives for a game.

    def start(self, pipes: tuple[int, ...], doors: tuple[int, ...]) -> None:
        """Start the program on the referee's pipes, and hand back a handle on it.

        `doors` lead into the group in which the program can be frozen, and out of it again.
        """
        self.ending, failure = Ending(), None
        self.through(doors[:1])
        try:
            self.begin_game(*pipes)
        except OSError as error:
            failure = Ending(UNSTARTED, error.errno or 0)
        self.through(doors[1:])
        if failure:
            self.reply(failure)
            return
        handle = os.pidfd_open(self.main)
        self.send(Ending().pack(dirty=False), handle)
        os.close(handle)

    def begin_game(self, source: int, out: int, errors: int) -> None:
        """Start the process that plays a game; raises `OSError` where there can be none."""
        self.spawn(self.command, source, out, errors)

    def through(self, door: tuple[int, ...]) -> None:
        """Move into another control group, if there is one and the kernel lets us."""
        for descriptor in door:
            try:
                os.write(descriptor, b"0")
            except OSError:
                pass  # the referee sees that nobody came in
            finally:
                os.close(descriptor)

    def watch_over(self) -> tuple[bytes | memoryview, tuple[int, ...]]:
        """Reap orphans and mind memory and time until the referee's next request.

        Meanwhile the bot is stopped and continued as the referee says. The dead count as processes
        until they are reaped, so each one rings a bell.
        """
        bell, rope = os.pipe2(os.O_NONBLOCK | os.O_CLOEXEC)
        _signal.signal(_signal.SIGCHLD, lambda *_: None)
        _signal.set_wakeup_fd(rope, warn_on_full_buffer=False)
        poll = select.poll()
        poll.register(self.control, select.POLLIN)
        poll.register(bell, select.POLLIN)
        meter, scales = Meter(), self.scales()
        look = again = time.monotonic()
        said, answer = 0, None
        while answer is None:
            pause = min(look, again) - time.monotonic()
            ready = {descriptor for descriptor, _ in poll.poll(max(pause, 0.0) * 1000)}
            if self.control.fileno() in ready:
                said, counting, answer = self.heed(said)
                if counting:
                    look = self.look(meter, scales)
                    report = COMPUTED_REPLY.pack(COMPUTED, self.ending.seen, self.ending.outcome)
                    self.send((report,))
                again = time.monotonic() + AGAIN
            if bell in ready:
                os.read(bell, CHUNK)
            self.reap(os.WNOHANG, self.ending)
            now = time.monotonic()
            if now >= again:
                again = now + REAP_EVERY
                if said:
                    self.signal(said)
            if now >= look:
                look = self.look(meter, scales) if scales else now + REAP_EVERY
        _signal.set_wakeup_fd(-1)
        _signal.signal(_signal.SIGCHLD, _signal.SIG_DFL)
        os.close(bell)
        os.close(rope)
        return answer

    def heed(
        self, said: int
    ) -> tuple[int, bool, tuple[bytes | memoryview, tuple[int, ...]] | None]:
        """Read all requests that wait, and send the last signal: many may have come meanwhile.

        Gives the signal that holds now, whether what was computed is asked for, and a request of
        another kind.
        """
        waiting = select.poll()
        waiting.register(self.control, select.POLLIN)
        number, counting, other = 0, False, None
        while other is None and waiting.poll(0):
            request, attached = self.receive()
            kind = bytes(request)
            if kind in SIGNALS:
                number = SIGNALS[kind]
            elif kind == COMPUTED:
                counting = True
            else:
                other = request, attached
        if number:
            self.signal(number)
        return number or said, counting, other

    def look(self, meter: Meter, scales: Scales | None) -> float:
        """Look what the living bot has computed, and end it if it is too big; says when again."""
        self.reap(os.WNOHANG, self.ending)
        everybody = others()
        self.ending.seen = meter.look(everybody, self.ending.cpu)
        if not scales:
            return time.monotonic() + REAP_EVERY
        if self.ending.outcome == LIVING and self.too_big(scales, everybody, self.ending):
            self.end_all(self.ending)
        return time.monotonic() + scales.pause

    def signal(self, number: int) -> None:
        """Send a signal to everything that the bot started, all at once where that can be."""
        for pid in (-1,) if self.alone else others():
            try:
                os.kill(pid, number)
            except ProcessLookupError:
                pass  # it has ended

    def end(self) -> Ending:
        """End the living process, and tell how it had ended if it was not we who did it."""
        self.reap(os.WNOHANG, self.ending)
        self.end_all(self.ending)
        self.main = 0
        return self.ending

    # Ending, counting, weighing.

    def reap(self, options: int, ending: Ending) -> bool:
        """Collect what has ended; tell whether anything is left."""
        try:
            while True:
                pid, status, usage = os.wait4(-1, options)
                if pid == 0:
                    return True
                ending.use(usage)
                if pid == self.main and ending.outcome == LIVING:
                    ending.take(status)
        except ChildProcessError:
            return False

    def end_all(self, ending: Ending) -> None:
        """End every process but this one; nothing that the bot started is left afterwards."""
        judged = ending.outcome, ending.code
        if self.alone:
            # who lost its parent is a child of ours: without children nobody is left
            if self.reap(os.WNOHANG, ending) and kill(-1):
                self.reap(0, ending)
        else:
            while self.reap(os.WNOHANG, ending):
                for pid in others():
                    kill(pid)
                time.sleep(0.0005)
        ending.outcome, ending.code = judged

    def scales(self) -> Scales | None:
        """What to weigh a bot's processes with, where nobody else does it."""
        return Scales(self.terms.memory) if self.terms.memory else None

    def too_big(self, scales: Scales, everybody: list[int], ending: Ending) -> bool:
        """Weigh the bot's processes; note it when they are over the limit."""
        heavy = scales.too_heavy(everybody)
        ending.peak = max(ending.peak, scales.weight)
        if heavy:
            ending.outcome = MEMORY
        return heavy

    def computed_too_much(self, meter: Meter, everybody: list[int], ending: Ending) -> bool:
        """Count what the bot's processes have computed; note it when it is over the limit."""
        ending.seen = meter.look(everybody, ending.cpu)
        if ending.seen <= self.terms.cpu:
            return False
        ending.outcome = CPU
        return True


def find(word: str) -> str:
    """Say which file a command means, as a shell would."""
    if "/" in word:
        return word
    for folder in os.environ.get("PATH", os.defpath).split(":"):
        path = f"{folder}/{word}"
        if os.access(path, os.X_OK):
            return path
    return word


def connected(control: str) -> int:
    """The control socket: inherited under this number, or waiting for us at this path."""
    if control.isdigit():
        return int(control)
    comer = _socket.socket(_socket.AF_UNIX, _socket.SOCK_SEQPACKET)
    comer.connect(control)
    return comer.detach()


def settle(control: int, counter: int = -1) -> int:
    """Move the control socket out of the way, and shut every descriptor but it and the counter's.

    Also the one it was inherited under, whose number is high where the referee has many boxes.
    """
    settled: int = fcntl.fcntl(control, fcntl.F_DUPFD_CLOEXEC, FIRST_PRIVATE_FD)
    nothing = os.open(NOTHING, os.O_RDWR)
    for standard in (0, 1, 2):
        os.dup2(nothing, standard)
    for descriptor in map(int, os.listdir("/proc/self/fd")):
        if descriptor > 2 and descriptor not in (settled, counter):
            os.closerange(descriptor, descriptor + 1)  # the listing's own is gone already
    return settled


def main(words: list[str]) -> None:
    """Serve the referee; the words are where it is reached, and `Terms`."""
    control, *terms = words
    Pilot(Terms(terms), connected(control)).serve()
