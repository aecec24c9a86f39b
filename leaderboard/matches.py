"""Matches: the list of a season's matches, and one match in full."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass, replace
from datetime import datetime
from itertools import groupby
from typing import Annotated, Any

from pydantic import InstanceOf, PlainSerializer, WithJsonSchema
from sqlalchemy import func, select, tuple_, union_all
from sqlalchemy.orm import Session

from leaderboard.paging import PAGE, Page, clamped
from leaderboard.seasons import UnknownSeason
from results.curtain import Curtain, curtain_of
from results.matches import UnknownMatch
from results.models import BotRow, LegRow, MatchRow, SeasonRow, SeatRow, TournamentRow, VersionRow
from results.store import Store
from tables.record import Record
from tables.seating import Seating, boards

COLUMNS = (
    *(MatchRow.key, TournamentRow.name, SeasonRow.number, MatchRow.leg, MatchRow.round),
    MatchRow.labels,
)
"""The columns that `address` reads."""


@dataclass(frozen=True, slots=True)
class Address:
    """A match's place: its season, leg, round and table.

    `labels` name it within its season: the leg (if there are several), the round and the table.
    """

    key: str
    tournament: str
    season: int
    leg: int
    round: int
    labels: tuple[str, ...]

    @property
    def table(self) -> str:
        """The name of its table: "table A"."""
        return self.labels[-1]

    @property
    def part(self) -> tuple[str, ...]:
        """The labels of its round: the leg (if there are several) and the round."""
        return self.labels[:-1]


MatchAddress = Annotated[
    InstanceOf[Address],
    PlainSerializer(lambda address: address.key, return_type=str),
    WithJsonSchema({"type": "string"}),
]
"""The address of a match in a model: pages read its parts, programs get its key."""


def address(row: Any) -> Address:
    """The address in a row that has `COLUMNS`."""
    return Address(row.key, row.name, row.number, row.leg, row.round, tuple(row.labels))


AT_ONCE = 500
"""How many matches are read at a time when all are wanted."""


@dataclass(frozen=True, slots=True)
class SeatLine:
    """An entrant of a match and its totals over all its chairs and games.

    `seat` is its chair in the first game (the first chair if it holds several), and `side` the side
    it plays for; entrants of one side are partners. `rank` 0 is the best. `purse` is what it held
    afterwards, None if nothing carries over; `slowest` is its longest answer in microseconds.
    """

    seat: int
    side: int
    bot: str
    version: int
    author: str
    language: str
    rank: int
    score: int
    purse: int | None
    hands: int
    decisions: int
    faults: int
    forgiven: int
    struck_out: bool
    slowest: int


@dataclass(frozen=True, slots=True)
class MatchLine:
    """A match in a list, its entrants in the order of their first chairs."""

    key: str
    tournament: str
    season: int
    leg: int
    round: int
    labels: tuple[str, ...]
    stored: datetime
    seconds: float
    seats: tuple[SeatLine, ...]

    @property
    def address(self) -> Address:
        return _address(self)


@dataclass(frozen=True, slots=True)
class MatchPage:
    """A match in full.

    `seats` are its entrants; `seatings` says for every record which of them sits in which seat.
    `rated` says whether the season's matches count for ratings.
    """

    key: str
    tournament: str
    season: int
    rated: bool
    leg: int
    round: int
    labels: tuple[str, ...]
    stored: datetime
    seconds: float
    seats: tuple[SeatLine, ...]
    seatings: tuple[Seating, ...]
    records: tuple[Record, ...]

    @property
    def address(self) -> Address:
        return _address(self)

    @property
    def boards(self) -> tuple[int, ...]:
        """The board of every record, from 0; games of one board were dealt the same packs."""
        return boards(self.seatings)

    def at_table(self, number: int) -> tuple[SeatLine, ...]:
        """The entrants of this record, seat by seat; one that holds two chairs appears twice."""
        return tuple(self.seats[entrant] for entrant in self.seatings[number])


def matches(
    store: Store,
    tournament: str,
    season: int,
    *,
    leg: int | None = None,
    versions: Collection[int] | None = None,
    page: int = 1,
    size: int = PAGE,
) -> Page[MatchLine]:
    """A season's matches, the last one stored first; with a leg, its matches in playing order.

    With `versions`, only the matches that one of these played. Raises `UnknownSeason`.
    """
    with store.database.reading() as session:
        season_id = season_of(session, tournament, season)
        chosen = [MatchRow.season_id == season_id]
        if leg is not None:
            chosen.append(MatchRow.leg == leg)
        if versions is not None:
            sat = select(SeatRow.match_id).where(SeatRow.version_id.in_(versions))
            chosen.append(MatchRow.id.in_(sat))
        if versions is None:
            total = _counted(session, season_id, leg)
        else:
            total = session.execute(select(func.count(MatchRow.id)).where(*chosen)).scalar_one()
        page = clamped(page, total, size)
        order = MatchRow.id.desc() if leg is None else MatchRow.key.asc()
        rows = session.scalars(
            select(MatchRow).where(*chosen).order_by(order).limit(size).offset((page - 1) * size)
        ).all()
        seats = _seats(session, [row.id for row in rows])
    lines = tuple(_line(row, tournament, season, seats[row.id]) for row in rows)
    return Page(lines, page, total, size)


def in_key_order(store: Store, tournament: str, season: int) -> Iterator[MatchLine]:
    """All matches of a season in the order of their keys; raises `UnknownSeason`.

    They are read a few hundred at a time, so whoever stores matches meanwhile never waits long.
    """
    key = ""
    while True:
        with store.database.reading() as session:
            season_id = season_of(session, tournament, season)
            rows = session.scalars(
                select(MatchRow)
                .where(MatchRow.season_id == season_id, MatchRow.key > key)
                .order_by(MatchRow.key)
                .limit(AT_ONCE)
            ).all()
            seats = _seats(session, [row.id for row in rows])
        if not rows:
            return
        key = rows[-1].key
        yield from (_line(row, tournament, season, seats[row.id]) for row in rows)


def season_of(session: Session, tournament: str, season: int) -> int:
    """The id of a season; raises `UnknownSeason`."""
    season_id = session.scalar(
        select(SeasonRow.id)
        .join(TournamentRow)
        .where(TournamentRow.name == tournament, SeasonRow.number == season)
    )
    if season_id is None:
        raise UnknownSeason(
            f"nothing is stored of season {season} of the tournament {tournament[:80]!r}"
        )
    return season_id


def _counted(session: Session, season_id: int, leg: int | None) -> int:
    """How many matches a season, or one of its legs, has."""
    if season_id in curtain_of(session).frozen:  # whose sums are hidden, but not all its matches
        there = select(func.count(MatchRow.id)).where(MatchRow.season_id == season_id)
        return session.scalar(there if leg is None else there.where(MatchRow.leg == leg)) or 0
    query = select(func.sum(LegRow.matches)).where(LegRow.season_id == season_id)
    return session.scalar(query if leg is None else query.where(LegRow.leg == leg)) or 0


def recent(store: Store, each: int, tournaments: int = 20) -> tuple[MatchLine, ...]:
    """The latest matches of tournaments' newest seasons, `each` per season, newest first.

    Of all tournaments, those are looked at that played last.
    """
    newest = select(SeasonRow.tournament_id, func.max(SeasonRow.number)).group_by(
        SeasonRow.tournament_id
    )
    played_last = (
        select(SeasonRow.id)
        .join(LegRow, LegRow.season_id == SeasonRow.id)
        .where(tuple_(SeasonRow.tournament_id, SeasonRow.number).in_(newest))
        .group_by(SeasonRow.id)
        .order_by(func.max(LegRow.newest).desc())
        .limit(tournaments)
    )
    with store.database.reading() as session:
        latest = [
            select(MatchRow.id)
            .where(MatchRow.season_id == season_id)
            .order_by(MatchRow.id.desc())
            .limit(each)
            .subquery()
            for season_id in session.scalars(played_last)
        ]
        if not latest:
            return ()
        rows = session.execute(
            select(MatchRow, SeasonRow.number, TournamentRow.name)
            .join(SeasonRow, SeasonRow.id == MatchRow.season_id)
            .join(TournamentRow, TournamentRow.id == SeasonRow.tournament_id)
            .where(MatchRow.id.in_(union_all(*(select(each.c.id) for each in latest))))
            .order_by(MatchRow.id.desc())
        ).all()
        seats = _seats(session, [row.id for row, _, _ in rows])
    return tuple(_line(row, name, number, seats[row.id]) for row, number, name in rows)


def _line(row: MatchRow, tournament: str, season: int, seats: tuple[SeatLine, ...]) -> MatchLine:
    return MatchLine(
        key=row.key,
        tournament=tournament,
        season=season,
        leg=row.leg,
        round=row.round,
        labels=tuple(row.labels),
        stored=row.stored,
        seconds=row.seconds,
        seats=seats,
    )


def _address(match: MatchLine | MatchPage) -> Address:
    return Address(match.key, match.tournament, match.season, match.leg, match.round, match.labels)


def match(store: Store, key: str) -> MatchPage:
    """One match with its records; raises `UnknownMatch`."""
    with store.database.reading() as session:
        found = session.execute(
            select(MatchRow, SeasonRow.number, SeasonRow.rated, TournamentRow.name)
            .join(SeasonRow, SeasonRow.id == MatchRow.season_id)
            .join(TournamentRow, TournamentRow.id == SeasonRow.tournament_id)
            .where(MatchRow.key == key)
        ).one_or_none()
        if found is None:
            raise UnknownMatch(f"no match {key[:200]!r} is stored")
        row, number, rated, tournament = found
        seats = _seats(session, [row.id])[row.id]
    seatings, records = zip(*store.games(key), strict=True)
    return MatchPage(
        key=row.key,
        tournament=tournament,
        season=number,
        rated=rated,
        leg=row.leg,
        round=row.round,
        labels=tuple(row.labels),
        stored=row.stored,
        seconds=row.seconds,
        seats=seats,
        seatings=seatings,
        records=records,
    )


def _seats(session: Session, match_ids: list[int]) -> dict[int, tuple[SeatLine, ...]]:
    """The entrants of some matches, in order, by match."""
    rows = session.execute(
        select(SeatRow, BotRow.name, VersionRow.number, BotRow.author, VersionRow.language)
        .join(VersionRow, VersionRow.id == SeatRow.version_id)
        .join(BotRow, BotRow.id == VersionRow.bot_id)
        .where(SeatRow.match_id.in_(match_ids))
        .order_by(SeatRow.match_id, SeatRow.seat)
    )
    curtain = curtain_of(session)
    return {
        match_id: tuple(
            _masked(
                curtain,
                row.season_id,
                SeatLine(
                    seat=row.seat,
                    side=row.side,
                    bot=bot,
                    version=version,
                    author=author,
                    language=language,
                    rank=row.rank,
                    score=row.score,
                    purse=row.purse,
                    hands=row.hands,
                    decisions=row.decisions,
                    faults=row.faults,
                    forgiven=row.forgiven,
                    struck_out=row.struck_out,
                    slowest=row.slowest,
                ),
            )
            for row, bot, version, author, language in group
        )
        for match_id, group in groupby(rows, key=lambda row: row[0].match_id)
    }


def _masked(curtain: Curtain, season_id: int, line: SeatLine) -> SeatLine:
    """An entrant by the name that a reader may see."""
    alias = curtain.name(season_id, line.bot)
    if alias == line.bot:
        return line
    return replace(line, bot=alias, version=1, author="", language="")
