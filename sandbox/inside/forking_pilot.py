"""A pilot that forks its bots: the interpreter that they run in is started once for a box.

A fork has a copy of the pilot's memory, and a bot may search its own. So earlier questions and
answers must not be there: they are held in a few buffers that are overwritten after every question,
and never become Python objects, whose location in memory is unknown.
"""

from __future__ import annotations

import os

from sandbox.inside.pilot import OutputCapture, Pilot
from sandbox.inside.pilot_protocol import CHUNK, LONGEST_REQUEST, RUN, TAIL, ExitReport, Terms

FORKED = "forked from a warm interpreter"


class Forked(BaseException):
    """We are the fork: what the bot is asked, and the pipes that are its streams.

    `source` is where it reads its questions, if it plays a game.
    """

    def __init__(self, words: list[str], source: int | None, out: int, errors: int) -> None:
        super().__init__()
        self.words = words
        self.source = source
        self.out = out
        self.errors = errors


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
        count = os.readv(descriptor, [self.view[self.size : self.size + CHUNK]])
        self.size += count
        self.used = max(self.used, self.size)
        return count

    def forget(self) -> None:
        """Overwrite all that was ever here."""
        self.view[: self.used] = self.blank[: self.used]
        self.size = self.used = 0


class ForgetfulCapture(OutputCapture):
    """A bot's output, in memory that is overwritten before the next fork."""

    def __init__(
        self, out: int, errors: int, terms: Terms, output_buffer: Buffer, error_buffer: Buffer
    ) -> None:
        super().__init__(out, errors, terms)
        self.output_buffer = output_buffer
        self.error_buffer = error_buffer

    def read(self, descriptor: int) -> None:
        """Read what lies in one of the pipes."""
        buffer = self.output_buffer if descriptor == self.out else self.error_buffer
        if not buffer.read(descriptor):
            self.poll.unregister(descriptor)
            self.open.remove(descriptor)
        elif buffer is self.error_buffer and buffer.size > TAIL:
            buffer.view[:TAIL] = buffer.view[buffer.size - TAIL : buffer.size]
            buffer.size = TAIL

    def flooded(self) -> bool:
        """Tell whether there is more than may be, in all or in the first line."""
        size, longest = self.output_buffer.size, self.terms.line
        endless = size > longest + 1 and self.output_buffer.content.find(b"\n", 0, longest + 2) < 0
        return endless or size > self.terms.output

    def first_line(self) -> memoryview | None:
        """The first line, whole only where nothing flooded."""
        size = self.output_buffer.size
        end = self.output_buffer.content.find(b"\n", 0, size)
        return (
            self.output_buffer.view[: min(size if end < 0 else end, self.terms.line + 2)]
            if size
            else None
        )

    def error_tail(self) -> memoryview:
        """The end of what was written on standard error."""
        return self.error_buffer.view[: self.error_buffer.size]


class ForkingPilot(Pilot):
    """A pilot that forks itself for a question or a game; the fork is the bot's interpreter."""

    def __init__(self, terms: Terms, control: int, counter: int = -1, scratch: int = -1) -> None:
        super().__init__(terms, control, counter, scratch)
        self.how_started = FORKED
        self.asked = 0
        self.blank = memoryview(bytes(LONGEST_REQUEST))
        self.output_buffer = Buffer(terms.output + CHUNK)
        self.error_buffer = Buffer(TAIL + CHUNK)

    def receive(self) -> tuple[bytes | memoryview, tuple[int, ...]]:
        """Wait for a request; a question stays where it is, for the fork to read."""
        self.asked, descriptors = self.listen()
        request = self.inbox[: self.asked]
        return request if request[:1] == RUN else bytes(request), descriptors

    def reply(self, report: ExitReport) -> None:
        """Send how a process ended, and forget all about it."""
        super().reply(report)
        self.inbox[: self.asked] = self.blank[: self.asked]
        self.output_buffer.forget()
        self.error_buffer.forget()

    def capture(self, out: int, errors: int) -> OutputCapture:
        """Listen to the fork."""
        return ForgetfulCapture(out, errors, self.terms, self.output_buffer, self.error_buffer)

    def begin(self, words: bytes | memoryview, out: int, errors: int) -> None:
        """Fork for one question; raises `Forked` in the fork, `OSError` where there can be none."""
        self.fork(words, None, out, errors)

    def begin_game(self, source: int, out: int, errors: int) -> None:
        """Fork for a game, in which a bot is started without words; raises as `begin` does."""
        self.fork(b"", source, out, errors)

    def fork(self, words: bytes | memoryview, source: int | None, out: int, errors: int) -> None:
        """Fork with these streams; the words become Python objects in the fork only."""
        self.set_counter()
        forked = False
        try:
            self.main = os.fork()
            forked = self.main == 0
        finally:
            if not forked:
                for descriptor in filter(None, (source, out, errors)):
                    os.close(descriptor)
        if forked:
            self.control.detach()
            asked = list(map(os.fsdecode, bytes(words).split(b"\0")[:-1]))
            raise Forked(asked, source, out, errors)
