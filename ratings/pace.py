"""How fast matches come in, from the moments at which the latest were stored."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from itertools import pairwise
from statistics import fmean, median

LATEST_MATCHES = 50
"""How many of the latest matches the pace is that of."""

LEAST = 5
"""The fewest that say anything."""

PAUSE = timedelta(minutes=2)
UNUSUAL = 10
"""A gap that is longer than a pause and this multiple of the usual gap is an interruption."""


@dataclass(frozen=True, slots=True)
class Pace:
    """The mean time from one match to the next, over the latest `matches`.

    `newest` is when the last of them was stored. The next one should follow within `patience`.
    """

    matches: int
    gap: timedelta
    newest: datetime
    patience: timedelta

    def time_for(self, matches: int) -> timedelta:
        """How long so many more matches take at this pace."""
        return self.gap * matches

    def interrupted(self, now: datetime) -> bool:
        """Whether nothing has been stored for so long that nothing seems to be played."""
        return now - self.newest > self.patience


def pace(stored: Sequence[datetime]) -> Pace | None:
    """The pace of the latest matches, given when each was stored, the newest first.

    Interruptions, such as a night in which the arena did not run, are left out. None if there are
    too few matches.
    """
    gaps = [
        (later - earlier).total_seconds()
        for later, earlier in pairwise(stored[: LATEST_MATCHES + 1])
    ]
    if len(gaps) < LEAST:
        return None
    longest = max(PAUSE.total_seconds(), UNUSUAL * median(gaps))
    counted = [gap for gap in gaps if gap <= longest]
    return Pace(
        len(counted), timedelta(seconds=fmean(counted)), stored[0], timedelta(seconds=longest)
    )
