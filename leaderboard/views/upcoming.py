"""The start of a tournament's next season, as far as its settings give it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from zoneinfo import ZoneInfo

from common.cron import runs_after
from leaderboard.views.of_plans import Announcement
from leaderboard.views.of_tournaments import TournamentLine


@dataclass(frozen=True, slots=True)
class Upcoming:
    """The next season of a tournament: it starts at `moment`, shown in the schedule's `zone`.

    That is the deadline for entries as well. `moment` is None for a tournament without a schedule
    that was never played: it starts when its organiser says so.
    """

    name: str
    game: str
    settings: Mapping[str, Any]
    moment: datetime | None
    zone: str


def next_run(settings: Mapping[str, Any], now: datetime) -> datetime | None:
    """The next due time after `now`, in UTC; None for a tournament without a schedule."""
    schedule = settings.get("schedule")
    if not schedule:
        return None
    return next(runs_after(schedule["cron"], zone_of(settings), now), None)


def zone_of(settings: Mapping[str, Any]) -> str:
    """The name of a schedule's time zone."""
    return str((settings.get("schedule") or {}).get("zone", "UTC"))


def moment_in(moment: datetime, zone: str) -> str:
    """Write a moment in the local time of a zone: "Fri 27 Nov 2026, 20:00 Asia/Yerevan"."""
    return f"{moment.astimezone(ZoneInfo(zone)):%a %-d %b %Y, %H:%M} {zone}"


def upcoming(
    announced: Sequence[Announcement], played: Iterable[TournamentLine], now: datetime
) -> Sequence[Upcoming]:
    """The next season of every tournament that has one, the earliest first.

    Announced settings take precedence over those of the newest season, which are used only where
    nothing is announced at all, as in a store of an older arena.
    """
    if announced:
        found = [
            Upcoming(each.name, each.game, each.settings, moment, zone_of(each.settings))
            for each in announced
            if (moment := next_run(each.settings, now)) or not each.seasons
        ]
    else:
        found = [
            Upcoming(line.name, line.game, line.settings, moment, zone_of(line.settings))
            for line in played
            if (moment := next_run(line.settings, now))
        ]
    return sorted(found, key=lambda each: (each.moment or now, each.name))
