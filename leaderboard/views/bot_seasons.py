"""The seasons that a bot is entered in."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import select
from sqlalchemy.orm import Session

from leaderboard.statistics.ratings import Rating
from leaderboard.storage.models import EntrantRow, SeasonRow, TournamentRow
from leaderboard.storage.rating_cache import rating_of


@dataclass(frozen=True, slots=True)
class BotSeason:
    """A season that one of the bot's versions is entered in.

    `rank` is by the season's standings, 1 the best. `rating` is the rating after its last match of
    the season, None if the season is not `rated`.
    """

    tournament: str
    season: int
    rated: bool
    finished: datetime | None
    version: int
    points_title: str
    points: float | None
    rank: int | None
    rating: Rating | None
    sits_out: str


def bot_seasons(session: Session, numbers: Mapping[int, int]) -> Iterator[BotSeason]:
    """The seasons, newest first; `numbers` are the bot's versions by their ids."""
    rows = session.execute(
        select(EntrantRow, SeasonRow, TournamentRow.name)
        .join(SeasonRow, SeasonRow.id == EntrantRow.season_id)
        .join(TournamentRow, TournamentRow.id == SeasonRow.tournament_id)
        .where(EntrantRow.version_id.in_(numbers))
        .order_by(SeasonRow.id.desc(), EntrantRow.place)
    )
    for entrant, season, tournament in rows:
        yield BotSeason(
            tournament=tournament,
            season=season.number,
            rated=season.rated,
            finished=season.finished,
            version=numbers[entrant.version_id],
            points_title=season.settings.facts.points_title,
            points=entrant.points,
            rank=entrant.rank,
            rating=rating_of(entrant),
            sits_out=entrant.sits_out,
        )
