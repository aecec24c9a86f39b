"""The certainty of a season's order, from its stored matches."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from collections.abc import Set as AbstractSet
from typing import Any

from sqlalchemy import select
from sqlalchemy.orm import Session

from leaderboard.results import Result, among
from leaderboard.statistics.certainty import Certainty, certainty
from leaderboard.statistics.clusters import clusters_of_legs, clusters_of_matches
from leaderboard.statistics.lead_fit import LeadTally
from leaderboard.statistics.pairing import by_results
from leaderboard.statistics.same_contest import same_table
from leaderboard.statistics.shrinkage import shrunk
from leaderboard.storage import rating_cache
from leaderboard.storage.models import SeasonRow, TournamentRow
from leaderboard.storage.store import Store
from leaderboard.views.of_seasons import SeasonFacts
from leaderboard.views.of_standings import SeasonTable


def season_certainty(store: Store, table: SeasonTable) -> Certainty | None:
    """The certainty of the order of these standings.

    None if nothing can be said: while nobody has points, or if the points are neither strengths
    fitted to leads nor means over the season's legs or matches, because an interval of those would
    then say nothing about them.
    """
    season = table.season
    playing = [line.version_id for line in table.standings if not line.sits_out]
    points = {line.version_id: line.points for line in table.standings if line.points is not None}
    if not points:
        return None
    with store.database.reading() as session:
        results = rating_cache.published(session, season.id, rated=season.rated)
        if any(result.purses for result in results):
            legs = clusters_of_legs(results, playing, season.settings)
            return _if_of(points, certainty(legs, staked=True))
        fitted = _if_of(points, LeadTally(results).fit())
        settings = [season.settings]
        if fitted is None and len(season.seasons) > 1:
            before, earlier = _earlier(session, season, {*playing})
            settings += before
            fitted = _if_of(points, LeadTally([*earlier, *results]).fit())
        if fitted is not None:
            return shrunk(fitted) if any(map(by_results, settings)) else fitted
        games = {result.key: result.games for result in results}
        return _if_of(points, certainty(clusters_of_matches(results, games)))


def _if_of(points: Mapping[int, float], found: Certainty) -> Certainty | None:
    """What was found if it is about these points."""
    same = all(
        version in found.values and abs(found.values[version] - value) <= 1e-6 * max(1, abs(value))
        for version, value in points.items()
    )
    return found if same and len(found.values) == len(points) else None


def _earlier(
    session: Session, season: SeasonFacts, playing: AbstractSet[int]
) -> tuple[Sequence[Mapping[str, Any]], Sequence[Result]]:
    """The earlier seasons at the same table: settings, and matches between these versions.

    Sides with other versions are left out of the matches.
    """
    rows = session.scalars(
        select(SeasonRow)
        .join(TournamentRow)
        .where(TournamentRow.name == season.tournament, SeasonRow.number < season.number)
        .order_by(SeasonRow.number)
    ).all()
    alike = [row for row in rows if same_table(row.contest, season.contest)]
    found = [
        among(result, playing) for row in alike for result in rating_cache.results(session, row.id)
    ]
    return [row.settings for row in alike], [result for result in found if result is not None]
