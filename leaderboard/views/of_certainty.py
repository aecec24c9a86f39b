"""What a season's stored matches say about its standings: how sure they are, and luck aside."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field

from sqlalchemy import select
from sqlalchemy.orm import Session

from leaderboard.results import MEAN_LEAD, Result, among
from leaderboard.statistics.bounded import with_unseen
from leaderboard.statistics.certainty import Certainty, certainty
from leaderboard.statistics.clusters import clusters_of_legs, clusters_of_matches
from leaderboard.statistics.intervals import Estimate
from leaderboard.statistics.lead_fit import MANY, LeadTally
from leaderboard.statistics.luck import leads_less_luck, leads_of
from leaderboard.statistics.same_contest import same_table
from leaderboard.statistics.shrinkage import shrunk
from leaderboard.storage import rating_cache
from leaderboard.storage.counting import STANDING
from leaderboard.storage.models import EntrantRow, SeasonRow, TournamentRow
from leaderboard.storage.store import Store
from leaderboard.views.of_seasons import SeasonFacts
from leaderboard.views.of_standings import SeasonTable


@dataclass(frozen=True, slots=True)
class Figures:
    """What can be said of a season's points.

    `points` is how sure they are. It is None if nothing can be said: while nobody has points, or if
    the points are neither strengths fitted to leads nor means over the season's legs or matches,
    because an interval of those would then say nothing about them. `less_luck` is every version's
    lead without the luck with the cards (ratings n.2). It is empty where no luck is known, where
    the turns of the seats make up for all of it, and where chips are carried on, as leads say
    little there. `by_rating` says that the standings go by ratings. With `too_many` versions
    nothing is worked out.
    """

    points: Certainty | None = None
    less_luck: Mapping[int, Estimate] = field(default_factory=dict)
    by_rating: bool = False
    too_many: bool = False

    @property
    def sure(self) -> Certainty | None:
        """How sure the order of the standings is; None where it is not the order of the points."""
        return None if self.by_rating else self.points


def season_figures(store: Store, table: SeasonTable) -> Figures:
    """What the stored matches say about these standings."""
    season = table.season
    playing = {line.version_id for line in table.standings if not line.sits_out}
    if len(playing) > MANY:
        return Figures(by_rating=season.by_rating, too_many=True)
    points = {line.version_id: line.points for line in table.standings if line.points is not None}
    with store.database.reading() as session:
        if season.carries:
            legs = certainty(clusters_of_legs(_finals(session, season)), staked=True)
            about = _about(points, legs.values)
            return Figures(points=legs if about else None, by_rating=season.by_rating)
        results = rating_cache.published(session, season.id, rated=season.rated)
        boards = _boards_behind(session, season, points, results, playing)
    less_luck = _less_luck(season, results, boards)
    return Figures(
        points=_certainty(season, points, results, boards),
        less_luck={} if _about(points, _values(less_luck)) else less_luck,
        by_rating=season.by_rating,
    )


@dataclass(frozen=True, slots=True)
class _Boards:
    """The matches to whose boards leads are fitted.

    `pairs_by_results` says that one of their seasons paired bots by how they had done so far.
    `widest` is how far apart two scores of a game can be, if the game says so.
    """

    matches: Sequence[Result]
    pairs_by_results: bool
    widest: float | None = None

    def fit(self, *, less_luck: bool = False) -> Certainty:
        """The strengths, with intervals that hold however the pairs were made."""
        fit: Certainty = LeadTally(self.matches, less_luck=less_luck).fit()
        if not less_luck:
            fit = with_unseen(fit, self.widest)
        return shrunk(fit) if self.pairs_by_results else fit


def _certainty(
    season: SeasonFacts,
    points: Mapping[int, float],
    results: Sequence[Result],
    boards: _Boards | None,
) -> Certainty | None:
    """How sure points are that are fitted to these boards, or else means."""
    if boards is not None:
        return boards.fit()
    games = {result.key: result.games for result in results}
    means = certainty(clusters_of_matches(results, games))
    if not _about(points, means.values):
        return None
    led = season.points_title == MEAN_LEAD
    return with_unseen(means, season.settings.widest_lead if led else None)


def _less_luck(
    season: SeasonFacts, results: Sequence[Result], boards: _Boards | None
) -> Mapping[int, Estimate]:
    """Leads without luck: as the points are, fitted to the same boards or a mean.

    If the points are no leads, such as wins or stages, they are fitted to the season's boards: who
    went further met stronger bots, which a mean would hold against it.
    """
    facts = season.settings.facts
    if not facts.luck_helps:
        return {}
    if boards is None and season.points_title == MEAN_LEAD:
        return leads_less_luck(results)
    boards = boards or _Boards(results, facts.pairs_by_results)
    if not any(result.luck for result in boards.matches):
        return {}
    return leads_of(boards.fit(less_luck=True))


def _values(found: Mapping[int, Estimate]) -> Mapping[int, float]:
    return {version: estimate.value for version, estimate in found.items()}


def _about(points: Mapping[int, float], values: Mapping[int, float]) -> bool:
    """Whether there are points, and these values are the same."""
    return (
        bool(points)
        and points.keys() == values.keys()
        and all(
            abs(values[version] - value) <= 1e-6 * max(1, abs(value))
            for version, value in points.items()
        )
    )


def _boards_behind(
    session: Session,
    season: SeasonFacts,
    points: Mapping[int, float],
    results: Sequence[Result],
    playing: AbstractSet[int],
) -> _Boards | None:
    """The matches to whose boards these points are fitted; None if they are not fitted.

    Some formats count only this season's. Others count earlier ones too, of which some keep what
    versions that play now did at a table with others, and some leave such a table out.
    """
    facts = season.settings.facts
    if _about(points, LeadTally(results).strengths()):
        return _Boards(results, facts.pairs_by_results, facts.widest)
    first = not points or len(season.seasons) == 1
    earlier, paired = ((), False) if first else _earlier(session, season)
    parts = [part for each in earlier if (part := among(each, playing)) is not None]
    whole = [each for each in earlier if playing >= {*each.versions}]
    for before in (parts, whole):
        if before and _about(points, LeadTally([*before, *results]).strengths()):
            paired = paired or facts.pairs_by_results
            return _Boards([*before, *results], paired, facts.widest)
    return None


def _earlier(session: Session, season: SeasonFacts) -> tuple[Sequence[Result], bool]:
    """The matches of earlier seasons at the same table, and whether one was paired by results."""
    rows = session.scalars(
        select(SeasonRow)
        .join(TournamentRow)
        .where(TournamentRow.name == season.tournament, SeasonRow.number < season.number, STANDING)
        .order_by(SeasonRow.number)
    ).all()
    alike = [row for row in rows if same_table(row.contest, season.contest)]
    found = [result for row in alike for result in rating_cache.results(session, row.id)]
    return found, any(row.settings.facts.pairs_by_results for row in alike)


def _finals(session: Session, season: SeasonFacts) -> Mapping[int, Sequence[tuple[int, int]]]:
    """What every version held at the end of each leg that counts for it, by the leg's number."""
    rows = session.execute(
        select(EntrantRow.version_id, EntrantRow.legs).where(EntrantRow.season_id == season.id)
    )
    return {row.version_id: [(leg, chips) for leg, chips in row.legs] for row in rows}
