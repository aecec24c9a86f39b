"""Tournaments, their seasons, and the standings of one season."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from itertools import groupby
from typing import Any, Literal

from sqlalchemy import case, func, select, tuple_
from sqlalchemy.orm import Session, aliased

from leaderboard.statistics.comparability import groups
from leaderboard.statistics.ratings import Rating
from leaderboard.storage.database import Unknown
from leaderboard.storage.models import (
    BotRow,
    EntrantRow,
    MatchRow,
    SeasonRow,
    SeatRow,
    TournamentRow,
    VersionRow,
)
from leaderboard.storage.store import Store
from tables.dealing import commitment

State = Literal["running", "finished"]

COUNTS = ("tables", "struck_out", "hands", "won", "decisions", "faults", "slowest")
"""The columns of the standings that are summed up from the season's seats."""


class UnknownSeason(Unknown):
    """No tournament of this name has a season of this number; raised by every view of one."""


@dataclass(frozen=True, slots=True)
class TournamentLine:
    """A tournament in the list of all, with its newest season.

    `settings` are those that the season was begun with; `rated` says whether its matches count
    for ratings. `matches` of the `planned` ones are played: None where nobody can tell, a
    bound where it is `at_most`.
    """

    name: str
    game: str
    season: int
    state: State
    entrants: int
    matches: int
    planned: int | None
    at_most: bool
    started: datetime
    finished: datetime | None
    points_title: str
    rated: bool
    settings: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Leader:
    """One of the first few of a season by points; `rank` 1 is the best, and equals share it."""

    rank: int
    bot: str
    version: int
    points: float


def places(points: float) -> int:
    """How many places a season's points are told with: leads below ten need a second one."""
    return 2 if abs(points) < 10 else 1


@dataclass(frozen=True, slots=True)
class SeasonFacts:
    """What is known of a season; `rated` says whether its matches count for ratings.

    `seed` is in hex and None until the season is finished; `commitment` is its SHA-256. `legs`
    are the legs that have matches, `leg_title` is what they are called; `seasons` are the numbers
    of all seasons of the tournament.
    `newest` is when the last match was stored. `settings` are as they were frozen. `matches` of
    the `planned` ones are played: None where nobody can tell, a bound where it is `at_most`.
    """

    id: int
    tournament: str
    number: int
    state: State
    points_title: str
    leg_title: str
    rated: bool
    settings: Mapping[str, Any]
    commitment: str
    seed: str | None
    due: datetime
    started: datetime
    finished: datetime | None
    newest: datetime | None
    matches: int
    planned: int | None
    at_most: bool
    legs: tuple[int, ...]
    seasons: tuple[int, ...]

    @property
    def game(self) -> str:
        """The game's name."""
        return str(self.settings.get("game", ""))


@dataclass(frozen=True, slots=True)
class Standing:
    """One version's line in the standings.

    `rank` is the format's, by its `points` and the `tie_breaks` between equal ones, and
    `rating_rank` is by rating: 1 is the best, ties are shared, and None is where there is none yet.
    `mu` and `sigma` are after its last match of the season. The counts are the season's: `tables`
    it sat at, those where it was `struck_out`, the `hands` it was dealt and those it `won`, its
    `decisions` and the `faults` among them; `slowest` is its longest answer in microseconds.
    Ratings are comparable within a `group`: 1 is the largest, None a version that has not played.
    `sits_out` is the reason why, where it does not.
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
    mu: float | None
    sigma: float | None
    tables: int
    struck_out: int
    hands: int
    won: int
    decisions: int
    faults: int
    slowest: int
    group: int | None
    sits_out: str

    @property
    def rating(self) -> float | None:
        """The rating that is shown: mu - 3 sigma."""
        if self.mu is None or self.sigma is None:
            return None
        return Rating(self.mu, self.sigma).shown


@dataclass(frozen=True, slots=True)
class SeasonTable:
    """A season and its standings, the best first; `groups` is how many don't know each other."""

    season: SeasonFacts
    standings: tuple[Standing, ...]

    @property
    def groups(self) -> int:
        """How many groups of versions there are whose ratings can't be compared."""
        return max((line.group or 0 for line in self.standings), default=0)


def tournaments(store: Store) -> tuple[TournamentLine, ...]:
    """Every tournament with its newest season, the one that began last first."""
    newest = (
        select(SeasonRow.tournament_id, func.max(SeasonRow.number).label("number"))
        .group_by(SeasonRow.tournament_id)
        .subquery()
    )
    matches = (
        select(func.count())
        .where(MatchRow.season_id == SeasonRow.id)
        .correlate(SeasonRow)
        .scalar_subquery()
    )
    entrants = (
        select(func.count())
        .where(EntrantRow.season_id == SeasonRow.id)
        .correlate(SeasonRow)
        .scalar_subquery()
    )
    query = (
        select(TournamentRow.name, SeasonRow, entrants, matches)
        .join(SeasonRow, SeasonRow.tournament_id == TournamentRow.id)
        .join(
            newest,
            (newest.c.tournament_id == SeasonRow.tournament_id)
            & (newest.c.number == SeasonRow.number),
        )
        .order_by(SeasonRow.started.desc(), SeasonRow.id.desc())
    )
    with store.database.reading() as session:
        return tuple(
            TournamentLine(
                name=name,
                game=str(row.settings.get("game", "")),
                season=row.number,
                state=_state(row),
                entrants=entered,
                matches=played,
                planned=row.planned,
                at_most=row.at_most,
                started=row.started,
                finished=row.finished,
                points_title=row.points_title,
                rated=row.rated,
                settings=row.settings,
            )
            for name, row, entered, played in session.execute(query)
        )


def leaders(store: Store, count: int = 3) -> Mapping[str, tuple[Leader, ...]]:
    """The first few of every tournament's newest season by points, by the tournament's name."""
    newest = select(SeasonRow.tournament_id, func.max(SeasonRow.number)).group_by(
        SeasonRow.tournament_id
    )
    place = func.row_number().over(
        partition_by=EntrantRow.season_id, order_by=(EntrantRow.rank, EntrantRow.place)
    )
    first = select(EntrantRow, place.label("number")).where(EntrantRow.rank.is_not(None)).subquery()
    query = (
        select(TournamentRow.name, first.c.rank, BotRow.name, VersionRow.number, first.c.points)
        .join(SeasonRow, SeasonRow.tournament_id == TournamentRow.id)
        .join(first, first.c.season_id == SeasonRow.id)
        .join(VersionRow, VersionRow.id == first.c.version_id)
        .join(BotRow, BotRow.id == VersionRow.bot_id)
        .where(tuple_(SeasonRow.tournament_id, SeasonRow.number).in_(newest))
        .where(first.c.number <= count)
        .order_by(TournamentRow.name, first.c.number)
    )
    with store.database.reading() as session:
        return {
            tournament: tuple(Leader(*columns) for _, *columns in group)
            for tournament, group in groupby(session.execute(query), key=lambda row: row[0])
        }


def standings(store: Store, tournament: str, number: int | None = None) -> SeasonTable:
    """A season's standings, the newest one's without a number; raises `UnknownSeason`.

    By points; then, and while there are none, by rating; those that sit out come last.
    """
    with store.database.reading() as session:
        row, facts = _season(session, tournament, number)
        lines = _lines(session, row)
    ratings = [line.rating for line in lines if line.rating is not None]
    ranked = [replace(line, rating_rank=_rank(line.rating, ratings)) for line in lines]
    return SeasonTable(facts, tuple(sorted(ranked, key=_order)))


def _season(session: Session, tournament: str, number: int | None) -> tuple[SeasonRow, SeasonFacts]:
    rows = session.scalars(
        select(SeasonRow)
        .join(TournamentRow)
        .where(TournamentRow.name == tournament)
        .order_by(SeasonRow.number)
    ).all()
    row = next((row for row in reversed(rows) if number in (None, row.number)), None)
    if row is None:
        what = f"season {number} of " if number is not None and rows else ""
        raise UnknownSeason(f"nothing is stored of {what}the tournament {tournament[:80]!r}")
    legs = session.execute(
        select(MatchRow.leg, func.count(), func.max(MatchRow.stored))
        .where(MatchRow.season_id == row.id)
        .group_by(MatchRow.leg)
        .order_by(MatchRow.leg)
    ).all()
    return row, SeasonFacts(
        id=row.id,
        tournament=tournament,
        number=row.number,
        state=_state(row),
        points_title=row.points_title,
        leg_title=row.leg_title,
        rated=row.rated,
        settings=row.settings,
        commitment=commitment(row.seed),
        seed=row.seed.hex() if row.finished is not None else None,
        due=row.due,
        started=row.started,
        finished=row.finished,
        newest=max((stored for _, _, stored in legs), default=None),
        matches=sum(count for _, count, _ in legs),
        planned=row.planned,
        at_most=row.at_most,
        legs=tuple(leg for leg, _, _ in legs),
        seasons=tuple(each.number for each in rows),
    )


def _lines(session: Session, season: SeasonRow) -> list[Standing]:
    """Every entrant's line, still without its rank by rating."""
    counts = (
        select(
            SeatRow.version_id,
            func.count().label("tables"),
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
    played = [row.EntrantRow.version_id for row in rows if row.tables]
    group = _groups(session, season, played)
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
            mu=row.EntrantRow.mu,
            sigma=row.EntrantRow.sigma,
            **{name: int(getattr(row, name) or 0) for name in COUNTS},
            group=group.get(row.EntrantRow.version_id),
            sits_out=row.EntrantRow.sits_out,
        )
        for row in rows
    ]


def _groups(session: Session, season: SeasonRow, played: Sequence[int]) -> Mapping[int, int]:
    """The group of every version that played, from 1.

    Ratings go on from season to season, so earlier ones link versions too; they are only looked
    at where this one leaves its versions apart.
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
        earlier = select(SeasonRow.id).where(
            SeasonRow.tournament_id == season.tournament_id, SeasonRow.number <= season.number
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


def _state(row: SeasonRow) -> State:
    return "running" if row.finished is None else "finished"
