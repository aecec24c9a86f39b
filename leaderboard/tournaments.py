"""Tournaments: the list of all with their newest seasons, and the leaders of each."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from itertools import groupby

from sqlalchemy import func, or_, select, tuple_
from sqlalchemy.orm import Session

from common.cron import runs_after
from common.moments import written
from leaderboard.plans import Announcement
from leaderboard.seasons import State, paces, state_of
from leaderboard.standings import board_lines, masked_lines
from ratings.pace import Pace
from results.curtain import Curtain, Frozen, curtain_of
from results.models import (
    BotRow,
    EntrantRow,
    InterventionRow,
    LegRow,
    SeasonRow,
    TournamentRow,
    VersionRow,
)
from results.season_settings import SeasonSettings
from results.store import Store


@dataclass(frozen=True, slots=True)
class TournamentLine:
    """A tournament in the list of all tournaments, with its newest season.

    `settings` are those that the season began with. `matches` counts those played so far out of
    `planned`: None if that number is not known, and an upper bound if `at_most` is set. `pace` is
    that of a running season.
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
    settings: SeasonSettings
    pace: Pace | None = None

    @property
    def rated(self) -> bool:
        """Whether its matches count for ratings."""
        return self.settings.facts.rated

    @property
    def points_title(self) -> str:
        """What its points are called."""
        return self.settings.facts.points_title

    @property
    def by_rating(self) -> bool:
        """Whether the season's standings are in the order of ratings."""
        return self.settings.by_rating


@dataclass(frozen=True, slots=True)
class Leader:
    """One of the first in a season's standings; `rank` 1 is the best, and equals share a rank."""

    rank: int
    bot: str
    version: int
    points: float


def tournaments(store: Store) -> tuple[TournamentLine, ...]:
    """Every tournament with its newest season, in order of the latest beginning."""
    newest = (
        select(SeasonRow.tournament_id, func.max(SeasonRow.number).label("number"))
        .group_by(SeasonRow.tournament_id)
        .subquery()
    )
    matches = (
        select(func.coalesce(func.sum(LegRow.matches), 0))
        .where(LegRow.season_id == SeasonRow.id)
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
        rows = session.execute(query).all()
        running = paces(session, [row.id for _, row, _, _ in rows if row.finished is None])
        frozen = curtain_of(session).frozen
        return tuple(
            as_frozen(
                frozen.get(row.id),
                TournamentLine(
                    name=name,
                    game=row.settings.game,
                    season=row.number,
                    state=state_of(row),
                    entrants=entered,
                    matches=played,
                    planned=row.planned,
                    at_most=row.at_most,
                    started=row.started,
                    finished=row.finished,
                    settings=row.settings,
                    pace=running.get(row.id),
                ),
            )
            for name, row, entered, played in rows
        )


def tournament_names(store: Store) -> tuple[str, ...]:
    """The names of all tournaments that are announced or were played, in order."""
    played = select(SeasonRow.id).where(SeasonRow.tournament_id == TournamentRow.id).exists()
    known = or_(TournamentRow.announced.is_not(None), played)
    query = select(TournamentRow.name).where(known).order_by(TournamentRow.name)
    with store.database.reading() as session:
        return tuple(session.scalars(query))


def played_tournaments(store: Store) -> tuple[str, ...]:
    """The names of all tournaments that were played, in order of the latest beginning.

    It reads no settings, so it works where those of a season are damaged.
    """
    query = (
        select(TournamentRow.name)
        .join(SeasonRow, SeasonRow.tournament_id == TournamentRow.id)
        .group_by(TournamentRow.id, TournamentRow.name)
        .order_by(func.max(SeasonRow.started).desc(), func.max(SeasonRow.id).desc())
    )
    with store.database.reading() as session:
        return tuple(session.scalars(query))


def as_frozen(frozen: Frozen | None, line: TournamentLine) -> TournamentLine:
    """A tournament with the counts of its season's board, if it is frozen."""
    if frozen is None:
        return line
    board = frozen.board.data if frozen.board else {}
    return replace(
        line,
        entrants=len(board.get("lines", ())),
        matches=board.get("matches", 0),
        planned=board.get("planned"),
        at_most=board.get("at_most", False),
        pace=None,
    )


def leaders(store: Store, count: int = 3) -> Mapping[str, tuple[Leader, ...]]:
    """The first in the standings of every tournament's newest season, under its name."""
    newest = select(SeasonRow.tournament_id, func.max(SeasonRow.number)).group_by(
        SeasonRow.tournament_id
    )
    place = func.row_number().over(
        partition_by=EntrantRow.season_id, order_by=(EntrantRow.rank, EntrantRow.place)
    )
    seasons = select(SeasonRow.id).where(
        tuple_(SeasonRow.tournament_id, SeasonRow.number).in_(newest)
    )
    first = (
        select(EntrantRow, place.label("number"))
        .where(EntrantRow.rank.is_not(None), EntrantRow.season_id.in_(seasons))
        .subquery()
    )
    query = (
        select(
            TournamentRow.name,
            SeasonRow.id,
            first.c.rank,
            BotRow.name,
            VersionRow.number,
            first.c.points,
        )
        .join(SeasonRow, SeasonRow.tournament_id == TournamentRow.id)
        .join(first, first.c.season_id == SeasonRow.id)
        .join(VersionRow, VersionRow.id == first.c.version_id)
        .join(BotRow, BotRow.id == VersionRow.bot_id)
        .where(first.c.number <= count)
        .order_by(TournamentRow.name, first.c.number)
    )
    with store.database.reading() as session:
        curtain = curtain_of(session)
        rows = [row for row in session.execute(query) if curtain.tells_place(row.id, row.rank)]
        found = {
            tournament: tuple(_leader(curtain, *columns) for _, *columns in group)
            for tournament, group in groupby(rows, key=lambda row: row[0])
        }
        return {**found, **_frozen_leaders(session, curtain, count)} if curtain.frozen else found


def _leader(
    curtain: Curtain, season_id: int, rank: int, bot: str, version: int, points: float
) -> Leader:
    name = curtain.name(season_id, bot)
    return Leader(rank, name, version if name == bot else 1, points)


def _frozen_leaders(
    session: Session, curtain: Curtain, count: int
) -> Mapping[str, tuple[Leader, ...]]:
    """The first of those newest seasons whose standings stand still."""
    newest = select(SeasonRow.tournament_id, func.max(SeasonRow.number)).group_by(
        SeasonRow.tournament_id
    )
    rows = session.execute(
        select(SeasonRow.id, TournamentRow.name)
        .join(TournamentRow)
        .where(
            SeasonRow.id.in_([*curtain.frozen]),
            tuple_(SeasonRow.tournament_id, SeasonRow.number).in_(newest),
        )
    )
    found = {}
    for season_id, name in rows:
        lines = masked_lines(board_lines(curtain.frozen[season_id].board), season_id, curtain)
        first = [line for line in lines if line.rank is not None and line.points is not None]
        found[name] = tuple(
            Leader(line.rank or 0, line.bot, line.version, line.points or 0.0)
            for line in sorted(first, key=lambda line: line.rank or 0)[:count]
        )
    return {name: leaders for name, leaders in found.items() if leaders}


SoFar = tuple[int, datetime | None, int]
"""How many matches are stored, when the newest was, and how many interventions there were: it
changes with whatever changes what matches come to."""


def matches_so_far(store: Store, tournament: str | None = None) -> SoFar:
    """How much a tournament has played, or all together; (0, None, 0) for an unknown one."""
    query = select(func.sum(LegRow.matches), func.max(LegRow.newest))
    done = select(func.count()).select_from(InterventionRow)
    if tournament is not None:
        seasons = (
            select(SeasonRow.id)
            .join(TournamentRow, TournamentRow.id == SeasonRow.tournament_id)
            .where(TournamentRow.name == tournament)
        )
        query = query.where(LegRow.season_id.in_(seasons))
        done = done.where(InterventionRow.season_id.in_(seasons))
    with store.database.reading() as session:
        count, newest = session.execute(query).one()
        return int(count or 0), newest, session.scalars(done).one()


AS_SOON_AS_POSSIBLE = "as soon as the season before is finished"
AS_SOON_AS_WANTED = "as soon as a bot is new"

AS_SOON_AS_THERE_ARE_BOTS = "as soon as enough bots are entered"

WITHOUT_DATE = {"always": AS_SOON_AS_POSSIBLE, "new bots": AS_SOON_AS_WANTED}
"""When a season begins after another one, for schedules that are no calendar."""


@dataclass(frozen=True, slots=True)
class Upcoming:
    """When a tournament's next season starts: at `moment`, shown in the schedule's `zone`.

    That is the deadline for entries as well. `moment` is None if there is no such date: for a
    season that `follows` another one, or new bots, without a calendar, which says when in words,
    and for first seasons without any schedule, which start when their organiser says so.
    """

    moment: datetime | None
    zone: str
    follows: str = ""

    @property
    def start(self) -> str:
        """When it starts, in words, if it has no date."""
        return self.follows or "when its organiser starts it"


def next_run(settings: SeasonSettings, now: datetime) -> datetime | None:
    """The next due time after `now`, in UTC; None for a tournament without a calendar."""
    schedule = settings.schedule
    if not isinstance(schedule, Mapping):
        return None
    return next(runs_after(schedule["cron"], zone_of(settings), now), None)


def zone_of(settings: SeasonSettings) -> str:
    """The name of a schedule's time zone."""
    schedule = settings.schedule
    return str(schedule.get("zone", "UTC")) if isinstance(schedule, Mapping) else "UTC"


def moment_in(moment: datetime, zone: str) -> str:
    """Write a moment in the local time of a schedule's zone, and in UTC."""
    return written(moment, zone)


def without_date(schedule: object, *, first: bool) -> str:
    """When a season begins by a schedule that is no calendar, in words; empty without any.

    The first one waits for nothing but its players.
    """
    if not isinstance(schedule, str):
        return ""
    return AS_SOON_AS_THERE_ARE_BOTS if first else WITHOUT_DATE[schedule]


def upcoming(
    announced: Iterable[Announcement], now: datetime
) -> Sequence[tuple[Announcement, Upcoming]]:
    """The announced tournaments that have a next season, the earliest first."""
    found = [
        (each, start)
        for each in announced
        if (start := next_start(each.settings, now, first=not each.seasons)) is not None
    ]
    return sorted(found, key=lambda pair: (pair[1].moment or now, pair[0].name))


def next_start(settings: SeasonSettings, now: datetime, *, first: bool) -> Upcoming | None:
    """When a tournament's next season starts; None if the tournament is played once, and was."""
    moment = next_run(settings, now)
    follows = without_date(settings.schedule, first=first)
    if not (moment or follows or first):
        return None
    return Upcoming(moment, zone_of(settings), follows)
