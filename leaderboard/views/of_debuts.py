"""How a version has done since it came in: its seasons, its latest matches, and where it spoke."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import select
from sqlalchemy.orm import Session

from leaderboard.storage.models import (
    BotRow,
    EntrantRow,
    MatchRow,
    RecordRow,
    SeasonRow,
    SeatRow,
    StderrRow,
    TournamentRow,
    VersionRow,
)
from leaderboard.storage.store import Store

LATEST = 10
"""How many matches are looked at, the newest ones."""


@dataclass(frozen=True, slots=True)
class DebutSeason:
    """A season with a version in its line-up; `sits_out` is the reason if it doesn't play.

    `is_rated` says whether it has a rating there already.
    """

    tournament: str
    season: int
    finished: datetime | None
    matches: int
    sits_out: str
    is_rated: bool


@dataclass(frozen=True, slots=True)
class DebutMatch:
    """A match of a version, with its faults, and whether it wrote on standard error."""

    key: str
    tournament: str
    season: int
    labels: tuple[str, ...]
    stored: datetime
    rank: int
    faults: int
    forgiven: int
    has_stderr: bool


@dataclass(frozen=True, slots=True)
class Debut:
    """What a version has done so far, the newest first."""

    seasons: tuple[DebutSeason, ...]
    latest: tuple[DebutMatch, ...]

    @property
    def matches(self) -> int:
        return sum(season.matches for season in self.seasons)

    @property
    def is_rated(self) -> bool:
        """Whether it has a rating anywhere."""
        return any(season.is_rated for season in self.seasons)


def debut(store: Store, bot: str, number: int, most: int = LATEST) -> Debut:
    """What a version has done so far; nothing at all if there is no such version."""
    with store.database.reading() as session:
        version_id = session.scalar(
            select(VersionRow.id)
            .join(BotRow, BotRow.id == VersionRow.bot_id)
            .where(BotRow.name == bot, VersionRow.number == number)
        )
        if version_id is None:
            return Debut((), ())
        return Debut(_seasons(session, version_id), _latest(session, version_id, most))


def _seasons(session: Session, version_id: int) -> tuple[DebutSeason, ...]:
    rows = session.execute(
        select(EntrantRow, SeasonRow, TournamentRow.name)
        .join(SeasonRow, SeasonRow.id == EntrantRow.season_id)
        .join(TournamentRow, TournamentRow.id == SeasonRow.tournament_id)
        .where(EntrantRow.version_id == version_id)
        .order_by(SeasonRow.id.desc())
    )
    return tuple(
        DebutSeason(
            tournament=tournament,
            season=season.number,
            finished=season.finished,
            matches=entrant.matches,
            sits_out=entrant.sits_out,
            is_rated=entrant.mu is not None,
        )
        for entrant, season, tournament in rows
    )


def _latest(session: Session, version_id: int, most: int) -> tuple[DebutMatch, ...]:
    rows = session.execute(
        select(SeatRow, MatchRow, SeasonRow.number, TournamentRow.name)
        .join(MatchRow, MatchRow.id == SeatRow.match_id)
        .join(SeasonRow, SeasonRow.id == MatchRow.season_id)
        .join(TournamentRow, TournamentRow.id == SeasonRow.tournament_id)
        .where(SeatRow.version_id == version_id)
        .order_by(SeatRow.match_id.desc())
        .limit(most)
    ).all()
    spoke = _spoke(session, {match.id: seat.seat for seat, match, _, _ in rows})
    return tuple(
        DebutMatch(
            key=match.key,
            tournament=tournament,
            season=number,
            labels=tuple(match.labels),
            stored=match.stored,
            rank=seat.rank,
            faults=seat.faults,
            forgiven=seat.forgiven,
            has_stderr=match.id in spoke,
        )
        for seat, match, number, tournament in rows
    )


def _spoke(session: Session, seats: dict[int, int]) -> set[int]:
    """The matches in which the entrant of this first seat wrote on standard error."""
    order: dict[int, list[int]] = {}
    for match_id, seat in session.execute(
        select(SeatRow.match_id, SeatRow.seat)
        .where(SeatRow.match_id.in_(seats))
        .order_by(SeatRow.match_id, SeatRow.seat)
    ):
        order.setdefault(match_id, []).append(seat)
    said = session.execute(
        select(StderrRow.match_id, StderrRow.seat, RecordRow.seating)
        .join(
            RecordRow,
            (RecordRow.match_id == StderrRow.match_id) & (RecordRow.number == StderrRow.record),
        )
        .where(StderrRow.match_id.in_(seats))
    )
    return {
        match_id
        for match_id, seat, seating in said
        if order[match_id][seating[seat]] == seats[match_id]
    }
