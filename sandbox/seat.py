"""A bot at the table: the referee's questions, put to a box under a clock."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from sandbox.box import Box, Reply
from sandbox.limits import Clock

Protocol = Literal["argv", "stdin"]


class BotPlayer:
    """Plays for one bot through its box; faults come back in the reply, and are not counted here.

    An `argv` bot's first question of a match has the longer time, since a cold disk is not its
    fault; a `stdin` bot's first answer of each process has it, since a runtime must start.
    """

    def __init__(self, box: Box, clock: Clock, protocol: Protocol) -> None:
        self._box = box
        self._clock = clock
        self._protocol = protocol
        self._cold = True

    def begin_game(self) -> None:
        """Start a process for a new game (`stdin`); raises `BoxBroken`."""
        if self._protocol == "stdin":
            self._box.start()
            self._cold = True

    def ask(self, words: Sequence[str]) -> Reply:
        """Put a question; raises `BoxBroken`."""
        seconds = self._clock.start if self._cold else self._clock.question
        if self._protocol == "argv":
            self._cold = False
            return self._box.run(words, seconds)
        reply = self._box.ask(" ".join(words), seconds)
        # after a fault the process is gone, and the next question starts another
        self._cold = reply.fault is not None
        return reply

    def tell(self, line: str) -> None:
        """Tell news, which only a `stdin` bot hears: a line that begins with #."""
        if self._protocol == "stdin":
            self._box.tell(f"# {line}")

    def end_game(self) -> None:
        """End the game's process and all that it started (`stdin`)."""
        if self._protocol == "stdin":
            self._box.stop()
