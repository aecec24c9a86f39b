"""Ratings stored beside the matches: a cache of the fold over a tournament's results.

Each seat stores its version's rating after the match, each entrant the rating after its last match
of the season. A match is stored without ratings and may arrive out of key order (the legs of a
contest are played in parallel), so the fold is repeated from the first season with an unrated
match, and the changes are written (ratings c.2). Where a season is another contest than the rated
one before it, ratings begin anew (c.4). Seasons that are not rated have no ratings at all.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby

from sqlalchemy import func, select, update
from sqlalchemy.orm import Session

from leaderboard.results import Result
from leaderboard.statistics.ratings import Rating, fold
from leaderboard.statistics.same_contest import beginnings
from leaderboard.storage.models import EntrantRow, MatchRow, SeasonRow, SeatRow


@dataclass(frozen=True, slots=True)
class Cell:
    """One rating in the cache: its place, the stored rating, and the rating by the fold.

    `row` is the class of its row and `identity` the row's primary key.
    """

    where: str
    row: type[SeatRow] | type[EntrantRow]
    identity: Mapping[str, int]
    stored: Rating | None
    derived: Rating | None


def results(session: Session, season_id: int) -> tuple[Result, ...]:
    """Every stored match of a season in brief, in key order."""
    return tuple(result for result, _ in _matches(session, season_id))


def result(session: Session, season_id: int, key: str) -> Result:
    """A stored match of a season in brief."""
    ((found, _),) = _matches(session, season_id, key)
    return found


def published(session: Session, season_id: int, *, rated: bool) -> tuple[Result, ...]:
    """The matches of a season, in key order, that the stored points include.

    Points are stored right before ratings, so a match with ratings is included.
    """
    return tuple(
        result
        for result, seats in _matches(session, season_id)
        if not rated or all(seat.mu is not None for seat in seats)
    )


def refresh(session: Session, tournament_id: int) -> None:
    """Rate the unrated matches, in one transaction that holds the tournament's lock."""
    first = session.scalar(
        select(func.min(SeasonRow.number))
        .join(MatchRow, MatchRow.season_id == SeasonRow.id)
        .join(SeatRow, SeatRow.match_id == MatchRow.id)
        .where(SeatRow.mu.is_(None), SeasonRow.tournament_id == tournament_id, SeasonRow.rated)
    )
    if first is None:
        return
    changed = [cell for cell in cells(session, tournament_id, first) if cell.stored != cell.derived]
    for row in (SeatRow, EntrantRow):
        values = [
            {
                **cell.identity,
                "mu": cell.derived and cell.derived.mu,
                "sigma": cell.derived and cell.derived.sigma,
            }
            for cell in changed
            if cell.row is row
        ]
        if values:
            session.execute(update(row), values)


def cells(session: Session, tournament_id: int, first: int = 1) -> Iterator[Cell]:
    """Every rating in the cache from season `first` on, with the rating by the fold."""
    rows = _seasons(session, tournament_id)
    begun = beginnings((row.number, row.contest) for row in rows if row.rated)
    current = before(session, tournament_id, first)
    for season_id, number, rated in [(row.id, row.number, row.rated) for row in rows]:
        if number < first:
            continue
        if rated and begun[number].season == number:
            current = {}
        played = list(_matches(session, season_id))
        ratings = fold((result for result, _ in played if rated), current)
        sat_down: dict[int, Rating] = {}
        for result, seats in played:
            after = ratings.history[result.key] if rated else (None,) * len(seats)
            for row, rating in zip(seats, after, strict=True):
                if rating is not None:
                    sat_down[row.version_id] = rating
                yield Cell(
                    where=f"{result.key}, seat {row.seat}",
                    row=SeatRow,
                    identity={"match_id": row.match_id, "seat": row.seat},
                    stored=rating_of(row),
                    derived=rating,
                )
        entrants = select(EntrantRow).where(EntrantRow.season_id == season_id)
        for entrant in session.scalars(entrants.order_by(EntrantRow.place)):
            yield Cell(
                where=f"season {number}, version {entrant.version_id}",
                row=EntrantRow,
                identity={"season_id": season_id, "version_id": entrant.version_id},
                stored=rating_of(entrant),
                derived=sat_down.get(entrant.version_id),
            )
        current = ratings.current


def before(session: Session, tournament_id: int, first: int) -> Mapping[int, Rating]:
    """The ratings at the start of season `first`, none if they begin anew with it."""
    begun = beginnings(
        (row.number, row.contest)
        for row in _seasons(session, tournament_id)
        if row.rated and row.number <= first
    )
    return _between(session, tournament_id, begun[first].season, first) if first in begun else {}


def _seasons(session: Session, tournament_id: int) -> Sequence[SeasonRow]:
    """Every season of a tournament, the first one first."""
    return session.scalars(
        select(SeasonRow).where(SeasonRow.tournament_id == tournament_id).order_by(SeasonRow.number)
    ).all()


def _between(session: Session, tournament_id: int, begun: int, first: int) -> Mapping[int, Rating]:
    """The ratings at the start of season `first`, which began with season `begun`."""
    rows = session.scalars(
        select(EntrantRow)
        .join(SeasonRow)
        .where(
            SeasonRow.tournament_id == tournament_id,
            SeasonRow.number >= begun,
            SeasonRow.number < first,
            EntrantRow.mu.is_not(None),
        )
        .order_by(SeasonRow.number)
    )
    return {row.version_id: rating for row in rows if (rating := rating_of(row))}


def _matches(
    session: Session, season_id: int, key: str | None = None
) -> Iterator[tuple[Result, list[SeatRow]]]:
    """The matches of a season in key order, or the one with this key, each with its entrants."""
    query = (
        select(MatchRow, SeatRow)
        .join(SeatRow, SeatRow.match_id == MatchRow.id)
        .where(MatchRow.season_id == season_id)
        .order_by(MatchRow.key, SeatRow.seat)
    )
    if key is not None:
        query = query.where(MatchRow.key == key)
    rows = session.execute(query)
    for match, group in groupby(rows, key=lambda row: row[0]):
        seats = [row[1] for row in group]
        yield (
            Result(
                key=match.key,
                leg=match.leg,
                round=match.round,
                versions=tuple(seat.version_id for seat in seats),
                sides=tuple(seat.side for seat in seats),
                ranks=tuple(seat.rank for seat in seats),
                scores=tuple(seat.score for seat in seats),
                purses=tuple(seat.purse for seat in seats if seat.purse is not None),
                shoe=tuple(match.shoe),
                boards=tuple(map(tuple, match.boards or ())),
                decisions=tuple(seat.decisions for seat in seats),
                faults=tuple(seat.faults for seat in seats),
                games=match.games,
                luck=tuple(map(tuple, match.luck or ())),
            ),
            seats,
        )


def rating_of(row: SeatRow | EntrantRow) -> Rating | None:
    """The rating in a row, or None if there is none yet."""
    if row.mu is None or row.sigma is None:
        return None
    return Rating(row.mu, row.sigma)
