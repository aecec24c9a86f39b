"""When a tournament is due. Pure: the time is passed in, never looked up."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime
from itertools import takewhile
from typing import Annotated, Final, Literal

from pydantic import BaseModel, ConfigDict, Discriminator, Tag, field_validator

from common.cron import checked, runs_after
from common.moments import known_zone

ALWAYS: Final = "always"
"""The schedule of a tournament whose next season is due as soon as the one before is finished."""


NEW_BOTS: Final = "new bots"
"""The schedule of a tournament whose next season is due as soon as somebody new would play."""


class Schedule(BaseModel):
    """When a tournament is played.

    `cron` has five fields: minute, hour, day of the month, month, day of the week. `zone` is their
    time zone. `missed` says what happens to due times that passed: one season for all of them
    (`run_once`), one for each (`run_all`), or none for those that passed while nothing was running
    (`skip`).
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    cron: str
    zone: str = "UTC"
    missed: Literal["run_once", "skip", "run_all"] = "run_once"

    @field_validator("cron")
    @classmethod
    def _fires(cls, cron: str) -> str:
        return checked(cron)

    @field_validator("zone")
    @classmethod
    def _known(cls, zone: str) -> str:
        return known_zone(zone)

    def runs_after(self, moment: datetime) -> Iterator[datetime]:
        """Yield the due times after a moment, in order and in UTC."""
        return runs_after(self.cron, self.zone, moment)

    def due(self, since: datetime, now: datetime, watching: datetime) -> tuple[datetime, ...]:
        """Return the due times that call for a season now, in order and in UTC.

        `since` is the due time of the latest season, or, for a tournament that was never played,
        the moment from which its due times count; `watching` is the moment since which the arena
        has been running. Due times that passed during another season were watched, so they are
        never skipped.
        """
        start = max(since, watching) if self.missed == "skip" else since
        passed = tuple(takewhile(lambda run: run <= now, self.runs_after(start)))
        return passed if self.missed == "run_all" else passed[-1:]

    def next_run(self, moment: datetime) -> datetime:
        """Return the first due time after a moment, in UTC."""
        return next(self.runs_after(moment))


def _kind(value: object) -> str | None:
    if value is None:
        return "once"
    if isinstance(value, str):
        return value if value in (ALWAYS, NEW_BOTS) else None
    return "calendar"


When = Annotated[
    Annotated[None, Tag("once")]
    | Annotated[Literal["always"], Tag("always")]
    | Annotated[Literal["new bots"], Tag("new bots")]
    | Annotated[Schedule, Tag("calendar")],
    Discriminator(
        _kind,
        custom_error_type="schedule",
        custom_error_message=(
            "must be always or new bots, or have a calendar, such as {cron: 0 20 * * FRI}"
        ),
    ),
]
"""When seasons are due: on a calendar, always, when bots are new, or once only (None)."""
