"""The start of a tournament's next season, as far as its settings give it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from common.cron import runs_after
from common.moments import written
from leaderboard.season_settings import SeasonSettings
from leaderboard.views.of_plans import Announcement
from leaderboard.views.of_tournaments import TournamentLine

AS_SOON_AS_POSSIBLE = "as soon as the season before is finished"
AS_SOON_AS_WANTED = "as soon as a bot is new"

AS_SOON_AS_THERE_ARE_BOTS = "as soon as enough bots are entered"

WITHOUT_DATE = {"always": AS_SOON_AS_POSSIBLE, "new bots": AS_SOON_AS_WANTED}
"""When a season begins after another one, for schedules that are no calendar."""


@dataclass(frozen=True, slots=True)
class Upcoming:
    """The next season of a tournament: it starts at `moment`, shown in the schedule's `zone`.

    That is the deadline for entries as well. `moment` is None if there is no such date: for a
    season that `follows` another one, or new bots, without a calendar, which says when in words,
    and for first seasons without any schedule, which start when their organiser says so.
    """

    name: str
    game: str
    settings: SeasonSettings
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
    announced: Sequence[Announcement], played: Iterable[TournamentLine], now: datetime
) -> Sequence[Upcoming]:
    """The next season of every tournament that has one, the earliest first.

    Announced settings take precedence over those of the newest season, which are used only where
    nothing is announced at all, as in a store of an older arena.
    """
    described = (
        [(each.name, each.game, each.settings, not each.seasons) for each in announced]
        if announced
        else [(line.name, line.game, line.settings, False) for line in played]
    )
    found = []
    for name, game, settings, first in described:
        moment = next_run(settings, now)
        follows = without_date(settings.schedule, first=first)
        if moment or follows or first:
            found.append(Upcoming(name, game, settings, moment, zone_of(settings), follows))
    return sorted(found, key=lambda each: (each.moment or now, each.name))
