"""Cron expressions in a time zone. Pure: the time is told, never asked.

On the two odd nights cron's own rules hold, as Debian's cron has them. A run at a set time that
falls into the hour that is skipped in spring happens right after it; one that falls into the hour
that comes twice in autumn happens once, the first time. A run every few minutes goes on through
both.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime
from zoneinfo import ZoneInfo

from cronsim import CronSim, CronSimError

LEAP_YEAR = datetime(2024, 1, 1, tzinfo=UTC)
"""Where the search for a first run begins, so that whether one is found depends on no clock."""


def checked(cron: str) -> str:
    """Give back an expression of five fields that fires some day; raises `ValueError`."""
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
    """Give the times after a moment at which an expression fires, in order and in UTC.

    `zone` is the name of the time zone that the expression is meant in.
    """
    for run in CronSim(cron, moment.astimezone(ZoneInfo(zone))):
        # A search that begins in the second pass of autumn's double hour first finds
        # times of the first pass, which are over.
        if run.astimezone(UTC) > moment:
            yield run.astimezone(UTC)


def _well_formed(cron: str) -> bool:
    """Say whether an expression would do if its months were long enough."""
    minute, hour, day, _, weekday = cron.split()
    try:
        CronSim(f"{minute} {hour} {day} * {weekday}", LEAP_YEAR)
    except CronSimError:
        return False
    return True
