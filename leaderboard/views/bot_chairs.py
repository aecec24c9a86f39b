"""How a bot does in each chair at the table."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Any

from sqlalchemy import Double, Select, case, cast, func, select
from sqlalchemy.orm import Session

from leaderboard.statistics.intervals import Estimate, Sums, mean_of_sums
from leaderboard.storage.models import (
    ChairRow,
    EntrantRow,
    MatchRow,
    SeasonRow,
    SeatRow,
    TournamentRow,
)
from leaderboard.views.of_seasons import carries


@dataclass(frozen=True, slots=True)
class InChairs:
    """One version in one set of `chairs`, numbered from 0, at tables of `seats`.

    `mean` is its mean lead a game there, over all seasons of a tournament, or its mean score where
    leads say little: `by_score` says so.
    """

    chairs: tuple[int, ...]
    seats: int
    mean: Estimate


@dataclass(frozen=True, slots=True)
class BotChairs:
    """The newest version of a bot that has played in a tournament, chair by chair."""

    tournament: str
    version: int
    by_score: bool
    lines: tuple[InChairs, ...]


def bot_chairs(session: Session, numbers: Mapping[int, int]) -> tuple[BotChairs, ...]:
    """A table for each tournament, in order of name; `numbers` are the bot's versions by id.

    The independent unit is a match or, where chips are carried on, a leg (ratings e.1). There the
    score counts, as chips do, and so it does where a bot plays alone.
    """
    seasons = _newest_seasons(session, numbers)
    chips = [tournament for tournament, row in seasons.items() if carries(row.settings)]
    matches = [tournament for tournament in seasons if tournament not in chips]
    found: dict[int, dict[int, list[Any]]] = {}
    for row in chain(
        session.execute(_sums(_of_matches(numbers, matches))) if matches else (),
        session.execute(_sums(_of_legs(numbers, chips))) if chips else (),
    ):
        found.setdefault(row.tournament_id, {}).setdefault(numbers[row.version_id], []).append(row)
    tables = []
    for tournament, versions in found.items():
        newest = max(versions)
        rows = versions[newest]
        tables.append(
            BotChairs(
                tournament=seasons[tournament].name,
                version=newest,
                by_score=tournament in chips or all(row.seats == 1 for row in rows),
                lines=tuple(map(_line, rows)),
            )
        )
    return tuple(sorted(tables, key=lambda each: each.tournament))


def _newest_seasons(session: Session, numbers: Mapping[int, int]) -> Mapping[int, Any]:
    """The newest season of each tournament in which one of these versions is entered."""
    newest = (
        select(SeasonRow.tournament_id, func.max(SeasonRow.number).label("number"))
        .join(EntrantRow, EntrantRow.season_id == SeasonRow.id)
        .where(EntrantRow.version_id.in_(numbers))
        .group_by(SeasonRow.tournament_id)
        .subquery()
    )
    rows = session.execute(
        select(TournamentRow.id, TournamentRow.name, SeasonRow.settings)
        .join(newest, newest.c.tournament_id == TournamentRow.id)
        .join(
            SeasonRow,
            (SeasonRow.tournament_id == TournamentRow.id) & (SeasonRow.number == newest.c.number),
        )
    )
    return {row.id: row for row in rows}


PLACE = (SeasonRow.tournament_id, SeatRow.version_id, ChairRow.seats, ChairRow.held)
"""What a line of a table is about: a version in its chairs at tables of one size."""

GAMES = cast(ChairRow.games, Double)
SCORE = cast(ChairRow.score, Double)


def _of_matches(numbers: Mapping[int, int], tournaments: Sequence[int]) -> Select[Any]:
    """The clusters of these tournaments, each a match: it has one row for a version's chairs."""
    lead = case((ChairRow.seats == 1, SCORE), else_=ChairRow.lead)
    return _of([lead.label("x"), GAMES.label("n")], numbers, tournaments)


def _of_legs(numbers: Mapping[int, int], tournaments: Sequence[int]) -> Select[Any]:
    """The clusters of these tournaments, each a leg of a season."""
    sums = [func.sum(SCORE).label("x"), func.sum(GAMES).label("n")]
    return _of(sums, numbers, tournaments).group_by(*PLACE, SeasonRow.id, MatchRow.leg)


def _of(
    columns: Sequence[Any], numbers: Mapping[int, int], tournaments: Sequence[int]
) -> Select[Any]:
    """These columns of the chairs of some versions in some tournaments, and their place."""
    return (
        select(*PLACE, *columns)
        .join(SeatRow, (SeatRow.match_id == ChairRow.match_id) & (SeatRow.seat == ChairRow.seat))
        .join(MatchRow, MatchRow.id == ChairRow.match_id)
        .join(SeasonRow, SeasonRow.id == MatchRow.season_id)
        .where(SeatRow.version_id.in_(numbers), SeasonRow.tournament_id.in_(tournaments))
    )


def _sums(clusters: Select[Any]) -> Select[Any]:
    """What a mean needs of these clusters, for each version in each set of chairs."""
    c = clusters.subquery().c
    where = (c.tournament_id, c.version_id, c.seats, c.held)
    return (
        select(
            *where,
            func.count().label("clusters"),
            func.sum(c.x).label("x"),
            func.sum(c.n).label("n"),
            func.sum(c.x * c.x).label("xx"),
            func.sum(c.x * c.n).label("xn"),
            func.sum(c.n * c.n).label("nn"),
        )
        .group_by(*where)
        .order_by(c.seats.desc(), c.held)
    )


def _line(row: Any) -> InChairs:
    sums = Sums(row.clusters, row.x, round(row.n), row.xx, row.xn, row.nn)
    held = tuple(int(chair) for chair in row.held.split(" "))
    return InChairs(held, row.seats, mean_of_sums(sums))
