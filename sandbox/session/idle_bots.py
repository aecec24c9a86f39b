"""Bots that have answered and still run, and the processor time they use between answers.

Most turns take some microseconds, and to stop a bot and continue it takes as long again. So a bot
that has answered is not stopped at once, but as soon as anybody at its table has to be waited for,
or it has run on for `PATIENCE`. What it computes until then is counted, as the rest of its time is.
"""

from __future__ import annotations

import select
import time
from collections.abc import Callable
from typing import Protocol

from card_arena.sandbox.kernel.cgroups import Group
from card_arena.sandbox.session.reports import readable

PATIENCE = 500_000
"""Nanoseconds for which a bot may run on after its answer."""


MOST_SELECTED = 1024
"""The descriptors below this one can be waited for with `select`, which counts microseconds."""


def _readable(descriptor: int, seconds: float) -> bool:
    if descriptor < MOST_SELECTED:
        return bool(select.select((descriptor,), (), (), seconds)[0])
    return readable(descriptor, seconds)


class Stoppable(Protocol):
    """A living bot that can be stopped."""

    def stop(self) -> None:
        """Let none of its processes compute until it is asked again."""


class IdleBots:
    """One table's bots that are not asked and still run; without any `patience` there are none.

    Call `stop` before anything but a question to one of the table's bots.
    """

    def __init__(self, patience: int = PATIENCE) -> None:
        self._patience = patience
        self._since: dict[Stoppable, int] = {}
        self._due = 0  # nobody has run on for too long before this moment

    def add(self, bot: Stoppable, now: int) -> None:
        """Take a bot that has answered, at this moment of the monotonic clock in nanoseconds."""
        if not self._patience:
            bot.stop()
            return
        if not self._since:
            self._due = now + self._patience
        self._since[bot] = now

    def remove(self, bot: Stoppable) -> None:
        """Leave a bot alone that has ended."""
        self._since.pop(bot, None)

    def begin_turn(self, bot: Stoppable) -> int:
        """Leave a bot alone that is asked, and stop those that have run on for too long.

        Returns the moment at which its time begins.
        """
        self._since.pop(bot, None)
        now = time.monotonic_ns()
        if now < self._due or not self._since:
            return now
        for idle, since in list(self._since.items()):
            self._due = since + self._patience
            if now < self._due:
                break
            self.remove(idle)
            idle.stop()
        return time.monotonic_ns()

    def wait(self, descriptor: int) -> bool:
        """Wait for a readable descriptor, and stop the bots if their time passes first.

        Returns whether it is readable already.
        """
        if not self._since:
            return False
        left = next(iter(self._since.values())) + self._patience - time.monotonic_ns()
        if left > 0 and _readable(descriptor, left / 1e9):
            return True
        self.stop()
        return False

    def stop(self) -> None:
        while self._since:
            self._since.popitem()[0].stop()


WORTH_ASKING, WORTH_ASKING_PILOT = 100, 1000
"""Microseconds of an answer for which the kernel is asked, and for which a pilot is."""


class ComputedTime:
    """The time that a bot has computed, by its control group or else by its pilot.

    Make this before the process, so that none of its time is missed.
    """

    def __init__(
        self, group: Group | None, ask_pilot: Callable[[], int | None], idle_bots: IdleBots
    ) -> None:
        self.peak = 0
        """The most memory that it has used, in bytes, as of the last look."""
        before = group.computed() if group else None
        self.worth_asking = WORTH_ASKING_PILOT if before is None else WORTH_ASKING
        self._group = group
        self._ask_pilot = ask_pilot
        self._idle_bots = idle_bots
        self._spent = before or 0

    def now(self) -> int | None:
        """Return the microseconds computed since the last look; None if the bot was ended.

        The time it computes while others are asked counts in its own next answer: a bot that is not
        asked does not think. The pilot's share of a group is small, and counts too.
        """
        total = self._group.computed() if self._group else None
        if total is None:
            self._idle_bots.stop()
            total = self._ask_pilot()
        if total is None:
            return None
        spent, self._spent = total - self._spent, total
        self.peak = self._group.peak() if self._group else 0
        return spent

    def since(self, whole: int) -> int:
        """Return the microseconds that a bot which has ended computed since the last look.

        `whole` is what it computed in its life, as far as the pilot saw it.
        """
        total = self._group.computed() if self._group else None
        return max(0, (whole if total is None else total) - self._spent)
