"""Matches: those of a season in a list, and one of them whole."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from itertools import groupby

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from leaderboard.models import BotRow, MatchRow, SeasonRow, SeatRow, TournamentRow, VersionRow
from leaderboard.store import Store, UnknownMatch
from leaderboard.views.of_seasons import UnknownSeason
from leaderboard.views.paging import PAGE, Page, clamped
from tables.record import Record


@dataclass(frozen=True, slots=True)
class SeatLine:
    """A seat of a match and what it came to.

    `rank` 0 is the best. `purse` is what it held afterwards, None in games that carry nothing;
    `slowest` its longest answer in microseconds.
    """

    seat: int
    bot: str
    version: int
    author: str
    language: str
    rank: int
    score: int
    purse: int | None
    hands: int
    won: int
    decisions: int
    faults: int
    struck_out: bool
    slowest: int


@dataclass(frozen=True, slots=True)
class MatchLine:
    """A match in a list, its seats in order."""

    key: str
    leg: int
    round: int
    stored: datetime
    seconds: float
    seats: tuple[SeatLine, ...]


@dataclass(frozen=True, slots=True)
class MatchPage:
    """A match whole; seat i of every record is seat i here."""

    key: str
    tournament: str
    season: int
    leg: int
    round: int
    stored: datetime
    seconds: float
    seats: tuple[SeatLine, ...]
    records: tuple[Record, ...]


def matches(
    store: Store, tournament: str, season: int, *, leg: int | None = None, page: int = 1
) -> Page[MatchLine]:
    """A season's matches, the last one stored first; those of one leg in playing order.

    Raises `UnknownSeason`.
    """
    with store.database.reading() as session:
        season_id = session.scalar(
            select(SeasonRow.id)
            .join(TournamentRow)
            .where(TournamentRow.name == tournament, SeasonRow.number == season)
        )
        if season_id is None:
            raise UnknownSeason(
                f"nothing is stored of season {season} of the tournament {tournament[:80]!r}"
            )
        chosen = [MatchRow.season_id == season_id]
        if leg is not None:
            chosen.append(MatchRow.leg == leg)
        total = session.execute(select(func.count(MatchRow.id)).where(*chosen)).scalar_one()
        page = clamped(page, total)
        order = MatchRow.id.desc() if leg is None else MatchRow.key.asc()
        rows = session.scalars(
            select(MatchRow).where(*chosen).order_by(order).limit(PAGE).offset((page - 1) * PAGE)
        ).all()
        seats = _seats(session, [row.id for row in rows])
    lines = tuple(
        MatchLine(row.key, row.leg, row.round, row.stored, row.seconds, seats[row.id])
        for row in rows
    )
    return Page(lines, page, total)


def match(store: Store, key: str) -> MatchPage:
    """One match with its records; raises `UnknownMatch`."""
    with store.database.reading() as session:
        found = session.execute(
            select(MatchRow, SeasonRow.number, TournamentRow.name)
            .join(SeasonRow, SeasonRow.id == MatchRow.season_id)
            .join(TournamentRow, TournamentRow.id == SeasonRow.tournament_id)
            .where(MatchRow.key == key)
        ).one_or_none()
        if found is None:
            raise UnknownMatch(f"no match {key[:200]!r} is stored")
        row, number, tournament = found
        seats = _seats(session, [row.id])[row.id]
    return MatchPage(
        key=row.key,
        tournament=tournament,
        season=number,
        leg=row.leg,
        round=row.round,
        stored=row.stored,
        seconds=row.seconds,
        seats=seats,
        records=store.records(key),
    )


def _seats(session: Session, match_ids: list[int]) -> dict[int, tuple[SeatLine, ...]]:
    """The seats of some matches, in order, by match."""
    rows = session.execute(
        select(SeatRow, BotRow.name, VersionRow.number, BotRow.author, VersionRow.language)
        .join(VersionRow, VersionRow.id == SeatRow.version_id)
        .join(BotRow, BotRow.id == VersionRow.bot_id)
        .where(SeatRow.match_id.in_(match_ids))
        .order_by(SeatRow.match_id, SeatRow.seat)
    )
    return {
        match_id: tuple(
            SeatLine(
                seat=row.seat,
                bot=bot,
                version=version,
                author=author,
                language=language,
                rank=row.rank,
                score=row.score,
                purse=row.purse,
                hands=row.hands,
                won=row.won,
                decisions=row.decisions,
                faults=row.faults,
                struck_out=row.struck_out,
                slowest=row.slowest,
            )
            for row, bot, version, author, language in group
        )
        for match_id, group in groupby(rows, key=lambda row: row[0].match_id)
    }
