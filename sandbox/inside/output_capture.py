"""What a bot writes on its two pipes, as the pilot reads it."""

from __future__ import annotations

import os
import select

from sandbox.inside.pilot_protocol import TAIL, Terms

CHUNK = 65536


class OutputCapture:
    """Reads what the bot writes on its two pipes, and keeps it within bounds."""

    def __init__(self, out: int, errors: int, terms: Terms) -> None:
        self.out = out
        self.terms = terms
        self.output = b""
        self.errors = b""
        self.open = {out, errors}
        self.poll = select.poll()
        self.poll.register(out, select.POLLIN)
        self.poll.register(errors, select.POLLIN)

    def read(self, descriptor: int) -> None:
        """Read what lies in one of the pipes."""
        chunk = os.read(descriptor, CHUNK)
        if not chunk:
            self.poll.unregister(descriptor)
            self.open.remove(descriptor)
        elif descriptor == self.out:
            self.output += chunk
        else:
            self.errors = (self.errors + chunk)[-TAIL:]

    def drain(self) -> None:
        """Read what is left when the bot has ended."""
        while self.open and not self.flooded():
            waiting = [fd for fd, _ in self.poll.poll(0) if fd in self.open]
            if not waiting:
                return
            for descriptor in waiting:
                self.read(descriptor)

    def flooded(self) -> bool:
        """Tell whether there is more than may be, in all or in the first line."""
        size = len(self.output)
        longest = self.terms.line
        endless = size > longest + 1 and self.output.find(b"\n", 0, longest + 2) < 0
        return endless or size > self.terms.output

    def first_line(self) -> bytes | memoryview | None:
        """The first line, whole only where nothing flooded."""
        size = self.terms.line
        return self.output.partition(b"\n")[0][: size + 2] if self.output else None

    def error_tail(self) -> bytes | memoryview:
        """The end of what was written on standard error."""
        return self.errors
