"""One name, one contest: a tournament's ratings go on from season to season, so its rules must."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from common.errors import UserError
from leaderboard.statistics.same_contest import changes
from leaderboard.storage.entries import Season
from leaderboard.storage.store import Store
from tournament.settings import Settings


class AnotherContest(UserError):
    """A tournament's file describes another contest than its last season; the message says how."""


def demand_continuity(settings: Settings[Any], seasons: Sequence[Season]) -> None:
    """Raise `AnotherContest` if ratings can't go on from the last of these seasons."""
    if not seasons:
        return
    last = seasons[-1]
    found = changes(last.settings, settings.freeze())
    if found:
        raise AnotherContest(
            f"{settings.name}: since season {last.number} {'; '.join(map(str, found))}. Ratings of"
            " the two can't be compared, so give the tournament another name, or put back what"
            " was changed"
        )


def demand_all(store: Store, tournaments: Sequence[Settings[Any]]) -> None:
    """Check every tournament that is not in the middle of a season, before anything is played.

    An interrupted season is finished first, by the settings that it began with.
    """
    for settings in tournaments:
        seasons = store.seasons(settings.name)
        if all(season.finished is not None for season in seasons):
            demand_continuity(settings, seasons)
