"""A pilot that forks its bots: the interpreter that they run in is started once for a sandbox.

A fork has a copy of the pilot's memory, and a bot may search its own. So earlier questions and
answers must not be there: they are held in a few buffers that are overwritten after every question,
and never become Python objects, whose location in memory is unknown.
"""

from __future__ import annotations

import os

from sandbox.inside.pilot import Pilot
from sandbox.inside.pilot_protocol import LONGEST_REQUEST, RUN, ExitReport, SandboxSpec, received

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


class ForkingPilot(Pilot):
    """A pilot that forks itself for a question or a game; the fork is the bot's interpreter."""

    def __init__(
        self, spec: SandboxSpec, control: int, counter: int = -1, scratch: int = -1
    ) -> None:
        super().__init__(spec, control, counter, scratch)
        self.how_started = FORKED
        self.asked = 0
        self.blank = memoryview(bytes(LONGEST_REQUEST))

    def receive(self) -> tuple[bytes | memoryview, tuple[int, ...]]:
        """Wait for a request; a question stays where it is, for the fork to read."""
        self.asked, descriptors = received(self.control, self.inbox)
        request = self.inbox[: self.asked]
        return request if request[:1] == RUN else bytes(request), descriptors

    def reply(self, report: ExitReport) -> None:
        super().reply(report)
        self.inbox[: self.asked] = self.blank[: self.asked]

    def begin(self, words: bytes | memoryview, out: int, errors: int) -> None:
        self.fork(words, None, out, errors)

    def begin_game(self, source: int, out: int, errors: int) -> None:
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
            arguments = list(map(os.fsdecode, bytes(words).split(b"\0")[:-1]))
            raise Forked(arguments, source, out, errors)
