"""The standings of a season."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from sqlalchemy import select
from sqlalchemy.orm import Session

from card_arena.common.moments import to_iso
from card_arena.leaderboard.models import Figure, PageOnly, RatingShape, Shape, Text
from card_arena.leaderboard.seasons import Season, season_facts
from card_arena.ratings.certainty import Certainty, certainty
from card_arena.ratings.intervals import (
    Estimate,
    clusters_of_legs,
    clusters_of_matches,
    margins_less_luck,
)
from card_arena.ratings.margin_errors import with_unseen
from card_arena.ratings.margin_fit import MANY, MarginTally, groups
from card_arena.ratings.match_results import MEAN_LEAD, Result, among
from card_arena.ratings.same_contest import same_table
from card_arena.ratings.shrinkage import shrunk
from card_arena.ratings.trueskill_ratings import Rating
from card_arena.results import rating_cache
from card_arena.results.counts import STANDING, SUMS
from card_arena.results.models import BotRow, EntrantRow, SeasonRow, TournamentRow, VersionRow
from card_arena.results.rating_cache import rating, rating_of
from card_arena.results.store import Store
from card_arena.results.visibility import VisibilityPolicy, policy_of


class TieBreak(Shape):
    """A figure that orders bots with equal points."""

    title: Text
    """Its name."""
    value: float
    """The figure."""


class Standing(Shape):
    """One version's line in the standings."""

    version_id: PageOnly[int] = 0
    """The version's id in the store."""
    rank: int | None
    """Its place, 1 the best; null if it has none yet."""
    bot: Text
    """The bot's name."""
    version: int
    """The number of its version."""
    author: Text
    """Its author."""
    language: Text
    """Its language."""
    points: float | None
    """Its points in the season."""
    interval: Figure | None = None
    """The points with their 95 % interval; null where it is not computed."""
    best: int | None = None
    """The best place that it might have with other cards (95 %)."""
    worst: int | None = None
    """The worst place that it might have."""
    chance: float | None = None
    """The probability that it is truly the best of all, from 0 to 1."""
    less_luck: Figure | None = None
    """Its margin without the luck with the cards; null where luck is not measured."""
    tie_breaks: tuple[TieBreak, ...]
    """The tie-breaks, the most important first."""
    rating: RatingShape | None
    """Its rating; null without rated matches."""
    rating_rank: int | None
    """Its place by rating, 1 the best."""
    matches: int
    """How many matches it has played."""
    struck_out: int
    """In how many of them it was struck out."""
    hands: int
    """How many hands it was dealt."""
    decisions: int
    """How many questions it was asked."""
    faults: int
    """How many of its answers were faults."""
    forgiven: int
    """How many of these the tournament forgives: they count for nothing."""
    slowest: int
    """Its longest answer, in microseconds."""
    group: int | None
    """Ratings can be compared within a group; null before it has played."""
    sits_out: Text
    """The reason why it does not play; empty if it plays."""

    @property
    def tied(self) -> bool:
        """Whether it might have another place with other cards."""
        return self.best is not None and self.best != self.worst


@dataclass(frozen=True, slots=True)
class Span:
    """The times of a season, and the author and the rank of each entered bot, by its name.

    `references` names those that its format asked for beside its entrants.
    """

    id: int
    number: int
    started: datetime
    finished: datetime | None
    entrants: Mapping[str, tuple[str, int | None]]
    references: frozenset[str] = frozenset()


def spans(store: Store, tournament: str) -> Sequence[Span]:
    """The seasons of a tournament, the oldest first; none for an unknown one."""
    with store.database.reading() as session:
        rows = session.execute(
            select(
                SeasonRow.id,
                SeasonRow.number,
                SeasonRow.started,
                SeasonRow.finished,
                SeasonRow.settings,
            )
            .join(TournamentRow)
            .where(TournamentRow.name == tournament)
            .order_by(SeasonRow.number)
        ).all()
        entered: dict[int, dict[str, tuple[str, int | None]]] = {}
        for season_id, bot, author, rank in session.execute(
            select(EntrantRow.season_id, BotRow.name, BotRow.author, EntrantRow.rank)
            .join(VersionRow, VersionRow.id == EntrantRow.version_id)
            .join(BotRow, BotRow.id == VersionRow.bot_id)
            .where(EntrantRow.season_id.in_([row.id for row in rows]))
        ):
            entered.setdefault(season_id, {})[bot] = author, rank
    return [
        Span(
            id=row.id,
            number=row.number,
            started=row.started,
            finished=row.finished,
            entrants=entered.get(row.id, {}),
            references=frozenset(name.partition("@")[0] for name in row.settings.facts.references),
        )
        for row in rows
    ]


def snapshot_of(facts: Season, lines: Sequence[Standing]) -> Mapping[str, Any]:
    """The standings of a season as plain data for JSON."""
    return {
        "matches": facts.matches,
        "planned": facts.planned,
        "at_most": facts.at_most,
        "legs": [*facts.legs],
        "newest": to_iso(facts.newest) if facts.newest else None,
        "panels": [*facts.panels],
        "lines": [{**line.data(), "version_id": line.version_id} for line in lines],
    }


def snapshot_lines(snapshot: Mapping[str, Any] | None) -> list[Standing]:
    return [Standing.model_validate(line) for line in (snapshot["lines"] if snapshot else ())]


def masked_lines(
    lines: Sequence[Standing], season_id: int, policy: VisibilityPolicy
) -> tuple[Standing, ...]:
    """Return standings with the names and the places that a reader may see."""
    masked = policy.masked.get(season_id)
    if masked is None:
        return tuple(lines)
    shown = []
    for line in lines:
        is_own = line.author in policy.own
        if not (policy.tells_place(season_id, line.rank) or is_own):
            continue
        alias = masked.name(line.bot)
        if alias != line.bot:
            out = "it sits out" if line.sits_out else ""
            hidden = {"bot": alias, "version": 1, "author": "", "language": "", "sits_out": out}
            shown.append(line.model_copy(update=hidden))
        else:
            shown.append(line)
    return tuple(shown)


COUNTS = (*SUMS, "slowest")
"""The columns of the standings that are sums over the season's seats."""


class Standings(Shape):
    """A season and its standings."""

    season: Season
    """The season."""
    leans: bool = False
    """Whether intervals extend further to one side, since pairings depended on results."""
    standings: tuple[Standing, ...]
    """The entrants, the best first; those that sit out come last."""
    too_many: PageOnly[bool] = False
    """Whether there are too many versions to compute confidence."""

    @property
    def groups(self) -> int:
        """The number of groups of versions whose ratings can't be compared with each other."""
        return max((line.group or 0 for line in self.standings), default=0)

    @property
    def playing(self) -> list[Standing]:
        """The lines of those that don't sit out."""
        return [line for line in self.standings if not line.sits_out]

    @property
    def leaders(self) -> list[Standing]:
        """The first; several where they have the same points."""
        return [line for line in self.standings if line.rank == 1]

    @property
    def rivals(self) -> list[Standing]:
        """The other bots that may be first."""
        return [line for line in self.playing if line.best == 1 and line.rank != 1]

    @property
    def chance(self) -> float | None:
        """How likely the leader is the best, None if there are several or too little was played."""
        first = self.leaders
        return first[0].chance if len(first) == 1 else None

    def with_figures(self, figures: Figures) -> Standings:
        """Return these standings with their figures."""
        return Standings.model_construct(
            season=self.season,
            standings=tuple(figures.filled(line) for line in self.standings),
            leans=figures.points is not None and figures.points.leans,
            too_many=figures.too_many,
        )


def places(points: float) -> int:
    """The number of decimals for a season's points: margins below ten need a second one.

    Whole numbers, such as wins or stages, have none.
    """
    if points == int(points):
        return 0
    return 2 if abs(points) < 10 else 1


def reach_places(reach: float) -> int:
    """The number of decimals for how far an interval reaches, whatever its figure has.

    Those of points, and for a small one as many more as leave two digits: no interval of some
    width reads as 0.
    """
    if not 0 < abs(reach) < 0.1:
        return places(reach)
    return min(9, 1 - math.floor(math.log10(abs(reach))))


def standings(store: Store, tournament: str, number: int | None = None) -> Standings:
    """A season's standings, by default the newest season's; raises `UnknownSeason`.

    Sorted by points, then by rating; versions that sit out come last.
    """
    with store.database.reading() as session:
        policy = policy_of(session)
        facts = season_facts(session, tournament, number)
        frozen = policy.frozen.get(facts.id)
        lines = snapshot_lines(frozen.snapshot) if frozen else _lines(session, facts)
    ranks = _rank_by([line.rating.mu for line in lines if line.rating])
    ranked = [
        line.model_copy(update={"rating_rank": ranks[line.rating.mu] if line.rating else None})
        for line in lines
    ]
    shown = masked_lines(ranked, facts.id, policy)
    return Standings.model_construct(season=facts, standings=tuple(sorted(shown, key=_order)))


def _lines(session: Session, season: Season) -> list[Standing]:
    counts = [getattr(EntrantRow, name) for name in COUNTS]
    rows = session.execute(
        select(
            EntrantRow.version_id,
            EntrantRow.rank,
            EntrantRow.points,
            EntrantRow.tie_breaks,
            EntrantRow.mu,
            EntrantRow.sigma,
            EntrantRow.linked,
            EntrantRow.sits_out,
            VersionRow.number,
            VersionRow.language,
            BotRow.name,
            BotRow.author,
            *counts,
        )
        .join(VersionRow, VersionRow.id == EntrantRow.version_id)
        .join(BotRow, BotRow.id == VersionRow.bot_id)
        .where(EntrantRow.season_id == season.id)
        .order_by(EntrantRow.place)
    ).all()
    group = _groups(session, season, {row.version_id: row.linked for row in rows if row.matches})
    late = {row.version_id for row in rows if row.rank is not None and not row.matches}
    earlier = _earlier_ratings(session, season, late)
    return [
        Standing(
            rank=row.rank,
            version_id=row.version_id,
            bot=row.name,
            version=row.number,
            author=row.author,
            language=row.language,
            points=row.points,
            tie_breaks=tuple(TieBreak(title=title, value=value) for title, value in row.tie_breaks),
            rating_rank=None,
            rating=rating(row.mu, row.sigma) or earlier.get(row.version_id),
            **{name: getattr(row, name) for name in COUNTS},
            group=group.get(row.version_id),
            sits_out=row.sits_out,
        )
        for row in rows
    ]


def _earlier_ratings(
    session: Session, season: Season, versions: AbstractSet[int]
) -> Mapping[int, Rating]:
    """The ratings of these versions after the last season before this one in which they played."""
    if not versions or not season.rated:
        return {}
    rows = session.scalars(
        select(EntrantRow)
        .join(SeasonRow)
        .join(TournamentRow)
        .where(
            TournamentRow.name == season.tournament,
            SeasonRow.number < season.number,
            EntrantRow.version_id.in_(versions),
            EntrantRow.mu.is_not(None),
        )
        .order_by(SeasonRow.number)
    )
    return {row.version_id: rating for row in rows if (rating := rating_of(row))}


def _groups(
    session: Session, season: Season, linked: Mapping[int, int | None]
) -> Mapping[int, int]:
    """The group of every version that played, from 1.

    Ratings continue from season to season, so earlier seasons link versions too; they are only read
    if this season alone leaves versions unconnected.
    """
    linked_groups = groups([(version, label or version) for version, label in linked.items()])
    if len(linked_groups) > 1:
        earlier = session.execute(
            select(EntrantRow.version_id, EntrantRow.linked)
            .join(SeasonRow)
            .join(TournamentRow)
            .where(TournamentRow.name == season.tournament, SeasonRow.number <= season.number)
            .where(SeasonRow.number >= (season.rated_since or 0))
            .where(EntrantRow.linked.is_not(None), STANDING)
        )
        ever = groups([(version, label or version) for version, label in earlier])
        present = [tuple(v for v in group if v in linked) for group in ever]
        linked_groups = tuple(sorted(filter(None, present), key=len, reverse=True))
    return {version: number for number, group in enumerate(linked_groups, 1) for version in group}


def _rank_by(ratings: Sequence[float]) -> Mapping[float, int]:
    """The rank of each mu: 1 is the highest, and equals share a rank."""
    order = sorted(ratings, reverse=True)
    return {mu: place for place, mu in reversed([*enumerate(order, start=1)])}


def _order(line: Standing) -> tuple[Any, ...]:
    return (
        bool(line.sits_out),
        line.rank is None,
        line.rank,
        line.rating_rank is None,
        line.rating_rank,
        line.bot,
    )


@dataclass(frozen=True, slots=True)
class Figures:
    """The confidence of a season's points.

    `points` are their intervals. It is None while no bot has points, or if the points are neither
    strengths fitted to margins nor means over the season's legs or matches, since an interval of
    those would not be about the points. `less_luck` is every version's margin without the luck with
    the cards (ratings n.2). It is empty where no luck is measured, where the rotations cancel it,
    and where chips are carried on. `by_rating` says that the standings are ordered by rating. With
    `too_many` versions nothing is computed.
    """

    points: Certainty | None = None
    less_luck: Mapping[int, Estimate] = field(default_factory=dict)
    by_rating: bool = False
    too_many: bool = False

    @property
    def sure(self) -> Certainty | None:
        """The confidence of the order; None where it is not the order of the points."""
        return None if self.by_rating else self.points

    def filled(self, line: Standing) -> Standing:
        """A line of the standings with its figures."""
        version = line.version_id
        points, sure = self.points, self.sure
        interval, luck = None, self.less_luck.get(version)
        places: dict[str, Any] = {}
        if points is not None and version in points.values:
            interval = points.estimate(version)
            if sure is not None and sure.best:
                best, worst = sure.places(version)
                places = {"best": best, "worst": worst, "chance": sure.best[version]}
        return line.model_copy(
            update={
                "interval": Figure.model_validate(interval) if interval else None,
                "less_luck": Figure.model_validate(luck) if luck else None,
                **places,
            }
        )


def season_figures(store: Store, table: Standings) -> Figures:
    """Compute the figures of standings from the stored matches."""
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
        boards = _boards_of(session, season, points, results, playing)
    less_luck = _less_luck(season, results, boards)
    values = {version: estimate.value for version, estimate in less_luck.items()}
    return Figures(
        points=_certainty(season, points, results, boards),
        less_luck={} if _about(points, values) else less_luck,
        by_rating=season.by_rating,
    )


def standings_with_figures(store: Store, tournament: str, number: int | None = None) -> Standings:
    """A season's standings with their figures."""
    table = standings(store, tournament, number)
    return table.with_figures(season_figures(store, table))


@dataclass(frozen=True, slots=True)
class _Boards:
    """The matches to whose boards margins are fitted.

    `pairs_by_results` says that one of their seasons paired bots by how they had done so far.
    `widest` is the largest difference of two scores of a game, if it is known.
    """

    matches: Sequence[Result]
    pairs_by_results: bool
    widest: float | None = None

    def fit(self, *, less_luck: bool = False) -> Certainty:
        """The strengths, with intervals that hold however the pairs were made."""
        tally = MarginTally.less_luck(self.matches) if less_luck else MarginTally(self.matches)
        fit: Certainty = tally.fit()
        if not less_luck:
            fit = with_unseen(fit, self.widest)
        return shrunk(fit) if self.pairs_by_results else fit


def _certainty(
    season: Season,
    points: Mapping[int, float],
    results: Sequence[Result],
    boards: _Boards | None,
) -> Certainty | None:
    """The confidence of points that are fitted to these boards, or else of means."""
    if boards is not None:
        return boards.fit()
    games = {result.key: result.games for result in results}
    means = certainty(clusters_of_matches(results, games))
    if not _about(points, means.values):
        return None
    led = season.points_title == MEAN_LEAD
    return with_unseen(means, season.settings.widest_margin if led else None)


def _less_luck(
    season: Season, results: Sequence[Result], boards: _Boards | None
) -> Mapping[int, Estimate]:
    """Margins without luck: as the points are, fitted to the same boards or a mean.

    If the points are no margins, such as wins or stages, they are fitted to the season's boards: a
    mean would be unfair to bots that advanced and met stronger ones.
    """
    facts = season.settings.facts
    if not facts.luck_helps:
        return {}
    if boards is None and season.points_title == MEAN_LEAD:
        return margins_less_luck(results)
    boards = boards or _Boards(results, facts.pairs_by_results)
    if not any(result.luck for result in boards.matches):
        return {}
    return boards.fit(less_luck=True).estimates()


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


def _boards_of(
    session: Session,
    season: Season,
    points: Mapping[int, float],
    results: Sequence[Result],
    playing: AbstractSet[int],
) -> _Boards | None:
    """The matches to whose boards these points are fitted; None if they are not fitted.

    Some formats count only this season. Others count earlier seasons too: some of them keep the
    results of present versions at tables with absent ones, and some leave such tables out.
    """
    facts = season.settings.facts
    if _about(points, MarginTally(results).strengths()):
        return _Boards(results, facts.pairs_by_results, facts.widest)
    first = not points or len(season.seasons) == 1
    earlier, paired = ((), False) if first else _earlier(session, season)
    parts = [part for result in earlier if (part := among(result, playing)) is not None]
    whole = [result for result in earlier if playing >= {*result.versions}]
    for before in (parts, whole):
        if before and _about(points, MarginTally([*before, *results]).strengths()):
            paired = paired or facts.pairs_by_results
            return _Boards([*before, *results], paired, facts.widest)
    return None


def _earlier(session: Session, season: Season) -> tuple[Sequence[Result], bool]:
    """The matches of earlier seasons at the same table, and whether one was paired by results."""
    rows = session.scalars(
        select(SeasonRow)
        .join(TournamentRow)
        .where(TournamentRow.name == season.tournament, SeasonRow.number < season.number, STANDING)
        .order_by(SeasonRow.number)
    ).all()
    alike = [row for row in rows if same_table(row.contest, season.contest)]
    results = [result for row in alike for result in rating_cache.results(session, row.id)]
    return results, any(row.settings.facts.pairs_by_results for row in alike)


def _finals(session: Session, season: Season) -> Mapping[int, Sequence[tuple[int, int]]]:
    """The leg numbers and final chips of every version, for the legs that count for it."""
    rows = session.execute(
        select(EntrantRow.version_id, EntrantRow.legs).where(EntrantRow.season_id == season.id)
    )
    return {row.version_id: [(leg, chips) for leg, chips in row.legs] for row in rows}
