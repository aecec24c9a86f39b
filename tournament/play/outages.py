"""Waiting until the database can be used again."""

from __future__ import annotations

import time
from collections.abc import Callable

from leaderboard.storage.database import Unusable

SHORTEST = 1.0
LONGEST = 30.0
"""The pauses between two attempts, in seconds: each is twice as long as the one before it."""


class Outages:
    """Waits where the database can't be used; `say` hears when that begins and when it is over."""

    def __init__(self, say: Callable[[str], None]) -> None:
        self._say = say
        self._began = 0.0
        self._pause = 0.0

    def wait(self, error: Unusable) -> None:
        """Wait before the next attempt, longer after every failure."""
        if not self._pause:
            self._began = time.monotonic()
            self._say(f"{error}; trying again until it can be used")
        self._pause = min(2 * self._pause or SHORTEST, LONGEST)
        time.sleep(self._pause)

    def over(self) -> None:
        """Note that the database has been used."""
        if self._pause:
            self._pause = 0.0
            seconds = time.monotonic() - self._began
            self._say(f"the database can be used again after {seconds:.0f} s")
