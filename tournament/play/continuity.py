"""One name, one contest: a tournament's ratings go on from season to season, so its rules must."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from common.errors import UserError
from leaderboard.statistics.same_contest import changes
from leaderboard.storage.entries import Season
from leaderboard.storage.store import Store
from tables.registry import GAMES
from tournament.settings import Settings


class AnotherContest(UserError):
    """A tournament's file describes another contest than its last season; the message says how."""


def demand_continuity(settings: Settings[Any], seasons: Sequence[Season]) -> None:
    """Raise `AnotherContest` if ratings can't go on from the last of these seasons.

    New rules of the same game come with a new arena, and are nobody's doing here: with these,
    ratings begin anew.
    """
    if not seasons:
        return
    last = seasons[-1]
    found = changes(last.contest, settings.freeze().contest(last.rules))
    if found:
        raise AnotherContest(
            f"{settings.name}: since season {last.number} {'; '.join(map(str, found))}. Ratings of"
            " the two can't be compared, so give the tournament another name, or put back what"
            " was changed"
        )


def demand_same_rules(season: Season) -> None:
    """Raise `AnotherContest` if a season that is to be played on began with other rules."""
    game = season.settings.game
    now = GAMES[game].version
    if season.rules != now:
        raise AnotherContest(
            f"{season.tournament}: season {season.number} began with version {season.rules} of the"
            f" rules of {game}, and this arena plays version {now}. Finish it with the arena that"
            " began it, or give the tournament another name"
        )


def demand_all(store: Store, tournaments: Sequence[Settings[Any]]) -> None:
    """Check every tournament that is not in the middle of a season, before anything is played.

    An interrupted season is finished first, by the settings that it began with.
    """
    for settings in tournaments:
        seasons = store.seasons(settings.name)
        if all(season.finished is not None for season in seasons):
            demand_continuity(settings, seasons)
