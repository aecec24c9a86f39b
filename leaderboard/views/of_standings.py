"""The standings of a season."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, replace
from typing import Any

from sqlalchemy import case, func, select
from sqlalchemy.orm import Session, aliased

from leaderboard.statistics.comparability import groups
from leaderboard.statistics.ratings import Rating
from leaderboard.storage.models import (
    BotRow,
    EntrantRow,
    MatchRow,
    SeasonRow,
    SeatRow,
    TournamentRow,
    VersionRow,
)
from leaderboard.storage.rating_cache import rating_of
from leaderboard.storage.store import Store
from leaderboard.views.of_seasons import SeasonFacts, season_facts

COUNTS = ("matches", "struck_out", "hands", "won", "decisions", "faults", "slowest")
"""The columns of the standings that are sums over the season's seats."""


@dataclass(frozen=True, slots=True)
class Standing:
    """One version's line in the standings.

    `rank` is the season's, by `points` and then `tie_breaks` or by rating, and `rating_rank` is by
    the mu of the rating: 1 is the best, ties share a rank, and None means no rank yet. `rating` is
    the rating after its last match of the season or, if it has none there, of an earlier one. The
    counts are over the season: `matches` played, those in which it was `struck_out`, `hands` dealt
    and `won`, `decisions`, and the `faults` among them; `slowest` is its longest answer in
    microseconds. Ratings are comparable within a `group`: 1 is the largest, None means that the
    version has not played. `sits_out` is the reason if it does not play.
    """

    rank: int | None
    version_id: int
    bot: str
    version: int
    author: str
    language: str
    points: float | None
    tie_breaks: tuple[tuple[str, float], ...]
    rating_rank: int | None
    rating: Rating | None
    matches: int
    struck_out: int
    hands: int
    won: int
    decisions: int
    faults: int
    slowest: int
    group: int | None
    sits_out: str


@dataclass(frozen=True, slots=True)
class SeasonTable:
    """A season and its standings, the best first."""

    season: SeasonFacts
    standings: tuple[Standing, ...]

    @property
    def groups(self) -> int:
        """The number of groups of versions whose ratings can't be compared with each other."""
        return max((line.group or 0 for line in self.standings), default=0)


def places(points: float) -> int:
    """The number of decimals for a season's points: leads below ten need a second one.

    Whole numbers, such as wins or stages, have none.
    """
    if points == int(points):
        return 0
    return 2 if abs(points) < 10 else 1


def standings(store: Store, tournament: str, number: int | None = None) -> SeasonTable:
    """A season's standings, by default the newest season's; raises `UnknownSeason`.

    Sorted by points, then by rating; versions that sit out come last.
    """
    with store.database.reading() as session:
        facts = season_facts(session, tournament, number)
        lines = _lines(session, facts)
    ratings = [line.rating.mu for line in lines if line.rating]
    ranked = [
        replace(line, rating_rank=_rank(line.rating.mu if line.rating else None, ratings))
        for line in lines
    ]
    return SeasonTable(facts, tuple(sorted(ranked, key=_order)))


def _lines(session: Session, season: SeasonFacts) -> list[Standing]:
    """Every entrant's line, without its rank by rating."""
    counts = (
        select(
            SeatRow.version_id,
            func.count().label("matches"),
            func.sum(case((SeatRow.struck_out, 1), else_=0)).label("struck_out"),
            func.sum(SeatRow.hands).label("hands"),
            func.sum(SeatRow.won).label("won"),
            func.sum(SeatRow.decisions).label("decisions"),
            func.sum(SeatRow.faults).label("faults"),
            func.max(SeatRow.slowest).label("slowest"),
        )
        .join(MatchRow, MatchRow.id == SeatRow.match_id)
        .where(MatchRow.season_id == season.id)
        .group_by(SeatRow.version_id)
        .subquery()
    )
    rows = session.execute(
        select(EntrantRow, VersionRow.number, VersionRow.language, BotRow.name, BotRow.author)
        .add_columns(*(counts.c[name] for name in COUNTS))
        .join(VersionRow, VersionRow.id == EntrantRow.version_id)
        .join(BotRow, BotRow.id == VersionRow.bot_id)
        .outerjoin(counts, counts.c.version_id == EntrantRow.version_id)
        .where(EntrantRow.season_id == season.id)
        .order_by(EntrantRow.place)
    ).all()
    played = [row.EntrantRow.version_id for row in rows if row.matches]
    group = _groups(session, season, played)
    placed = {each.version_id for each, *_ in rows if each.rank is not None}
    earlier = _earlier_ratings(session, season, placed.difference(played))
    return [
        Standing(
            rank=row.EntrantRow.rank,
            version_id=row.EntrantRow.version_id,
            bot=row.name,
            version=row.number,
            author=row.author,
            language=row.language,
            points=row.EntrantRow.points,
            tie_breaks=tuple((title, value) for title, value in row.EntrantRow.tie_breaks),
            rating_rank=None,
            rating=rating_of(row.EntrantRow) or earlier.get(row.EntrantRow.version_id),
            **{name: int(getattr(row, name) or 0) for name in COUNTS},
            group=group.get(row.EntrantRow.version_id),
            sits_out=row.EntrantRow.sits_out,
        )
        for row in rows
    ]


def _earlier_ratings(
    session: Session, season: SeasonFacts, versions: AbstractSet[int]
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


def _groups(session: Session, season: SeasonFacts, played: Sequence[int]) -> Mapping[int, int]:
    """The group of every version that played, from 1.

    Ratings continue from season to season, so earlier seasons link versions too; they are only read
    if this season alone leaves versions unconnected.
    """
    first = aliased(SeatRow)
    query = (
        select(first.version_id, SeatRow.version_id)
        .join(SeatRow, SeatRow.match_id == first.match_id)
        .join(MatchRow, MatchRow.id == first.match_id)
        .where(first.seat == 0)
        .distinct()
    )
    here = session.execute(query.where(MatchRow.season_id == season.id))
    found = groups([tuple(pair) for pair in here])
    if len(found) > 1:
        earlier = (
            select(SeasonRow.id)
            .join(TournamentRow)
            .where(TournamentRow.name == season.tournament, SeasonRow.number <= season.number)
            .where(SeasonRow.number >= (season.rated_since.season if season.rated_since else 0))
        )
        ever = session.execute(query.where(MatchRow.season_id.in_(earlier)))
        linked = groups([tuple(pair) for pair in ever])
        present = [tuple(v for v in group if v in played) for group in linked]
        found = tuple(sorted(filter(None, present), key=len, reverse=True))
    return {version: number for number, group in enumerate(found, 1) for version in group}


def _rank(value: float | None, others: Sequence[float]) -> int | None:
    return None if value is None else 1 + sum(other > value for other in others)


def _order(line: Standing) -> tuple[Any, ...]:
    return (
        bool(line.sits_out),
        line.rank is None,
        line.rank,
        line.rating_rank is None,
        line.rating_rank,
        line.bot,
    )
