"""Whether seasons get on, and whether faults rise."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime, timedelta

from sqlalchemy import Integer, cast, func, select
from sqlalchemy.orm import Session

from common.moments import from_iso
from leaderboard.proof.ledger import Entry
from leaderboard.storage.models import MatchRow, SeasonRow, SeatRow, TournamentRow
from leaderboard.storage.models_of_ledger import LedgerRow
from leaderboard.storage.store import Store

LATEST = 100
"""How many matches are the latest."""

BEFORE = 1000
"""How many matches before them they are compared with."""

KNOWN = 10
"""Matches of a version among those before, from which its share of faults is known."""


@dataclass(frozen=True, slots=True)
class Progress:
    """How far the season that is being played is, judged by its last `matches`, 1,000 at most.

    `stored` is when the last one was stored, and `longest` how many seconds the longest took.
    """

    matches: int
    stored: datetime | None
    longest: float


@dataclass(frozen=True, slots=True)
class FaultShares:
    """How often seats of the latest matches had faults, and how often attempts were void.

    `seats` are those of versions whose share is known from the matches before, `faulty` those of
    them with a fault that was not forgiven, and `expected` how many that would have been as before.
    `void` counts the attempts since the first of the latest `matches` that came to nothing.
    """

    matches: int
    seats: int
    faulty: int
    expected: float
    void: int


def progress(store: Store, tournament: str) -> Progress | None:
    """How far the unfinished season of a tournament is; None if there is none."""
    with store.database.reading() as session:
        season = session.scalar(
            select(SeasonRow.id)
            .join(TournamentRow, TournamentRow.id == SeasonRow.tournament_id)
            .where(TournamentRow.name == tournament, SeasonRow.finished.is_(None))
            .order_by(SeasonRow.number)
            .limit(1)
        )
        if season is None:
            return None
        latest = (
            select(MatchRow.stored, MatchRow.seconds)
            .where(MatchRow.season_id == season)
            .order_by(MatchRow.id.desc())
            .limit(BEFORE)
            .subquery()
        )
        query = select(func.count(), func.max(latest.c.stored), func.max(latest.c.seconds))
        matches, stored, longest = session.execute(query.select_from(latest)).one()
        return Progress(matches, stored, longest or 0.0)


def fault_shares(store: Store, since: datetime, expected_voids: Collection[str]) -> FaultShares:
    """Compare the latest matches, those stored `since` some time, with the ones before them.

    Attempts that are void for one of the `expected_voids` reasons are not counted.
    """
    with store.database.reading() as session:
        newest = session.scalar(select(func.max(MatchRow.id))) or 0
        first = newest - LATEST + 1
        beginning, matches = session.execute(
            select(func.min(MatchRow.stored), func.count()).where(
                MatchRow.id >= first, MatchRow.stored >= since
            )
        ).one()
        voids = _voids(session, beginning or since, expected_voids)
        if not matches:
            return FaultShares(0, 0, 0, 0.0, voids)
        latest = _faults(session, first, newest)
        before = {
            version: faulty / seats
            for version, (seats, faulty) in _faults(session, first - BEFORE, first - 1).items()
            if seats >= KNOWN
        }
        known = {version: pair for version, pair in latest.items() if version in before}
        return FaultShares(
            matches,
            sum(seats for seats, _ in known.values()),
            sum(faulty for _, faulty in known.values()),
            sum(seats * before[version] for version, (seats, _) in known.items()),
            voids,
        )


def _faults(session: Session, first: int, last: int) -> dict[int, tuple[int, int]]:
    """The seats of each version in these matches, and those of them with a fault."""
    faulty = func.sum(cast(SeatRow.faults > SeatRow.forgiven, Integer))
    rows = session.execute(
        select(SeatRow.version_id, func.count(), faulty)
        .where(SeatRow.match_id.between(first, last))
        .group_by(SeatRow.version_id)
    )
    return {version: (seats, bad) for version, seats, bad in rows}


def _voids(session: Session, since: datetime, expected: Collection[str]) -> int:
    """How many attempts of seasons that are or were played lately came to nothing since then."""
    seasons = session.execute(
        select(SeasonRow.tournament_id, SeasonRow.number).where(
            SeasonRow.finished.is_(None) | (SeasonRow.finished >= since)
        )
    ).all()
    found = 0
    for tournament, number in seasons:
        texts = session.scalars(
            select(LedgerRow.text)
            .where(
                LedgerRow.tournament_id == tournament,
                LedgerRow.season == number,
                LedgerRow.kind == "void",
            )
            .order_by(LedgerRow.number.desc())
            .limit(LATEST)
        )
        for entry in map(Entry, texts):
            if from_iso(entry["time"]) < since - timedelta(seconds=1):  # written in whole seconds
                break
            found += entry["reason"] not in expected
    return found
