"""Seasons without their results: facts, interventions, pace and progress."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, Literal

from pydantic import InstanceOf
from sqlalchemy import Integer, Select, cast, func, select, union_all
from sqlalchemy.orm import Session

from card_arena.common.moments import from_iso
from card_arena.formats.interventions import Intervention, InterventionKind
from card_arena.leaderboard.models import PageOnly, PageShape, Shape, Text
from card_arena.ratings.pace import LATEST_MATCHES, Pace, pace
from card_arena.ratings.same_contest import Contest, beginnings
from card_arena.results.counts import RATED
from card_arena.results.entries import CHALLENGES
from card_arena.results.errors import Unknown
from card_arena.results.ledger import head
from card_arena.results.models import (
    BotRow,
    InterventionRow,
    LedgerRow,
    LegRow,
    MatchRow,
    SeasonRow,
    SeatRow,
    TournamentRow,
    VersionRow,
)
from card_arena.results.proof.ledger import Entry
from card_arena.results.season_settings import SeasonSettings
from card_arena.results.store import Store
from card_arena.results.visibility import VisibilityPolicy, policy_of
from card_arena.tables.dealing import commitment


def season_pace(store: Store, season_id: int) -> Pace | None:
    """The pace of a season's latest matches, None if there are too few."""
    with store.database.reading() as session:
        return paces(session, [season_id]).get(season_id)


def paces(session: Session, season_ids: Iterable[int]) -> Mapping[int, Pace]:
    """The pace of each of these seasons that has one."""
    latest = [
        select(MatchRow.season_id, MatchRow.stored)
        .where(MatchRow.season_id == season_id)
        .order_by(MatchRow.id.desc())
        .limit(LATEST_MATCHES + 1)
        .subquery()
        for season_id in season_ids
    ]
    if not latest:
        return {}
    query = union_all(*(select(part) for part in latest))
    stored: dict[int, list[datetime]] = {}
    for season_id, moment in session.execute(query):
        stored.setdefault(season_id, []).append(moment)
    return {
        season_id: value
        for season_id, moments in stored.items()
        if (value := pace(sorted(moments)[::-1])) is not None
    }


def season_title(tournament: str, number: int) -> str:
    """Name a season: "friday, season 3" or "challenge 3 of davey"."""
    if tournament.startswith(CHALLENGES):
        return f"challenge {number} of {tournament.removeprefix(CHALLENGES)}"
    return f"{tournament}, season {number}"


def time_left(pace: Pace | None, to_come: int | None, *, at_most: bool) -> str:
    """Estimate the time of the remaining matches: "about 2 h 10 min", "at most 2 h 10 min".

    Empty if it is unknown.
    """
    if pace is None or not to_come:
        return ""
    time = spoken(pace.gap * to_come)
    if time.startswith("less"):
        return time
    return f"{'at most' if at_most else 'about'} {time}"


def spoken(time: timedelta) -> str:
    """Write an estimate of a time with the precision of an estimate."""
    minutes = time.total_seconds() / 60
    if minutes < 1:
        return "less than a minute"
    if minutes < 99.5:
        return f"{minutes:.0f} min"
    tens = round(minutes / 10)
    if tens < 48 * 6:
        hours, tens = divmod(tens, 6)
        return f"{hours} h {10 * tens} min" if tens else f"{hours} h"
    return f"{minutes / 60 / 24:.0f} days"


WORDS = {
    "expel": "was expelled",
    "annul": "was annulled",
    "admit": "was admitted late",
    "probation": "was put on probation",
    "unplayed": "could not be played and counts for nobody",
}
"""The predicate of each kind of intervention."""


class InterventionShape(Shape):
    """An intervention in a season: in a bot, a match, or the whole season."""

    tournament: str
    """The tournament's name."""
    season: int
    """The season's number."""
    made: datetime
    """Its time."""
    kind: InterventionKind
    """Its kind."""
    reason: Text
    """The organiser's reason."""
    bot: Text
    """The bot that it concerns; empty if it concerns none."""
    version: int
    """The number of the bot's version; 0 if it concerns none."""
    match: str | None
    """The address of the match that it concerns; null if it concerns none."""
    lifted: datetime | None
    """The time when a bot on probation passed the check again; null if it has not."""
    version_id: PageOnly[int | None] = None
    """The id of the version that it concerns."""
    place: PageOnly[str] = ""
    """The leg, round and table of the match that it concerns."""

    @property
    def what(self) -> str:
        """The predicate that follows the name of the bot, match or season."""
        return WORDS[self.kind]


class Interventions(Shape):
    """Interventions of organisers."""

    items: tuple[InterventionShape, ...]
    """The interventions; each is an entry of the ledger."""


def season_interventions(store: Store, season_id: int) -> Interventions:
    """The interventions in a season, in order, with the bot names of its standings."""
    query = _query().where(InterventionRow.season_id == season_id)
    return Interventions(items=_interventions(store, query.order_by(InterventionRow.number)))


def bot_interventions(store: Store, name: str) -> Interventions:
    """The interventions that concern a bot, the latest first."""
    query = _query().where(BotRow.name == name).order_by(InterventionRow.made.desc())
    rows = _interventions(store, query)
    return Interventions(items=tuple(row for row in rows if row.bot == name))


def probation(store: Store, name: str) -> Intervention | None:
    """The probation of the version of a bot that would play; None without one."""
    active = store.version(name).id
    return store.on_probation([active]).get(active)


def match_annulled(store: Store, key: str) -> str | None:
    """The reason why a match or its season was annulled; None if the match counts."""
    season = select(MatchRow.season_id).where(MatchRow.key == key).scalar_subquery()
    query = (
        select(InterventionRow.season_id, InterventionRow.reason)
        .where(InterventionRow.season_id == season, InterventionRow.kind == "annul")
        .where((InterventionRow.key == key) | InterventionRow.key.is_(None))
        .limit(1)
    )
    with store.database.reading() as session:
        row = session.execute(query).one_or_none()
        return None if row is None else policy_of(session).reason(row.season_id, row.reason)


def _query() -> Any:
    return (
        select(
            InterventionRow,
            TournamentRow.name,
            SeasonRow.number,
            BotRow.name,
            VersionRow.number,
            MatchRow.labels,
        )
        .join(SeasonRow, SeasonRow.id == InterventionRow.season_id)
        .join(TournamentRow, TournamentRow.id == SeasonRow.tournament_id)
        .outerjoin(VersionRow, VersionRow.id == InterventionRow.version_id)
        .outerjoin(BotRow, BotRow.id == VersionRow.bot_id)
        .outerjoin(MatchRow, MatchRow.key == InterventionRow.key)
    )


def _interventions(store: Store, query: Any) -> tuple[InterventionShape, ...]:
    with store.database.reading() as session:
        rows: Sequence[Any] = session.execute(query).all()
        policy = policy_of(session)
    interventions = []
    for row, tournament, season, bot, version, labels in rows:
        alias = policy.name(row.season_id, bot) if bot else ""
        intervention = InterventionShape(
            tournament=tournament,
            season=season,
            made=row.made,
            kind=row.kind,
            reason=policy.reason(row.season_id, row.reason, bot),
            version_id=row.version_id,
            bot=alias,
            version=version or 0 if alias == bot else 1,
            match=row.key,
            place=", ".join(labels or ()),
            lifted=row.lifted if alias == (bot or "") else None,
        )
        interventions.append(intervention)
    return tuple(interventions)


LATEST = 100
"""How many matches are the latest."""

BEFORE = 1000
"""How many matches before them they are compared with."""

KNOWN = 10
"""Matches of a version among those before, from which its share of faults is known."""


@dataclass(frozen=True, slots=True)
class Progress:
    """The progress of a running season in its last `matches`, 1,000 at most.

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
    """The progress of the unfinished season of a tournament; None without one."""
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
        comparable = {version: pair for version, pair in latest.items() if version in before}
        return FaultShares(
            matches,
            sum(seats for seats, _ in comparable.values()),
            sum(faulty for _, faulty in comparable.values()),
            sum(seats * before[version] for version, (seats, _) in comparable.items()),
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
    """The number of void attempts since then, in seasons that were played since."""
    seasons = session.execute(
        select(SeasonRow.tournament_id, SeasonRow.number).where(
            SeasonRow.finished.is_(None) | (SeasonRow.finished >= since)
        )
    ).all()
    count = 0
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
            count += entry["reason"] not in expected
    return count


State = Literal["running", "finished", "annulled"]


class UnknownSeason(Unknown):
    """No tournament of this name has a season of this number."""


class Season(Shape):
    """A season: its settings, its progress, and its hashes."""

    tournament: str
    """The tournament's name."""
    number: int
    """The season's number within the tournament, from 1."""
    game: str
    """The game."""
    rules: int
    """The version of the game's rules."""
    state: State
    """Whether it is being played."""
    rated: bool
    """Whether its matches count for ratings."""
    by_rating: bool
    """Whether its standings are ordered by rating."""
    rated_since: int | None
    """The season with which its ratings began; null if it has none."""
    rating_changes: Text
    """The changes with which its ratings began; empty if they continue those before."""
    carries: bool
    """Whether bots carry their chips from one table to the next."""
    points_title: Text
    """The name of its points."""
    leg_title: Text
    """The name of its legs."""
    legs: tuple[int, ...]
    """The legs that have matches."""
    settings: SeasonSettings
    """The settings that it began with, under the names of the tournament's file."""
    due: datetime
    """When it was due."""
    started: datetime
    """When it began."""
    finished: datetime | None
    """When it ended; null while it is played."""
    newest: datetime | None
    """When its latest match was stored."""
    matches: int
    """How many matches have been played."""
    planned: int | None
    """The number of its planned matches; null if it is not known yet."""
    at_most: bool
    """Whether `planned` is an upper bound."""
    commitment: str
    """The SHA-256 of its seed."""
    seed: str | None
    """The seed, in hexadecimal; null before the season is finished."""
    manifest: str
    """The SHA-256 of its manifest."""
    head: str
    """The hash of the ledger's last entry of this season."""
    public_value: str | None
    """The public value in the key of its deals; null if it has none, or none yet."""
    frozen: datetime | None
    """The time since which its results are hidden from the reader; null if they are not."""
    id: PageOnly[int] = 0
    """Its number in the database."""
    seasons: PageOnly[tuple[int, ...]] = ()
    """The numbers of all seasons of the tournament."""
    panels: PageOnly[tuple[Mapping[str, Any], ...]] = ()
    """The pictures that its format draws."""
    pace: PageOnly[InstanceOf[Pace] | None] = None
    """The pace of a running season."""
    entries: PageOnly[int | None] = None
    """The number of the ledger entry `head`; None where it would show hidden progress."""
    chosen: PageOnly[bool] = False
    """Whether the organiser chose the seed, which is then the key of the deals."""
    value_from: PageOnly[Mapping[str, Any] | None] = None
    """The source of a public value; None if it has none."""
    copied: PageOnly[bool] = False
    """Whether there is a copy of its standings from the start of the freeze."""
    masked: PageOnly[bool] = False
    """Whether some names are replaced by aliases."""

    @property
    def contest(self) -> Contest:
        return self.settings.contest(self.rules)

    @property
    def title(self) -> str:
        """Its name for people."""
        return season_title(self.tournament, self.number)

    @property
    def is_challenge(self) -> bool:
        """Whether it is a challenge."""
        return self.tournament.startswith(CHALLENGES)

    @property
    def order_title(self) -> str:
        """The name of the figure that orders its standings."""
        return "rating" if self.by_rating else self.points_title


class Seasons(PageShape):
    """The seasons of a tournament, the newest first."""

    items: tuple[Season, ...]
    """The seasons of this page."""


def newest_seasons() -> Select[int, int]:
    """Select the tournament and the number of the newest season of each tournament."""
    return select(SeasonRow.tournament_id, func.max(SeasonRow.number).label("number")).group_by(
        SeasonRow.tournament_id
    )


def season(store: Store, tournament: str, number: int | None = None) -> Season:
    """A season of a tournament, by default the newest; raises `UnknownSeason`."""
    with store.database.reading() as session:
        return season_facts(session, tournament, number)


def season_facts(session: Session, tournament: str, number: int | None) -> Season:
    """A season of a tournament, by default the newest; raises `UnknownSeason`."""
    seasons = session.execute(
        select(
            SeasonRow.id,
            SeasonRow.number,
            RATED.label("rated"),
            SeasonRow.settings,
            SeasonRow.rules,
        )
        .join(TournamentRow)
        .where(TournamentRow.name == tournament)
        .order_by(SeasonRow.number)
    ).all()
    chosen = next((row.id for row in reversed(seasons) if number in (None, row.number)), None)
    if chosen is None:
        what = f"season {number} of " if number is not None and seasons else ""
        raise UnknownSeason(f"nothing is stored of {what}the tournament {tournament[:80]!r}")
    row = session.get_one(SeasonRow, chosen)
    begun = beginnings(
        (season.number, season.settings.contest(season.rules)) for season in seasons if season.rated
    )
    legs = session.scalars(
        select(LegRow).where(LegRow.season_id == chosen).order_by(LegRow.leg)
    ).all()
    settings = row.settings
    entries, newest_entry = head(session, row.tournament_id, row.number)
    beginning = begun.get(row.number)
    facts = Season.model_construct(
        tournament=tournament,
        number=row.number,
        game=settings.game,
        rules=row.rules,
        state=state_of(row),
        rated=settings.facts.rated,
        by_rating=settings.by_rating,
        rated_since=beginning.season if beginning else None,
        rating_changes="; ".join(map(str, beginning.changes)) if beginning else "",
        carries=settings.facts.carries,
        points_title=settings.facts.points_title,
        leg_title=settings.facts.leg_title,
        legs=tuple(leg.leg for leg in legs),
        settings=settings,
        due=row.due,
        started=row.started,
        finished=row.finished,
        newest=max((leg.newest for leg in legs), default=None),
        matches=sum(leg.matches for leg in legs),
        planned=row.planned,
        at_most=row.at_most,
        commitment=commitment(row.seed),
        seed=row.seed.hex() if row.finished is not None else None,
        manifest=row.manifest,
        head=newest_entry,
        public_value=row.public_value,
        frozen=None,
        id=row.id,
        seasons=tuple(season.number for season in seasons),
        panels=tuple(row.panels),
        pace=paces(session, [row.id]).get(row.id) if row.finished is None else None,
        entries=entries,
        chosen=row.key_from == "seed",
        value_from=row.value_from,
    )
    return as_seen(facts, policy_of(session))


def as_seen(facts: Season, policy: VisibilityPolicy) -> Season:
    """Return a season as a reader may see it; its hashes stay."""
    if policy.masks(facts.tournament):  # the seed would show the seating
        facts = facts.model_copy(update={"seed": None, "masked": True})
    masked = policy.masked.get(facts.id)
    top = masked is not None and masked.top is not None
    frozen = policy.frozen.get(facts.id)
    if frozen is None:  # panels have all places
        return facts.model_copy(update={"panels": ()}) if top else facts
    snapshot = frozen.snapshot or {}
    newest = snapshot.get("newest")
    return facts.model_copy(
        update={
            "matches": snapshot.get("matches", 0),
            "planned": snapshot.get("planned"),
            "at_most": snapshot.get("at_most", False),
            "legs": tuple(snapshot.get("legs", ())),
            "newest": from_iso(newest) if newest else None,
            "panels": () if top else tuple(snapshot.get("panels", ())),
            "pace": None,
            "entries": None,
            "frozen": frozen.since,
            "copied": frozen.snapshot is not None,
        }
    )


def state_of(row: SeasonRow) -> State:
    """Describe the state of a season."""
    if row.annulled:
        return "annulled"
    return "running" if row.finished is None else "finished"
