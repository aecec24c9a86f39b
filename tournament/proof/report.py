"""What was checked in a season, and what was found."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime

from leaderboard.storage.entries import Season


@dataclass(slots=True)
class Report:
    """What was checked in a season, and a sentence for every difference that was found.

    `matches`, `turns` and `packs` count what was played again, `other_packs` those packs that the
    key gives otherwise, and `entries` the ledger's. `head` is the hash of its last entry. `notes`
    say what could not be checked, and why. `announcements`, `attempts`, `voids` and `interruptions`
    are those of the season that the ledger tells of, and `remarks` name the matches that were not
    played at once from beginning to end. `earlier` counts the matches that were checked in an
    earlier sitting, the last of them at `latest`, and that have not changed since.
    """

    season: Season
    matches: int = 0
    turns: int = 0
    packs: int = 0
    other_packs: int = 0
    entries: int = 0
    head: str = ""
    announcements: int = 0
    attempts: int = 0
    voids: int = 0
    interruptions: int = 0
    earlier: int = 0
    latest: datetime | None = None
    differences: list[str] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    remarks: list[str] = field(default_factory=list)


def listed(numbers: Sequence[object]) -> str:
    """Name some numbers, or say that there are none."""
    return ", ".join(map(str, numbers)) or "nothing"
