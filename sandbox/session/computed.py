"""The processor time of a bot that plays a game, between two of its answers."""

from __future__ import annotations

from collections.abc import Callable

from sandbox.kernel.cgroups import Group
from sandbox.session.idle_bots import IdleBots

WORTH_ASKING, WORTH_ASKING_PILOT = 100, 1000
"""Microseconds of an answer for which the kernel is asked, and for which a pilot is."""


class Computed:
    """What a bot has computed, by its control group or else by its pilot.

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
        """Microseconds that the bot has computed since the last look; None if it was ended.

        What it computes while others are asked counts in its own next answer: a bot that is not
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
        """Microseconds that a bot which has ended computed since the last look.

        `whole` is what it computed in its life, as far as the pilot saw it.
        """
        total = self._group.computed() if self._group else None
        return max(0, (whole if total is None else total) - self._spent)
