"""The pace of a season: the mean time between its latest matches."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from itertools import pairwise
from statistics import fmean, median

LATEST_MATCHES = 50
"""The number of latest matches that the pace is computed from."""

LEAST = 5
"""The fewest gaps for a pace."""

PAUSE = timedelta(minutes=2)
UNUSUAL = 10
"""A gap longer than `PAUSE` and this multiple of the usual gap is an interruption."""


@dataclass(frozen=True, slots=True)
class Pace:
    """The mean time from one match to the next, over the latest `matches`.

    `newest` is when the last of them was stored. The next one should follow within `patience`.
    """

    matches: int
    gap: timedelta
    newest: datetime
    patience: timedelta

    def interrupted(self, now: datetime) -> bool:
        """Return whether the next match is overdue."""
        return now - self.newest > self.patience


def pace(stored: Sequence[datetime]) -> Pace | None:
    """Return the pace of the latest matches, given when each was stored, the newest first.

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
