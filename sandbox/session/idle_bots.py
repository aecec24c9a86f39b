"""The bots of a table that have answered and still run, for the moment that others need.

Most turns take some microseconds, and to stop a bot and let it go on takes as long again. So a bot
that has answered is not stopped at once, but as soon as anybody at its table has to be waited for,
or it has run on for `PATIENCE`. What it computes until then is counted, as the rest of its time is.
"""

from __future__ import annotations

import select
import time
from typing import Protocol

PATIENCE = 500_000
"""Nanoseconds for which a bot may run on after its answer."""


class Stoppable(Protocol):
    """A living bot that can be stopped."""

    def stop(self) -> None:
        """Let none of its processes compute until it is asked again."""
        ...


class IdleBots:
    """One table's bots that are not asked and still run; without any `patience` there are none.

    Call `stop` before anything but a question to one of the table's bots.
    """

    def __init__(self, patience: int = PATIENCE) -> None:
        self._patience = patience
        self._since: dict[Stoppable, int] = {}

    def add(self, bot: Stoppable, now: int) -> None:
        """Take a bot that has answered, at this moment of the monotonic clock in nanoseconds."""
        if self._patience:
            self._since[bot] = now
        else:
            bot.stop()

    def remove(self, bot: Stoppable) -> None:
        """Leave a bot alone: it is asked, or it has ended."""
        self._since.pop(bot, None)

    def stop_overdue(self) -> None:
        """Stop those that have run on for too long; call it before each question."""
        if self._since:
            due = time.monotonic_ns() - self._patience
            while self._since:
                bot, since = next(iter(self._since.items()))
                if since > due:
                    break
                self.remove(bot)
                bot.stop()

    def wait(self, descriptor: int) -> bool:
        """Wait for something to read, and stop them where it does not come in their time.

        Returns whether there is something to read already.
        """
        if not self._since:
            return False
        left = next(iter(self._since.values())) + self._patience - time.monotonic_ns()
        if left > 0 and select.select((descriptor,), (), (), left / 1e9)[0]:
            return True
        self.stop()
        return False

    def stop(self) -> None:
        while self._since:
            self._since.popitem()[0].stop()
