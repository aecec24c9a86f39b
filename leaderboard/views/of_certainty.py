"""The certainty of a season's order, from its stored matches."""

from __future__ import annotations

from sqlalchemy import func, select

from leaderboard.statistics.certainty import Certainty, certainty
from leaderboard.statistics.clusters import clusters_of_legs, clusters_of_matches
from leaderboard.storage import rating_cache
from leaderboard.storage.models import MatchRow, RecordRow
from leaderboard.storage.store import Store
from leaderboard.views.of_standings import SeasonTable


def season_certainty(store: Store, table: SeasonTable) -> Certainty | None:
    """The certainty of the order of these standings.

    None if nothing can be said: while nobody has points, or if the points are not means over the
    season's legs or matches, because an interval of the means would then say nothing about them.
    """
    season = table.season
    playing = [line.version_id for line in table.standings if not line.sits_out]
    points = {line.version_id: line.points for line in table.standings if line.points is not None}
    if not points:
        return None
    with store.database.reading() as session:
        results = rating_cache.published(session, season.id, rated=season.rated)
        counted = session.execute(
            select(MatchRow.key, func.count())
            .join(RecordRow, RecordRow.match_id == MatchRow.id)
            .where(MatchRow.season_id == season.id)
            .group_by(MatchRow.key)
        )
        games = {key: count for key, count in counted}  # noqa: C416 - rows are no pairs to mypy
    carried = any(result.purses for result in results)
    found = certainty(
        clusters_of_legs(results, playing, season.settings)
        if carried
        else clusters_of_matches(results, games),
        staked=carried,
    )
    means = all(
        version in found.values and abs(found.values[version] - value) <= 1e-6 * max(1, abs(value))
        for version, value in points.items()
    )
    return found if means and len(found.values) == len(points) else None
