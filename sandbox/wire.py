"""What the referee and the pilot say to each other: requests, reports, the terms of a box.

Both sides load this module, the pilot under the box's own python3, so it is standard library only.
"""

from __future__ import annotations

import os
import resource
import struct

ENTER = (
    "import sys; sys.path.insert(0, sys.argv[1]); "
    "__import__(sys.argv[2], fromlist=['main']).main(sys.argv[3:])"
)
"""How a module of ours is run by a python3 that has nothing of ours installed."""

RUN, START, END, STOP, CONTINUE, COMPUTED = b"R", b"S", b"E", b"P", b"C", b"T"
"""Requests; the last one asks what a living bot has computed, and begins the answer too."""
COMPUTED_REPLY = struct.Struct("=cdB")
"""`COMPUTED`, the seconds, and how the bot has ended meanwhile."""
HELLO, GO = b"pilot 1", b"go"
"""The pilot's first word, after which it may say how bots are started; and the referee's, after
which comes the filter of system calls, if any."""

EXITED, SIGNALLED, DEADLINE, CPU, OUTPUT, MEMORY, UNSTARTED, LIVING, UNFIT = range(9)
"""How a process ended: by itself (with a code), by a signal (with its number), because we ended
it for one of the limits, never began (with an errno), or was ended by us while well; and of a
build, that it left what can't be taken (the line says what)."""

REPLY = struct.Struct("=BBBiQQQI")
"""outcome, scratch is dirty, a line is there, code, wall and cpu in microseconds, peak memory in
bytes, length of the line; the line and the end of standard error follow."""
FD = struct.Struct("i")
DEADLINE_FIELD = struct.Struct("=d")

TAIL = 4096
"""How much of the end of standard error is kept."""
LONGEST_REQUEST = 160 * 1024
LONGEST_GO = 32 * 1024
LONGEST_REPORT = 8 * 1024
"""Without the answer: the numbers, and the end of standard error."""
MOST_LOG = 128 * 1024
LONGEST_LOG = LONGEST_REPORT + MOST_LOG


class Terms:
    """What the pilot is told on its command line, in this order, before the bot's command."""

    FIELDS = ("control", "line", "output", "cpu", "memory", "processes", "data", "files")

    def __init__(self, words: list[str]) -> None:
        self.control = words[0]
        """The number of an inherited socket, or the path of one to come to."""
        numbers = {name: int(words[place]) for place, name in enumerate(self.FIELDS) if place}
        self.line = numbers["line"]
        self.output = numbers["output"]
        self.cpu = numbers["cpu"] / 1e6
        self.memory = numbers["memory"]
        """What to poll for, 0 where the kernel does it."""
        self.processes = numbers["processes"]
        self.data = numbers["data"]
        self.files = numbers["files"]
        self.scratch = words[len(self.FIELDS)]
        self.command = words[len(self.FIELDS) + 1 :]


class Ending:
    """How one process and all that it started ended."""

    def __init__(self, outcome: int = LIVING, code: int = 0) -> None:
        self.outcome = outcome
        self.code = code
        self.wall = 0
        self.cpu = 0.0
        self.seen = 0.0
        """Seconds that were seen to be computed, also by those of whose end nobody was told."""
        self.peak = 0
        self.line: bytes | memoryview | None = None
        self.errors: bytes | memoryview = b""

    def take(self, status: int) -> None:
        """Note how the main process itself ended."""
        code = os.waitstatus_to_exitcode(status)
        self.outcome, self.code = (EXITED, code) if code >= 0 else (SIGNALLED, -code)

    def use(self, usage: resource.struct_rusage) -> None:
        """Add what a reaped process used."""
        self.cpu += usage.ru_utime + usage.ru_stime
        self.peak = max(self.peak, usage.ru_maxrss * 1024)

    def pack(self, dirty: bool) -> tuple[bytes | memoryview, ...]:
        """Write it as the referee reads it, in pieces."""
        line = self.line or b""
        fixed = REPLY.pack(
            self.outcome,
            dirty,
            self.line is not None,
            self.code,
            self.wall,
            int(max(self.cpu, self.seen) * 1e6),
            self.peak,
            len(line),
        )
        return fixed, line, self.errors
