"""The sheet of all uploads, and all sheets of an arena that has a door."""

from __future__ import annotations

from collections.abc import Iterator

from leaderboard.door.storage.door import Door
from leaderboard.sheets import rows
from leaderboard.sheets.rows import Row
from leaderboard.storage.store import Store

OF_SEASONS = {"standings": rows.standings, "matches": rows.matches, "decisions": rows.decisions}


def submissions(door: Door) -> Iterator[Row]:
    """Every upload."""
    for upload in door.each_upload():
        yield {
            "number": upload.id,
            "team": upload.team.name,
            "person": upload.person,
            "received": upload.received,
            "late": upload.late,
            "size": upload.size,
            "sha256": upload.sha256,
            "state": upload.state,
            "bot": upload.bot or None,
            "version": upload.number,
            "reason": upload.reason or None,
        }


def rows_of(
    sheet: str, store: Store, door: Door | None, tournament: str = "", season: int = 0
) -> Iterator[Row]:
    """The lines of a sheet by its name; those of seasons are about this one."""
    if sheet in OF_SEASONS:
        return OF_SEASONS[sheet](store, tournament, season)
    if sheet == "versions":
        return rows.versions(store)
    return submissions(door) if door else iter(())
