"""The protocol between referee and pilot: requests, reports, the specification of a sandbox.

Both sides load this module, the pilot under the sandbox's own python3, so it is standard library
only.
"""

# Without pathlib, which would double the start of a sandbox:
# ruff: noqa: PTH208

from __future__ import annotations

import _socket
import fcntl
import os
import resource
import struct

ENTER = (
    "import sys; sys.path.insert(0, sys.argv[1]); "
    "__import__(sys.argv[2], fromlist=['main']).main(sys.argv[3:])"
)
"""Runs a module of ours under a python3 that has nothing of ours installed."""

RUN, START, END, STOP, CONTINUE, COMPUTED = b"R", b"S", b"E", b"P", b"C", b"T"
"""Requests; the last one asks what a living bot has computed, and begins the answer too."""
COMPUTED_REPLY = struct.Struct("=cdB")
"""`COMPUTED`, the seconds, and how the bot has ended meanwhile."""
FORK, CLEAR, RENEW, DONE = b"B", b"X", b"N", b"D"
"""Requests to a zygote: fork a sandbox, remove the last one's files, mount a new /tmp for a pilot;
and its answer to the last two."""
HELLO, GO, REFUSAL = b"pilot 1", b"go", b"no "
"""The pilot's first word, after which it may say how bots are started; the referee's, after which
comes the filter of system calls, if any; and what comes in place of a pilot where the kernel lets
there be no sandbox, before the reason."""

EXITED, SIGNALLED, DEADLINE, CPU, OUTPUT, MEMORY, UNSTARTED, LIVING, UNFIT = range(9)
"""How a process ended: by itself (with a code), by a signal (with its number), because we ended
it for one of the limits, never began (with an errno), or was ended by us while well; and of a
build, that it left what can't be taken (the line says what)."""

REPLY = struct.Struct("=BBBiQQQ16sI")
"""outcome, scratch is dirty, a line is there, code, wall and cpu in microseconds, peak memory in
bytes, the numbers of refused system calls, length of the line; the line and the end of standard
error follow."""
REFUSED = struct.Struct("=4i")
"""The numbers of the first few calls that the filter does not list, 0 for none."""
FD = struct.Struct("i")
DEADLINE_FIELD = struct.Struct("=d")

CHUNK = 65536
"""Bytes that are read of a pipe at once."""
TAIL = 4096
"""The bytes of the end of standard error that are kept."""
LONGEST_REQUEST = 160 * 1024
MOST_DESCRIPTORS = 6
LONGEST_GO = 32 * 1024
LONGEST_REPORT = 8 * 1024
"""Without the answer: the numbers, and the end of standard error."""
MOST_LOG = 128 * 1024
LONGEST_LOG = LONGEST_REPORT + MOST_LOG


class SandboxSpec:
    """The limits of a sandbox and its bot's command, as the pilot gets them on its command line."""

    def __init__(self, words: list[str]) -> None:
        *numbers, self.scratch = words[:8]
        # `memory` is what to poll for, 0 where the kernel does it.
        self.line, self.output, cpu, self.memory, self.processes, self.data, self.files = map(
            int, numbers
        )
        self.cpu = cpu / 1e6
        self.command = words[8:]


BUILD, PILOT, ZYGOTE = "build", "pilot", "zygote"


class ZygoteRequest:
    """A request to a zygote for a sandbox.

    `kind` is `BUILD` or `PILOT`. A `fresh` one has a new copy of the bot's files, which come with
    the request; another one has those of the sandbox before it.
    """

    def __init__(
        self, kind: str, fresh: bool, words: list[str], environment: dict[bytes, bytes]
    ) -> None:
        self.kind = kind
        self.fresh = fresh
        self.words = words
        self.spec = SandboxSpec(words)
        self.environment = environment

    def write(self) -> bytes:
        variables = [b"=".join(pair) for pair in self.environment.items()]
        numbers = f"{self.kind} {int(self.fresh)} {len(variables)}".encode()
        return b"\0".join([FORK + numbers, *variables, *map(os.fsencode, self.words)])

    @classmethod
    def read(cls, request: bytes) -> ZygoteRequest:
        first, *parts = request[len(FORK) :].split(b"\0")
        kind, fresh, count = first.decode().split(" ")
        variables = [part.partition(b"=") for part in parts[: int(count)]]
        environment = {name: value for name, _, value in variables}
        return cls(kind, fresh == "1", list(map(os.fsdecode, parts[int(count) :])), environment)


def received(control: _socket.socket, inbox: memoryview) -> tuple[int, tuple[int, ...]]:
    """Wait for a message and leave it in the inbox; return its length and its descriptors."""
    size, attached, _, _ = control.recvmsg_into(
        [inbox], _socket.CMSG_SPACE(MOST_DESCRIPTORS * FD.size), _socket.MSG_CMSG_CLOEXEC
    )
    return size, tuple(fd for _, _, rights in attached for (fd,) in FD.iter_unpack(rights))


class ExitReport:
    """How one process, with all that it started, ended."""

    def __init__(self, outcome: int = LIVING, code: int = 0) -> None:
        self.outcome = outcome
        self.code = code
        self.wall = 0
        self.cpu = 0.0
        self.seen = 0.0
        """The CPU seconds observed, including those of processes whose end was not observed."""
        self.peak = 0
        self.line: bytes | memoryview | None = None
        self.errors: bytes | memoryview = b""

    def take(self, status: int) -> None:
        """Note how the main process itself ended."""
        code = os.waitstatus_to_exitcode(status)
        self.outcome, self.code = (EXITED, code) if code >= 0 else (SIGNALLED, -code)

    def use(self, usage: resource.struct_rusage) -> None:
        self.cpu += usage.ru_utime + usage.ru_stime
        self.peak = max(self.peak, usage.ru_maxrss * 1024)

    def pack(self, refused: bytearray, *, dirty: bool) -> tuple[bytes | memoryview, ...]:
        """Encode the report in pieces; `refused` are the numbers of calls."""
        line = self.line or b""
        fixed = REPLY.pack(
            self.outcome,
            dirty,
            self.line is not None,
            self.code,
            self.wall,
            int(max(self.cpu, self.seen) * 1e6),
            self.peak,
            refused,
            len(line),
        )
        return fixed, line, self.errors


FIRST_PRIVATE_FD = 100
NOTHING = "/dev/null"


def connected(control: str) -> int:
    """Return the control socket: inherited under this number, or waiting for us at this path."""
    if control.isdigit():
        return int(control)
    comer = _socket.socket(_socket.AF_UNIX, _socket.SOCK_SEQPACKET)
    comer.connect(control)
    return comer.detach()


def settle(control: int, *descriptors: int) -> int:
    """Move the control socket out of the way, and close all other descriptors but those kept.

    This includes the inherited one, whose number is high if the referee has many sandboxes.
    """
    settled: int = fcntl.fcntl(control, fcntl.F_DUPFD_CLOEXEC, FIRST_PRIVATE_FD)
    nothing = os.open(NOTHING, os.O_RDWR)
    for standard in (0, 1, 2):
        os.dup2(nothing, standard)
    close_all_but(settled, *descriptors)
    return settled


def close_all_but(*descriptors: int) -> None:
    """Close all descriptors but the standard streams and these."""
    for descriptor in map(int, os.listdir("/proc/self/fd")):
        if descriptor > 2 and descriptor not in descriptors:
            os.closerange(descriptor, descriptor + 1)  # the listing's own is already closed
