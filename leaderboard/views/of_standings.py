"""The standings of a season."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, replace
from typing import Any

from sqlalchemy import select
from sqlalchemy.orm import Session

from leaderboard.statistics.comparability import groups
from leaderboard.statistics.ratings import Rating
from leaderboard.storage.counting import STANDING
from leaderboard.storage.counts import SUMS
from leaderboard.storage.curtain import curtain_of
from leaderboard.storage.models import (
    BotRow,
    EntrantRow,
    SeasonRow,
    TournamentRow,
    VersionRow,
)
from leaderboard.storage.rating_cache import rating, rating_of
from leaderboard.storage.store import Store
from leaderboard.views.of_boards import board_lines, masked_lines
from leaderboard.views.of_seasons import SeasonFacts, season_facts
from leaderboard.views.standing import Standing

COUNTS = (*SUMS, "slowest")
"""The columns of the standings that are sums over the season's seats."""


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


def reach_places(reach: float) -> int:
    """The number of decimals for how far an interval reaches, whatever its figure has.

    Those of points, and for a small one as many more as leave two digits: no interval of some
    width reads as 0.
    """
    if not 0 < abs(reach) < 0.1:
        return places(reach)
    return min(9, 1 - math.floor(math.log10(abs(reach))))


def standings(store: Store, tournament: str, number: int | None = None) -> SeasonTable:
    """A season's standings, by default the newest season's; raises `UnknownSeason`.

    Sorted by points, then by rating; versions that sit out come last.
    """
    with store.database.reading() as session:
        curtain = curtain_of(session)
        facts = season_facts(session, tournament, number)
        frozen = curtain.frozen.get(facts.id)
        lines = board_lines(frozen.board) if frozen else _lines(session, facts)
    ranks = _rank_by([line.rating.mu for line in lines if line.rating])
    ranked = [
        replace(line, rating_rank=ranks[line.rating.mu] if line.rating else None) for line in lines
    ]
    told = masked_lines(ranked, facts.id, curtain)
    return SeasonTable(facts, tuple(sorted(told, key=_order)))


def _lines(session: Session, season: SeasonFacts) -> list[Standing]:
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
            tie_breaks=tuple((title, value) for title, value in row.tie_breaks),
            rating_rank=None,
            rating=rating(row.mu, row.sigma) or earlier.get(row.version_id),
            **{name: getattr(row, name) for name in COUNTS},
            group=group.get(row.version_id),
            sits_out=row.sits_out,
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


def _groups(
    session: Session, season: SeasonFacts, linked: Mapping[int, int | None]
) -> Mapping[int, int]:
    """The group of every version that played, from 1.

    Ratings continue from season to season, so earlier seasons link versions too; they are only read
    if this season alone leaves versions unconnected.
    """
    found = groups([(version, label or version) for version, label in linked.items()])
    if len(found) > 1:
        earlier = session.execute(
            select(EntrantRow.version_id, EntrantRow.linked)
            .join(SeasonRow)
            .join(TournamentRow)
            .where(TournamentRow.name == season.tournament, SeasonRow.number <= season.number)
            .where(SeasonRow.number >= (season.rated_since.season if season.rated_since else 0))
            .where(EntrantRow.linked.is_not(None), STANDING)
        )
        ever = groups([(version, label or version) for version, label in earlier])
        present = [tuple(v for v in group if v in linked) for group in ever]
        found = tuple(sorted(filter(None, present), key=len, reverse=True))
    return {version: number for number, group in enumerate(found, 1) for version in group}


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
