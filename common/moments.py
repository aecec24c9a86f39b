"""Moments in time: reads them from text and writes them for people.

A moment without a time zone is refused.
"""

from __future__ import annotations

import re
from datetime import UTC, datetime
from zoneinfo import ZoneInfo, available_timezones

from card_arena.common.text import did_you_mean, nearest

FIRST_YEAR, LAST_YEAR = 1970, 9000

EXPECTED = "must be a time such as 2026-11-27T20:00 or 2026-11-27T20:00+01:00"


_ISO = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{6})?\+00:00")


class NaiveMoment(ValueError):
    """A moment has no time zone, so it is undefined."""

    def __init__(self, moment: datetime) -> None:
        super().__init__(f"{moment!r} has no time zone")


def in_utc(moment: datetime) -> datetime:
    """Return a moment in UTC; raises `NaiveMoment`."""
    if moment.utcoffset() is None:
        raise NaiveMoment(moment)
    return moment.astimezone(UTC)


def known_zone(zone: str) -> str:
    """Return the name of a time zone; raises `ValueError` for one that doesn't exist."""
    zones = available_timezones()
    if zone in zones:
        return zone
    city = zone.rpartition("/")[2].lower()
    near = [name for name in sorted(zones) if name.lower().endswith(f"/{city}")]
    if "/" in zone:  # CEST looks like EST, which is something else
        near += nearest(zone, sorted(zones))
    hint = f"; {did_you_mean(near[:1])}" if near else " such as Asia/Yerevan"
    raise ValueError(f"must be the name of a time zone{hint}")


def written(moment: datetime, zone: str = "UTC", *, exact: bool = False) -> str:
    """Write a moment in a zone's time and in UTC, for people.

    "Fri 27 Nov 2026, 20:00 Asia/Yerevan (16:00 UTC)". It is written to the minute; an `exact` one,
    such as a deadline, has its seconds as well, unless they are 0. Raises `NaiveMoment`.
    """
    local, utc = written_apart(moment, zone, exact=exact)
    return f"{local} ({utc})" if utc else local


def written_apart(moment: datetime, zone: str = "UTC", *, exact: bool = False) -> tuple[str, str]:
    """Write a moment in a zone's time, and in UTC; the latter is empty where it is the same.

    Raises `NaiveMoment`.
    """
    utc = in_utc(moment)
    local = utc.astimezone(ZoneInfo(zone))
    clock = "%H:%M:%S" if exact and utc.second else "%H:%M"
    first = f"{local:%a %-d %b %Y, {clock}} {zone}"
    if zone == "UTC":
        return first, ""
    day = "" if local.date() == utc.date() else f"{utc:%a %-d %b}, "
    return first, f"{day}{utc:{clock}} UTC"


def day(moment: datetime, zone: str = "UTC") -> str:
    """Write the day of a moment, with the zone whose day it is: "2026-11-27 UTC"."""
    return f"{in_utc(moment).astimezone(ZoneInfo(zone)):%Y-%m-%d} {zone}"


def time_left(moment: datetime, now: datetime) -> str:
    """Say how long it is from now to a moment: "in 3 h 12 min", or "3 h 12 min ago".

    It is rounded down, so that it never promises too much. Raises `NaiveMoment`.
    """
    seconds = int((in_utc(moment) - in_utc(now)).total_seconds())
    past, seconds = seconds < 0, abs(seconds)
    days, rest = divmod(seconds, 24 * 60 * 60)
    hours, rest = divmod(rest, 60 * 60)
    minutes = rest // 60
    units = [(days, "d"), (hours, "h"), (minutes, "min")]
    parts = [f"{count} {unit}" for count, unit in units if count][:2]
    text = " ".join(parts) or "less than a minute"
    return f"{text} ago" if past else f"in {text}"


def local_field(moment: datetime | None, zone: str) -> str:
    """Write a moment as a browser's field for a local time takes it; nothing for None."""
    if moment is None:
        return ""
    return f"{in_utc(moment).astimezone(ZoneInfo(zone)):%Y-%m-%dT%H:%M:%S}"


def read(text: str, zone: str = "UTC") -> datetime:
    """Read a moment that somebody typed, in a zone's time unless it names an offset.

    Returns it in UTC, to the second. Raises `ValueError` for a text that is none, and for a local
    time that a change of clocks skips or repeats.
    """
    try:
        moment = datetime.fromisoformat(text.strip())
    except ValueError:
        raise ValueError(EXPECTED) from None
    sound(moment)
    if moment.tzinfo is None:
        moment = _local(moment, zone)
    return in_utc(moment).replace(microsecond=0)


def sound(moment: datetime) -> datetime:
    """Return a moment; raises `ValueError` for one that is too far off to be reckoned with."""
    if not FIRST_YEAR <= moment.year <= LAST_YEAR:
        raise ValueError(f"must be in a year from {FIRST_YEAR} to {LAST_YEAR}")
    return moment


def _local(naive: datetime, zone: str) -> datetime:
    """Return the moment at which a zone's clocks show this; raises `ValueError`."""
    first, second = (naive.replace(tzinfo=ZoneInfo(zone), fold=fold) for fold in (0, 1))
    if first.utcoffset() == second.utcoffset():
        return first
    if first.astimezone(UTC).astimezone(ZoneInfo(zone)).replace(tzinfo=None) != naive:
        raise ValueError(
            f"must be a time that clocks show: {naive:%Y-%m-%d %H:%M} is skipped in {zone}, where"
            " they are put forward"
        )
    raise ValueError(
        f"must say which of two: clocks in {zone} show {naive:%Y-%m-%d %H:%M} twice;"
        f" write {first.isoformat()} or {second.isoformat()} in a command or to the API, or choose"
        " a time outside of that hour"
    )


def from_iso(text: str) -> datetime:
    """Read a moment that a program wrote, offset included; raises `ValueError`."""
    moment = datetime.fromisoformat(text)
    if moment.tzinfo is None:
        raise NaiveMoment(moment)
    return moment


def log_value(value: object, zone: str = "UTC") -> str:
    """Write a value of a log for people: a moment that `to_iso` wrote as `written` writes it."""
    if isinstance(value, str) and _ISO.fullmatch(value):
        return written(from_iso(value), zone, exact=True)
    return str(value)


def to_iso(moment: datetime) -> str:
    """Write a moment for programs, in ISO 8601 and in UTC; raises `NaiveMoment`."""
    return in_utc(moment).isoformat()
