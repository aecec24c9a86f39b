"""Bots: all of them in a list, and one with its versions, ratings, results and faults."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import groupby
from typing import Any, TypeVar

from sqlalchemy import exists, func, select
from sqlalchemy.orm import Session, aliased, defer

from leaderboard.storage.entries import Build
from leaderboard.storage.models import (
    BotRow,
    BuildRow,
    EntrantRow,
    FaultRow,
    MatchRow,
    RecordRow,
    SeasonRow,
    SeatRow,
    TournamentRow,
    VersionRow,
)
from leaderboard.storage.store import Store, UnknownBot
from leaderboard.views.addresses import Address
from leaderboard.views.paging import PAGE, Page, clamped

Row = TypeVar("Row")

PLACE = (
    *(MatchRow.key, TournamentRow.name, SeasonRow.number, MatchRow.leg, MatchRow.round),
    MatchRow.labels,
)
"""The columns that an address is made of."""

LINE = 400
"""How many points a line of ratings has at most, a tournament each."""


@dataclass(frozen=True, slots=True)
class BotLine:
    """A bot in the list of all, with its newest version; `built` is None until somebody tries.

    `tags` are its author's, `organiser_tags` those that tournaments choose by. `withdrawn` is
    since when it is entered in no new season.
    """

    name: str
    author: str
    version: int
    games: tuple[str, ...]
    language: str
    protocol: str
    about: str
    tags: tuple[str, ...]
    organiser_tags: tuple[str, ...]
    submitted: datetime
    built: bool | None
    withdrawn: datetime | None


@dataclass(frozen=True, slots=True)
class VersionLine:
    """One version of a bot; `build` is None until somebody has tried."""

    number: int
    games: tuple[str, ...]
    protocol: str
    language: str
    about: str
    tags: tuple[str, ...]
    digest: str
    submitted: datetime
    build: Build | None


@dataclass(frozen=True, slots=True)
class BotSeason:
    """A season that one of the bot's versions is entered in.

    `rank` is the season's own, 1 the best. `mu` and `sigma` are after its last match of the season,
    None where the season is not `rated`.
    """

    tournament: str
    season: int
    rated: bool
    finished: datetime | None
    version: int
    points_title: str
    points: float | None
    rank: int | None
    mu: float | None
    sigma: float | None
    sits_out: str


@dataclass(frozen=True, slots=True)
class RatingPoint:
    """The rating of one of the bot's versions after the match at this address."""

    address: Address
    stored: datetime
    version: int
    mu: float
    sigma: float


@dataclass(frozen=True, slots=True)
class BotResult:
    """A match of the bot: `rank` 0 is the best of so many `sides`.

    `partners` are the others of its own side, `others` those it played against: "davey v3" and so
    on. `games` is how many games the match had.
    """

    address: Address
    stored: datetime
    version: int
    rank: int
    sides: int
    games: int
    score: int
    purse: int | None
    hands: int
    won: int
    faults: int
    struck_out: bool
    partners: tuple[str, ...]
    others: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class FaultLine:
    """One fault, with the bot's own words: turn `turn` of game `game` (from 0) of a match.

    `wall` and `cpu` are microseconds, `peak` bytes of memory.
    """

    address: Address
    stored: datetime
    game: int
    turn: int
    seat: int
    version: int
    kind: str
    detail: str
    question: str
    answer: str
    wall: int
    cpu: int
    peak: int
    struck: bool


@dataclass(frozen=True, slots=True)
class BotPage:
    """All that a bot's page shows.

    `withdrawn` is since when it is entered in no new season, `organiser_tags` are those that
    tournaments choose by. `versions` and `seasons` are newest first, `results` one page of all
    results, newest first. `ratings` holds a line for each
    tournament, in playing order and thinned to a few hundred points. `faults` are the newest ones;
    `fault_counts` counts all of them by kind, among all `decisions`.
    """

    name: str
    author: str
    withdrawn: datetime | None
    organiser_tags: tuple[str, ...]
    versions: tuple[VersionLine, ...]
    seasons: tuple[BotSeason, ...]
    ratings: Mapping[str, tuple[RatingPoint, ...]]
    results: Page[BotResult]
    decisions: int
    fault_counts: Mapping[str, int]
    faults: tuple[FaultLine, ...]


def bots(store: Store) -> tuple[BotLine, ...]:
    """Every bot with its newest version, in order of name."""
    other = aliased(VersionRow)
    newer = exists().where(other.bot_id == VersionRow.bot_id, other.number > VersionRow.number)
    query = (
        select(VersionRow, BotRow, BuildRow.ok)
        .join(BotRow, BotRow.id == VersionRow.bot_id)
        .outerjoin(BuildRow, BuildRow.version_id == VersionRow.id)
        .where(~newer)
        .order_by(BotRow.name)
        .options(defer(VersionRow.archive))
    )
    with store.database.reading() as session:
        return tuple(
            BotLine(
                name=owner.name,
                author=owner.author,
                version=row.number,
                games=tuple(row.games),
                language=row.language,
                protocol=row.protocol,
                about=row.about,
                tags=tuple(row.tags),
                organiser_tags=tuple(owner.tags),
                submitted=row.submitted,
                built=built,
                withdrawn=owner.withdrawn,
            )
            for row, owner, built in session.execute(query)
        )


def bot(store: Store, name: str, page: int = 1, size: int = PAGE) -> BotPage:
    """One bot's page, with this page of its results; raises `UnknownBot`."""
    with store.database.reading() as session:
        owner = session.scalar(select(BotRow).where(BotRow.name == name))
        if owner is None:
            raise UnknownBot(f"no bot is called {name[:80]!r}")
        rows = session.execute(
            select(VersionRow, BuildRow)
            .outerjoin(BuildRow, BuildRow.version_id == VersionRow.id)
            .where(VersionRow.bot_id == owner.id)
            .order_by(VersionRow.number.desc())
            .options(defer(VersionRow.archive))
        ).all()
        numbers = {row.id: row.number for row, _ in rows}
        counts = (
            select(FaultRow.kind, func.count().label("many"))
            .where(FaultRow.version_id.in_(numbers))
            .group_by(FaultRow.kind)
            .order_by(FaultRow.kind)
        )
        decisions = select(func.sum(SeatRow.decisions)).where(SeatRow.version_id.in_(numbers))
        return BotPage(
            name=owner.name,
            author=owner.author,
            withdrawn=owner.withdrawn,
            organiser_tags=tuple(owner.tags),
            versions=tuple(_version(row, build) for row, build in rows),
            seasons=tuple(_seasons(session, numbers)),
            ratings=_ratings(session, numbers),
            results=_results(session, numbers, page, size),
            decisions=session.scalar(decisions) or 0,
            fault_counts={row.kind: row.many for row in session.execute(counts)},
            faults=tuple(_faults(session, numbers)),
        )


def _version(row: VersionRow, build: BuildRow | None) -> VersionLine:
    return VersionLine(
        number=row.number,
        games=tuple(row.games),
        protocol=row.protocol,
        language=row.language,
        about=row.about,
        tags=tuple(row.tags),
        digest=row.digest,
        submitted=row.submitted,
        build=Build(build.ok, build.reason, build.log, build.built) if build else None,
    )


def _seasons(session: Session, numbers: Mapping[int, int]) -> Iterator[BotSeason]:
    rows = session.execute(
        select(EntrantRow, SeasonRow, TournamentRow.name)
        .join(SeasonRow, SeasonRow.id == EntrantRow.season_id)
        .join(TournamentRow, TournamentRow.id == SeasonRow.tournament_id)
        .where(EntrantRow.version_id.in_(numbers))
        .order_by(SeasonRow.id.desc(), EntrantRow.place)
    )
    for entrant, season, tournament in rows:
        yield BotSeason(
            tournament=tournament,
            season=season.number,
            rated=season.rated,
            finished=season.finished,
            version=numbers[entrant.version_id],
            points_title=season.points_title,
            points=entrant.points,
            rank=entrant.rank,
            mu=entrant.mu,
            sigma=entrant.sigma,
            sits_out=entrant.sits_out,
        )


def _ratings(session: Session, numbers: Mapping[int, int]) -> Mapping[str, tuple[RatingPoint, ...]]:
    rows = session.execute(
        select(*PLACE, MatchRow.stored, SeatRow.version_id, SeatRow.mu, SeatRow.sigma)
        .join(MatchRow, MatchRow.id == SeatRow.match_id)
        .join(SeasonRow, SeasonRow.id == MatchRow.season_id)
        .join(TournamentRow, TournamentRow.id == SeasonRow.tournament_id)
        .where(SeatRow.version_id.in_(numbers), SeatRow.mu.is_not(None))
        .order_by(TournamentRow.name, SeasonRow.number, MatchRow.key)
    )
    return {
        tournament: tuple(
            RatingPoint(_address(row), row.stored, numbers[row.version_id], row.mu, row.sigma)
            for row in _thinned(list(group))
        )
        for tournament, group in groupby(rows, key=lambda row: row.name)
    }


def _address(row: Any) -> Address:
    """Read the columns of `PLACE`."""
    return Address(row.key, row.name, row.number, row.leg, row.round, tuple(row.labels))


def _thinned(rows: Sequence[Row]) -> Sequence[Row]:
    """Every so many-th of a long list, counted from its end, so that the newest stays."""
    step = -(-len(rows) // LINE)
    return rows[(len(rows) - 1) % step :: step]


def _results(session: Session, numbers: Mapping[int, int], page: int, size: int) -> Page[BotResult]:
    mine = SeatRow.version_id.in_(numbers)
    total = session.execute(select(func.count()).where(mine)).scalar_one()
    page = clamped(page, total, size)
    rows = session.execute(
        select(SeatRow, MatchRow, SeasonRow.number, TournamentRow.name)
        .join(MatchRow, MatchRow.id == SeatRow.match_id)
        .join(SeasonRow, SeasonRow.id == MatchRow.season_id)
        .join(TournamentRow, TournamentRow.id == SeasonRow.tournament_id)
        .where(mine)
        .order_by(SeatRow.match_id.desc(), SeatRow.seat)
        .limit(size)
        .offset((page - 1) * size)
    ).all()
    tables = session.execute(
        select(SeatRow.match_id, SeatRow.seat, SeatRow.side, BotRow.name, VersionRow.number)
        .join(VersionRow, VersionRow.id == SeatRow.version_id)
        .join(BotRow, BotRow.id == VersionRow.bot_id)
        .where(SeatRow.match_id.in_([row[1].id for row in rows]))
        .order_by(SeatRow.match_id, SeatRow.seat)
    )
    labels = {
        match_id: [(seat, side, f"{name} v{number}") for _, seat, side, name, number in group]
        for match_id, group in groupby(tables, key=lambda row: row.match_id)
    }
    games = dict(
        session.execute(
            select(RecordRow.match_id, func.count())
            .where(RecordRow.match_id.in_(labels))
            .group_by(RecordRow.match_id)
        ).all()
    )
    results = tuple(
        BotResult(
            address=Address(
                match.key, tournament, season, match.leg, match.round, tuple(match.labels)
            ),
            stored=match.stored,
            version=numbers[seat.version_id],
            rank=seat.rank,
            sides=len({side for _, side, _ in labels[match.id]}),
            games=games[match.id],
            score=seat.score,
            purse=seat.purse,
            hands=seat.hands,
            won=seat.won,
            faults=seat.faults,
            struck_out=seat.struck_out,
            partners=tuple(
                label
                for chair, side, label in labels[match.id]
                if side == seat.side and chair != seat.seat
            ),
            others=tuple(label for _, side, label in labels[match.id] if side != seat.side),
        )
        for seat, match, season, tournament in rows
    )
    return Page(results, page, total, size)


def _faults(session: Session, numbers: Mapping[int, int]) -> Iterator[FaultLine]:
    rows = session.execute(
        select(FaultRow, MatchRow.stored, *PLACE)
        .join(MatchRow, MatchRow.id == FaultRow.match_id)
        .join(SeasonRow, SeasonRow.id == MatchRow.season_id)
        .join(TournamentRow, TournamentRow.id == SeasonRow.tournament_id)
        .join(
            SeatRow,
            (SeatRow.match_id == FaultRow.match_id) & (SeatRow.version_id == FaultRow.version_id),
        )
        .where(FaultRow.version_id.in_(numbers))
        .order_by(FaultRow.match_id.desc(), FaultRow.record.desc(), FaultRow.turn.desc())
        .limit(PAGE)
    )
    for found in rows:
        row = found.FaultRow
        yield FaultLine(
            address=_address(found),
            stored=found.stored,
            game=row.record,
            turn=row.turn,
            seat=row.seat,
            version=numbers[row.version_id],
            kind=row.kind,
            detail=row.detail,
            question=row.question,
            answer=row.answer,
            wall=row.wall,
            cpu=row.cpu,
            peak=row.peak,
            struck=row.struck,
        )
