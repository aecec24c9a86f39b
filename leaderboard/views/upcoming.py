"""The start of a tournament's next season, as far as its settings give it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from common.cron import runs_after
from common.moments import written
from leaderboard.season_settings import SeasonSettings
from leaderboard.views.of_plans import Announcement

AS_SOON_AS_POSSIBLE = "as soon as the season before is finished"
AS_SOON_AS_WANTED = "as soon as a bot is new"

AS_SOON_AS_THERE_ARE_BOTS = "as soon as enough bots are entered"

WITHOUT_DATE = {"always": AS_SOON_AS_POSSIBLE, "new bots": AS_SOON_AS_WANTED}
"""When a season begins after another one, for schedules that are no calendar."""


@dataclass(frozen=True, slots=True)
class Upcoming:
    """When a tournament's next season starts: at `moment`, shown in the schedule's `zone`.

    That is the deadline for entries as well. `moment` is None if there is no such date: for a
    season that `follows` another one, or new bots, without a calendar, which says when in words,
    and for first seasons without any schedule, which start when their organiser says so.
    """

    moment: datetime | None
    zone: str
    follows: str = ""

    @property
    def start(self) -> str:
        """When it starts, in words, if it has no date."""
        return self.follows or "when its organiser starts it"


def next_run(settings: SeasonSettings, now: datetime) -> datetime | None:
    """The next due time after `now`, in UTC; None for a tournament without a calendar."""
    schedule = settings.schedule
    if not isinstance(schedule, Mapping):
        return None
    return next(runs_after(schedule["cron"], zone_of(settings), now), None)


def zone_of(settings: SeasonSettings) -> str:
    """The name of a schedule's time zone."""
    schedule = settings.schedule
    return str(schedule.get("zone", "UTC")) if isinstance(schedule, Mapping) else "UTC"


def moment_in(moment: datetime, zone: str) -> str:
    """Write a moment in the local time of a schedule's zone, and in UTC."""
    return written(moment, zone)


def without_date(schedule: object, *, first: bool) -> str:
    """When a season begins by a schedule that is no calendar, in words; empty without any.

    The first one waits for nothing but its players.
    """
    if not isinstance(schedule, str):
        return ""
    return AS_SOON_AS_THERE_ARE_BOTS if first else WITHOUT_DATE[schedule]


def upcoming(
    announced: Iterable[Announcement], now: datetime
) -> Sequence[tuple[Announcement, Upcoming]]:
    """The announced tournaments that have a next season, the earliest first."""
    found = [
        (each, start)
        for each in announced
        if (start := next_start(each.settings, now, first=not each.seasons)) is not None
    ]
    return sorted(found, key=lambda pair: (pair[1].moment or now, pair[0].name))


def next_start(settings: SeasonSettings, now: datetime, *, first: bool) -> Upcoming | None:
    """When a tournament's next season starts; None if the tournament is played once, and was."""
    moment = next_run(settings, now)
    follows = without_date(settings.schedule, first=first)
    if not (moment or follows or first):
        return None
    return Upcoming(moment, zone_of(settings), follows)
