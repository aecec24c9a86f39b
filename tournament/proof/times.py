"""Checking the times of matches: none is longer than the ledger leaves room for."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime

from common.moments import from_iso
from leaderboard.proof.ledger import Entry
from tournament.proof.seats import Seated

CLOCK_SET = 60.0
"""Seconds by which the clock of the ledger may have been set back during a season."""


def of_times(match: Seated, began: datetime | None, ended: datetime | None) -> Iterator[str]:
    """Compare a match's times with those of the ledger: when its season began, and its own entry.

    None stands for a time that the ledger does not say.
    """
    if began is None or ended is None:
        return
    key, room = match.result.key, (ended - began).total_seconds() + CLOCK_SET
    answers, seconds = match.wall / 1e6, match.seconds
    if answers > room:
        yield (
            f"{key}: its answers took {answers:.0f} s, but by the ledger it was over"
            f" {room - CLOCK_SET:.0f} s after the season had begun"
        )
    if seconds is not None and not answers - 0.001 <= seconds <= max(room, answers):
        yield (
            f"{key}: it is stored as having lasted {seconds:.3f} s, but its answers took"
            f" {answers:.3f} s, and the ledger leaves it {room - CLOCK_SET:.0f} s"
        )
    if match.stored is not None:
        stored = from_iso(match.stored)
        if abs((stored - ended).total_seconds()) > CLOCK_SET:
            yield f"{key}: it is said to have been stored at {stored}, the ledger says {ended}"


def moment(entry: Entry) -> datetime | None:
    """When an entry says that it was written; None if it says no moment."""
    try:
        return from_iso(str(entry["time"]))
    except (LookupError, ValueError):
        return None
