"""Tournaments: the list of all with their newest seasons, and the leaders of each."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from itertools import groupby

from pydantic import InstanceOf
from sqlalchemy import func, or_, select, tuple_
from sqlalchemy.orm import Session

from card_arena.common.cron import runs_after
from card_arena.leaderboard.models import PageOnly, PageShape, Shape, Text, paged
from card_arena.leaderboard.plans import (
    Announcement,
    Entered,
    NotAnnounced,
    announcement,
    announcements,
    candidates,
)
from card_arena.leaderboard.seasons import (
    Season,
    Seasons,
    State,
    UnknownSeason,
    newest_seasons,
    paces,
    season,
    state_of,
)
from card_arena.leaderboard.standings import Standings, masked_lines, snapshot_lines
from card_arena.ratings.pace import Pace
from card_arena.results.entries import CHALLENGES
from card_arena.results.models import (
    BotRow,
    EntrantRow,
    InterventionRow,
    LegRow,
    SeasonRow,
    TournamentRow,
    VersionRow,
)
from card_arena.results.season_settings import SeasonSettings
from card_arena.results.store import Store
from card_arena.results.visibility import Frozen, VisibilityPolicy, policy_of


class Tournament(Shape):
    """A tournament with its newest season."""

    name: str
    """Its name."""
    game: str
    """Its game."""
    season: int
    """The number of its newest season."""
    state: State
    """The state of that season."""
    entrants: int
    """How many versions are entered in it."""
    matches: int
    """How many of its matches have been played."""
    planned: int | None
    """The number of its planned matches; null if it is not known yet."""
    at_most: bool
    """Whether `planned` is an upper bound."""
    started: datetime
    """When that season began."""
    finished: datetime | None
    """When it ended; null while it is played."""
    points_title: Text
    """The name of its points."""
    rated: bool
    """Whether its matches count for ratings."""
    settings: PageOnly[InstanceOf[SeasonSettings] | None] = None
    """The settings that the season began with."""
    pace: PageOnly[InstanceOf[Pace] | None] = None
    """The pace of a running season."""
    by_rating: PageOnly[bool] = False
    """Whether the season's standings are in the order of ratings."""


class Tournaments(PageShape):
    """Tournaments that have been played, the one that began last first."""

    items: tuple[Tournament, ...]
    """The tournaments of this page."""


@dataclass(frozen=True, slots=True)
class Leader:
    """One of the first in a season's standings; `rank` 1 is the best, and equals share a rank."""

    rank: int
    bot: str
    version: int
    points: float


def tournaments(store: Store) -> tuple[Tournament, ...]:
    """Every tournament with its newest season, in order of the latest beginning.

    Challenges are left out.
    """
    newest = newest_seasons().subquery()
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
        .where(~TournamentRow.name.startswith(CHALLENGES))
        .order_by(SeasonRow.started.desc(), SeasonRow.id.desc())
    )
    with store.database.reading() as session:
        rows = session.execute(query).all()
        running = paces(session, [row.id for _, row, _, _ in rows if row.finished is None])
        frozen = policy_of(session).frozen
        return tuple(
            as_frozen(
                frozen.get(row.id),
                Tournament.model_construct(
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
                    points_title=row.settings.facts.points_title,
                    rated=row.settings.facts.rated,
                    settings=row.settings,
                    pace=running.get(row.id),
                    by_rating=row.settings.by_rating,
                ),
            )
            for name, row, entered, played in rows
        )


def tournament_names(store: Store) -> tuple[str, ...]:
    """The names of all tournaments that are announced or were played, in order."""
    played = select(SeasonRow.id).where(SeasonRow.tournament_id == TournamentRow.id).exists()
    is_known = or_(TournamentRow.announced.is_not(None), played)
    query = select(TournamentRow.name).where(is_known).order_by(TournamentRow.name)
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


def as_frozen(frozen: Frozen | None, line: Tournament) -> Tournament:
    """A tournament with the counts of its season's snapshot, if it is frozen."""
    if frozen is None:
        return line
    snapshot = frozen.snapshot or {}
    return line.model_copy(
        update={
            "entrants": len(snapshot.get("lines", ())),
            "matches": snapshot.get("matches", 0),
            "planned": snapshot.get("planned"),
            "at_most": snapshot.get("at_most", False),
            "pace": None,
        }
    )


def leaders(store: Store, count: int = 3) -> Mapping[str, tuple[Leader, ...]]:
    """The first in the standings of every tournament's newest season, under its name.

    Challenges are left out.
    """
    place = func.row_number().over(
        partition_by=EntrantRow.season_id, order_by=(EntrantRow.rank, EntrantRow.place)
    )
    seasons = (
        select(SeasonRow.id)
        .join(TournamentRow)
        .where(
            tuple_(SeasonRow.tournament_id, SeasonRow.number).in_(newest_seasons()),
            ~TournamentRow.name.startswith(CHALLENGES),
        )
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
        policy = policy_of(session)
        rows = [row for row in session.execute(query) if policy.tells_place(row.id, row.rank)]
        first_lines = {
            tournament: tuple(_leader(policy, *columns) for _, *columns in group)
            for tournament, group in groupby(rows, key=lambda row: row[0])
        }
        if policy.frozen:
            first_lines.update(_frozen_leaders(session, policy, count))
        return first_lines


def _leader(
    policy: VisibilityPolicy, season_id: int, rank: int, bot: str, version: int, points: float
) -> Leader:
    name = policy.name(season_id, bot)
    return Leader(rank, name, version if name == bot else 1, points)


def _frozen_leaders(
    session: Session, policy: VisibilityPolicy, count: int
) -> Mapping[str, tuple[Leader, ...]]:
    """The first places of those newest seasons that are frozen."""
    rows = session.execute(
        select(SeasonRow.id, TournamentRow.name)
        .join(TournamentRow)
        .where(
            SeasonRow.id.in_([*policy.frozen]),
            tuple_(SeasonRow.tournament_id, SeasonRow.number).in_(newest_seasons()),
        )
    )
    leaders_by_name = {}
    for season_id, name in rows:
        lines = masked_lines(snapshot_lines(policy.frozen[season_id].snapshot), season_id, policy)
        first = [line for line in lines if line.rank is not None and line.points is not None]
        leaders_by_name[name] = tuple(
            Leader(line.rank or 0, line.bot, line.version, line.points or 0.0)
            for line in sorted(first, key=lambda line: line.rank or 0)[:count]
        )
    return {name: leaders for name, leaders in leaders_by_name.items() if leaders}


SoFar = tuple[int, datetime | None, int]
"""The number of matches, the time of the newest, and the number of interventions: it changes
whenever standings may change."""


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


WITHOUT_DATE = {
    "always": "as soon as the season before is finished",
    "new bots": "as soon as a bot is new",
}
"""The start of a season after another one, for schedules that are no calendar."""


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


def without_date(schedule: object, *, first: bool) -> str:
    """The start of a season by a schedule that is no calendar; empty without a schedule.

    The first season only waits for enough bots.
    """
    if not isinstance(schedule, str):
        return ""
    return "as soon as enough bots are entered" if first else WITHOUT_DATE[schedule]


def next_start(
    settings: SeasonSettings, now: datetime, *, first: bool
) -> tuple[datetime | None, str] | None:
    """Return the time of a tournament's next season, if it has one, and its start in words.

    None if the tournament is played once, and was. The time is the deadline for entries as well.
    """
    moment = next_run(settings, now)
    words = without_date(settings.schedule, first=first)
    if not (moment or words or first):
        return None
    return moment, words or "when its organiser starts it"


class Coming(Shape):
    """The next season of a tournament, as it is announced."""

    tournament: str
    """The tournament's name."""
    game: str
    """The game."""
    season: int
    """The number that the season will have."""
    begins: datetime | None
    """When it begins, which is also the deadline for bots; null without a date."""
    zone: str
    """The time zone of its schedule."""
    start: str
    """When it begins, in words; of use where it has no date."""
    commitment: str
    """The SHA-256 of its seed, published before the season begins."""
    settings: SeasonSettings
    """Its settings, under the names of the tournament's file."""


class ComingSeasons(Shape):
    """The upcoming seasons, the earliest first."""

    items: tuple[Coming, ...]
    """The seasons."""


class TournamentDetail(Shape):
    """A tournament: the season that is played or was played last, and the next one."""

    name: str
    """Its name."""
    seasons: tuple[int, ...]
    """The numbers of its seasons."""
    newest: Season | None
    """Its newest season; null if it was never played."""
    coming: Coming | None
    """Its next season; null if none is announced."""
    entered: tuple[Entered, ...]
    """The bots entered in the next season."""


class NotStarted(Shape):
    """A tournament that was never played, as it is announced."""

    coming: Coming
    """Its first season."""
    entered: tuple[Entered, ...]
    """The bots entered in it."""


class AllStandings(Shape):
    """The standings of several tournaments."""

    played: tuple[Standings, ...]
    """The newest season of each, or the one that was asked for."""
    announced: tuple[NotStarted, ...]
    """Those that were never played."""


def coming(announced: Announcement, now: datetime) -> Coming | None:
    """Return the next season of an announced tournament, if it has one."""
    start = next_start(announced.settings, now, first=not announced.seasons)
    if start is None:
        return None
    begins, words = start
    return Coming(
        tournament=announced.name,
        game=announced.game,
        season=announced.seasons + 1,
        begins=begins,
        zone=zone_of(announced.settings),
        start=words,
        commitment=announced.commitment,
        settings=announced.settings,
    )


def upcoming(announced: Iterable[Announcement], now: datetime) -> list[Coming]:
    """The next seasons of announced tournaments, the earliest first."""
    seasons = filter(None, (coming(tournament, now) for tournament in announced))
    return sorted(seasons, key=lambda season: (season.begins or now, season.tournament))


def coming_seasons(store: Store) -> ComingSeasons:
    """The upcoming seasons, the earliest first."""
    return ComingSeasons(items=tuple(upcoming(announcements(store), datetime.now(UTC))))


def page_of_tournaments(store: Store, page: int, size: int) -> Tournaments:
    """Every tournament that was played, with its newest season."""
    return Tournaments.of(paged(tournaments(store), page, size))


def page_of_seasons(store: Store, name: str, page: int, size: int) -> Seasons:
    """The seasons of a tournament, the newest first."""
    numbers = paged(season(store, name).seasons[::-1], page, size)
    items = tuple(season(store, name, number) for number in numbers.items)
    return Seasons.of(numbers, items=items)


def tournament(store: Store, name: str) -> TournamentDetail:
    """A tournament: its newest season, and the next one."""
    try:
        newest = season(store, name)
    except UnknownSeason:
        newest = None
    try:
        announced = announcement(store, name)
    except NotAnnounced:
        if newest is None:
            raise
        announced = None
    return TournamentDetail(
        name=name,
        seasons=newest.seasons if newest else (),
        newest=newest,
        coming=coming(announced, datetime.now(UTC)) if announced else None,
        entered=candidates(store, announced.settings) if announced else (),
    )
