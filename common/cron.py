"""Cron expressions in a time zone. Pure: the time is passed in, never looked up.

On the two nights when clocks change, the rules of Debian's cron hold. A run at a set time that
falls into the hour skipped in spring happens right after it; one that falls into the repeated hour
in autumn happens once, the first time. Runs every few minutes continue through both.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime
from zoneinfo import ZoneInfo

from cronsim import CronSim, CronSimError

LEAP_YEAR = datetime(2024, 1, 1, tzinfo=UTC)
"""The start of the search for a first run, fixed so that the result doesn't depend on the clock."""


def checked(cron: str) -> str:
    """Return an expression of five fields that fires some day; raises `ValueError`."""
    if len(cron.split()) != 5:
        raise ValueError(
            "must have five fields: minute, hour, day of the month, month, day of the week"
        )
    try:
        fires = any(True for _ in CronSim(cron, LEAP_YEAR))
    except CronSimError as error:
        field = str(error).removeprefix("Bad ")
        fires = field != "day-of-month" or not _well_formed(cron)
        if fires:
            raise ValueError(f"must be a cron expression; its {field} is wrong") from None
    if not fires:
        raise ValueError("must come some day; no month that it names has such a day")
    return cron


def runs_after(cron: str, zone: str, moment: datetime) -> Iterator[datetime]:
    """Yield the times after a moment at which an expression fires, in order and in UTC.

    `zone` is the name of the expression's time zone.
    """
    for run in CronSim(cron, moment.astimezone(ZoneInfo(zone))):
        # A search that begins in the second pass of autumn's repeated hour first finds times of the
        # first pass, which are over.
        if run.astimezone(UTC) > moment:
            yield run.astimezone(UTC)


def _well_formed(cron: str) -> bool:
    """Return whether an expression is valid apart from the lengths of its months."""
    minute, hour, day, _, weekday = cron.split()
    try:
        CronSim(f"{minute} {hour} {day} * {weekday}", LEAP_YEAR)
    except CronSimError:
        return False
    return True
