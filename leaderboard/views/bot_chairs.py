"""How a bot does in each chair at the table."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Double, Select, cast, func, literal, select
from sqlalchemy.orm import Session

from leaderboard.statistics.intervals import Estimate, Sums, mean_of_sums
from leaderboard.storage.counting import STANDING
from leaderboard.storage.models import (
    EntrantRow,
    SeasonRow,
    TournamentRow,
)
from leaderboard.storage.models_of_counts import ChairSumRow


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
    chips = [tournament for tournament, row in seasons.items() if row.settings.facts.carries]
    matches = [tournament for tournament in seasons if tournament not in chips]
    found: dict[int, dict[int, list[Any]]] = {}
    for sums, tournaments in ((OVER_MATCHES, matches), (OVER_LEGS, chips)):
        for row in session.execute(_sums(sums, numbers, tournaments)) if tournaments else ():
            versions = found.setdefault(row.tournament_id, {})
            versions.setdefault(numbers[row.version_id], []).append(row)
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


SCORE = cast(ChairSumRow.score, Double)
GAMES = cast(ChairSumRow.games, Double)

OVER_MATCHES: Mapping[str, Any] = {
    "clusters": ChairSumRow.matches,
    "x": ChairSumRow.x,
    "n": GAMES,
    "xx": ChairSumRow.xx,
    "xn": ChairSumRow.xn,
    "nn": ChairSumRow.nn,
}
"""What a leg adds to `Sums` whose clusters are matches."""

OVER_LEGS: Mapping[str, Any] = {
    "clusters": literal(1),
    "x": SCORE,
    "n": GAMES,
    "xx": SCORE * SCORE,
    "xn": SCORE * GAMES,
    "nn": GAMES * GAMES,
}
"""The same where legs are the clusters."""


def _sums(
    sums: Mapping[str, Any], numbers: Mapping[int, int], tournaments: Sequence[int]
) -> Select[Any]:
    """What a mean needs, for each version in each set of chairs."""
    place = (
        SeasonRow.tournament_id,
        ChairSumRow.version_id,
        ChairSumRow.seats,
        ChairSumRow.held,
    )
    columns: list[Any] = [*place]
    return (
        select(*columns, *(func.sum(column).label(name) for name, column in sums.items()))
        .join(SeasonRow, SeasonRow.id == ChairSumRow.season_id)
        .where(
            ChairSumRow.version_id.in_(numbers), SeasonRow.tournament_id.in_(tournaments), STANDING
        )
        .group_by(*place)
        .order_by(ChairSumRow.seats.desc(), ChairSumRow.held)
    )


def _line(row: Any) -> InChairs:
    sums = Sums(row.clusters, row.x, round(row.n), row.xx, row.xn, row.nn)
    held = tuple(int(chair) for chair in row.held.split(" "))
    return InChairs(held, row.seats, mean_of_sums(sums))
