"""When a tournament is due: cron expressions in a time zone. Pure: the time is told, never asked.

Cron's own rules for the two odd nights hold, as Debian's cron has them. A run at a set time that
falls into the hour that is skipped in spring happens right after it; one that falls into the hour
that comes twice in autumn happens once, the first time. A run every few minutes goes on through
both.
"""

from __future__ import annotations

import difflib
from collections.abc import Iterator
from datetime import UTC, datetime
from itertools import takewhile
from typing import Literal
from zoneinfo import ZoneInfo, available_timezones

from cronsim import CronSim, CronSimError
from pydantic import BaseModel, ConfigDict, field_validator

LEAP_YEAR = datetime(2024, 1, 1, tzinfo=UTC)
"""Where the search for a first run begins, so that whether one is found depends on no clock."""


class Schedule(BaseModel):
    """When a tournament is played.

    `cron` has five fields: minute, hour, day of the month, month, day of the week. `zone` is the
    time zone that they are meant in. `missed` says what becomes of due times that passed: one
    season for all of them (`run_once`), one for each (`run_all`), or none for those at which
    nobody was there to play (`skip`).
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    cron: str
    zone: str = "UTC"
    missed: Literal["run_once", "skip", "run_all"] = "run_once"

    @field_validator("cron")
    @classmethod
    def _fires(cls, cron: str) -> str:
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

    @field_validator("zone")
    @classmethod
    def _known(cls, zone: str) -> str:
        zones = available_timezones()
        if zone not in zones:
            city = zone.rpartition("/")[2].lower()
            near = [known for known in sorted(zones) if known.lower().endswith(f"/{city}")]
            if "/" in zone:  # CEST looks like EST, which is something else
                near += difflib.get_close_matches(zone, sorted(zones), 1)
            hint = f"; did you mean {near[0]}?" if near else " such as Asia/Yerevan"
            raise ValueError(f"must be the name of a time zone{hint}")
        return zone

    def runs_after(self, moment: datetime) -> Iterator[datetime]:
        """Give the due times after a moment, in order and in UTC."""
        for run in CronSim(self.cron, moment.astimezone(ZoneInfo(self.zone))):
            # A search that begins in the second pass of autumn's double hour first finds
            # times of the first pass, which are over.
            if run.astimezone(UTC) > moment:
                yield run.astimezone(UTC)

    def due(self, since: datetime, now: datetime, watching: datetime) -> tuple[datetime, ...]:
        """Name the due times that want a season now, in order and in UTC.

        `since` is the due time of the latest season, or the moment from which a tournament that
        was never played counts; `watching` the moment from which somebody has been there to play.
        Due times that passed during another season were watched, so they are never skipped.
        """
        start = max(since, watching) if self.missed == "skip" else since
        passed = tuple(takewhile(lambda run: run <= now, self.runs_after(start)))
        return passed if self.missed == "run_all" else passed[-1:]

    def next_run(self, moment: datetime) -> datetime:
        """Give the first due time after a moment, in UTC."""
        return next(self.runs_after(moment))


def _well_formed(cron: str) -> bool:
    """Say whether an expression would do if its months were long enough."""
    minute, hour, day, _, weekday = cron.split()
    try:
        CronSim(f"{minute} {hour} {day} * {weekday}", LEAP_YEAR)
    except CronSimError:
        return False
    return True
