"""Keeping what takes long to work out, for many readers."""

from __future__ import annotations

import time
from collections.abc import Callable, Hashable
from typing import Generic, TypeVar

Value = TypeVar("Value")

PATIENCE = 20.0
"""Fits of a season that is being played take at most about a twentieth of a processor's time."""


class Kept(Generic[Value]):
    """A value, kept until what it follows from has changed.

    With `patience` it is kept for so many times as long as it took, even if that has changed; a
    value that takes no time is always the newest.
    """

    def __init__(self, patience: float = 0.0, clock: Callable[[], float] = time.monotonic) -> None:
        self.patience = patience
        self._clock = clock
        self._found: tuple[Hashable, Value] | None = None
        self._ended = self._took = 0.0

    def at(self, state: Hashable, work_out: Callable[[], Value]) -> Value:
        """The value at this state of what it follows from, or at a state shortly before."""
        began = self._clock()
        if self._found is None or (
            self._found[0] != state and began >= self._ended + self.patience * self._took
        ):
            self._found = state, work_out()
            self._ended = self._clock()
            self._took = self._ended - began
        return self._found[1]
