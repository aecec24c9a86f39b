"""When a tournament comes again, as far as its newest season's settings tell."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any
from zoneinfo import ZoneInfo

from cronsim import CronSim


def next_run(settings: Mapping[str, Any], now: datetime) -> datetime | None:
    """The next due time after `now`, in UTC; None for a tournament without a schedule."""
    schedule = settings.get("schedule")
    if not schedule:
        return None
    runs = CronSim(schedule["cron"], now.astimezone(ZoneInfo(schedule.get("zone", "UTC"))))
    # In the second pass of autumn's double hour the search begins with times that are over.
    return next((run.astimezone(UTC) for run in runs if run > now), None)
