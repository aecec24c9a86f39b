"""How fast running seasons are played, and how long what is left of them takes."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import datetime, timedelta

from sqlalchemy import select, union_all
from sqlalchemy.orm import Session

from leaderboard.statistics.pace import LATEST, Pace, pace
from leaderboard.storage.models import MatchRow
from leaderboard.storage.store import Store


def season_pace(store: Store, season_id: int) -> Pace | None:
    """The pace of a season's latest matches, None if there are too few."""
    with store.database.reading() as session:
        return paces(session, [season_id]).get(season_id)


def paces(session: Session, season_ids: Iterable[int]) -> Mapping[int, Pace]:
    """The pace of each of these seasons that has one."""
    latest = [
        select(MatchRow.season_id, MatchRow.stored)
        .where(MatchRow.season_id == season_id)
        .order_by(MatchRow.id.desc())
        .limit(LATEST + 1)
        .subquery()
        for season_id in season_ids
    ]
    if not latest:
        return {}
    query = union_all(*(select(each) for each in latest))
    stored: dict[int, list[datetime]] = {}
    for season_id, moment in session.execute(query):
        stored.setdefault(season_id, []).append(moment)
    found = {season_id: pace(sorted(moments)[::-1]) for season_id, moments in stored.items()}
    return {season_id: each for season_id, each in found.items() if each is not None}


def time_left(pace: Pace | None, to_come: int | None, *, at_most: bool) -> str:
    """Say how long the matches to come take: "about 2 h 10 min", or "at most 2 h 10 min".

    Empty if nobody can say.
    """
    if pace is None or not to_come:
        return ""
    time = spoken(pace.time_for(to_come))
    if time.startswith("less"):
        return time
    return f"{'at most' if at_most else 'about'} {time}"


def spoken(time: timedelta) -> str:
    """Write an estimate of a time, no more exactly than it can be known."""
    minutes = time.total_seconds() / 60
    if minutes < 1:
        return "less than a minute"
    if minutes < 99.5:
        return f"{minutes:.0f} min"
    tens = round(minutes / 10)
    if tens < 48 * 6:
        hours, tens = divmod(tens, 6)
        return f"{hours} h {10 * tens} min" if tens else f"{hours} h"
    return f"{minutes / 60 / 24:.0f} days"
