"""Playing what is due, several seasons at a time, and waiting for what comes next."""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from typing import Any

from leaderboard.storage.database import Unknown
from leaderboard.storage.entries import Season, Version
from leaderboard.storage.store import Store
from sandbox.backends.registry import backend
from sandbox.box import BackendMissing, BoxBroken
from tables.game import UNRATED
from tournament.calendar import ALWAYS
from tournament.play.claim import Claim, Mixing
from tournament.play.continuity import (
    AnotherContest,
    demand_all,
    demand_continuity,
    demand_same_rules,
)
from tournament.play.lanes import Lane, Pool, WorkerLost
from tournament.play.lineup import BadLineUp, entered, line_up
from tournament.play.season import Audience, SeasonStopped, play_season
from tournament.play.steps import Abreast, Steps, finish
from tournament.play.worker_pool import WorkerPool
from tournament.proof.beginning import NoNonces, ValueAwaited, begin, demand_value
from tournament.requirements import NotGuaranteed, demand
from tournament.settings import Settings, thaw

CANT_PLAY = (
    *(BadLineUp, Unknown, SeasonStopped, ValueAwaited, NoNonces),
    *(BackendMissing, BoxBroken, WorkerLost, NotGuaranteed, AnotherContest),
)
"""Errors of one tournament or season, as opposed to the whole arena."""

AT_ONCE = datetime.min.replace(tzinfo=UTC)
NEVER = datetime.max.replace(tzinfo=UTC)

GLANCE = timedelta(seconds=2)
"""The interval for reading the clock while waiting, since the clock may be changed meanwhile."""

REST = timedelta(minutes=10)
"""How long a tournament that is always played rests when there was nothing that it could play."""

NO_WALLS = "every bot can read and change anything that you can, so admit only bots that you trust"


def run(
    store: Store,
    tournaments: Sequence[Settings[Any]],
    audience: Audience,
    *,
    wait: bool = True,
    pool: Pool | None = None,
    all_there_are: bool = False,
) -> Mapping[str, Exception]:
    """Play every season that is due, then wait for the next, and repeat.

    Seasons of different tournaments are played at the same time and share the workers by their
    tournaments' `share`; those of one tournament follow each other. Returns when nothing is due and
    nothing ever will be, or as soon as nothing is due without `wait`; a tournament that is always
    due then plays one season. An interrupted season goes first, with the settings that it began
    with. A tournament that can't be played (`CANT_PLAY`) does not stop the others: it is tried
    again when it is next due. Returns the error of each such tournament, by name. Raises
    `NotGuaranteed` before anything starts if the boxes don't keep a guarantee that one of them
    requires, and `AnotherContest` if one of them can't go on from its last season.

    Everything is played by an existing `pool`, if there is one. The tournaments are announced; if
    they are `all_there_are`, any other announcement is withdrawn.
    """
    demand_all(store, tournaments)
    _demand(pool, tournaments)
    _announce(store, tournaments, all_there_are=all_there_are)
    rota = _Rota(store, tournaments, audience, wait=wait)
    said: list[str] = []
    while True:
        with _workers(pool) as workers:
            rota.play(workers)
        moment, name = rota.upcoming
        if moment == NEVER or not wait:
            return rota.kept
        to_say = [_kept(each, why) for each, why in rota.kept.items()]
        if not isinstance(rota.kept.get(name), ValueAwaited):
            to_say.append(f"next: {name} at {moment.astimezone():%Y-%m-%d %H:%M %Z}")
        for sentence in to_say:
            if sentence not in said:  # while a value is awaited, this comes every few seconds
                audience.say(sentence)
        said = to_say
        wait_until(moment)


def _announce(store: Store, tournaments: Sequence[Settings[Any]], *, all_there_are: bool) -> None:
    """Let the pages show what comes next."""
    store.announce(
        {settings.name: settings.freeze() for settings in tournaments},
        all_there_are=all_there_are,
        references={settings.name: settings.references for settings in tournaments},
    )


def _kept(name: str, reason: Exception) -> str:
    """Say what keeps a tournament from being played."""
    if isinstance(reason, ValueAwaited):
        return str(reason)
    return f"{name} could not be played: {reason}"


class _Rota:
    """When each tournament is looked at again, and what kept those that could not be played."""

    def __init__(
        self, store: Store, tournaments: Sequence[Settings[Any]], audience: Audience, *, wait: bool
    ) -> None:
        self.kept: dict[str, Exception] = {}
        self._store = store
        self._tournaments = {settings.name: settings for settings in tournaments}
        self._audience = audience
        self._watching = datetime.now(UTC)
        self._looks = dict.fromkeys(self._tournaments, AT_ONCE)
        self._seen: set[str] = set()
        self._wait = wait

    @property
    def upcoming(self) -> tuple[datetime, str]:
        """When a tournament is looked at next, and which; `NEVER` if none will be."""
        return min(((look, name) for name, look in self._looks.items()), default=(NEVER, ""))

    def play(self, pool: Pool) -> None:
        """Play until nothing is being played and nothing is due."""
        with Abreast[int](CANT_PLAY) as seasons:
            while self._start_what_is_due(seasons, pool):
                for name, end in seasons.advance(GLANCE.total_seconds()).items():
                    self._looks[name] = self._look_again(self._tournaments[name], end)
                    before = self.kept.pop(name, None)
                    if isinstance(end, Exception):
                        self.kept[name] = end
                        self._audience.stops(name)
                        if seasons and str(before) != str(end):
                            self._audience.say(_kept(name, end))

    def _start_what_is_due(self, seasons: Abreast[int], pool: Pool) -> bool:
        """Begin what is due now; return whether anything is being played."""
        for name, settings in self._tournaments.items():
            now = datetime.now(UTC)
            if name in seasons or now < self._looks[name]:
                continue
            played = self._store.seasons(name)
            unfinished = [season for season in played if season.finished is None]
            due = due_times(played, settings, now, self._watching)
            if unfinished or due:
                steps = _play_all(self._store, settings, unfinished, due, self._audience, pool)
                seasons.start(name, steps)
            else:
                if name not in self._seen:
                    self._audience.nothing_due(settings)
                self._looks[name] = _next_run(settings, now)
            self._seen.add(name)
        return bool(seasons)

    def _look_again(self, settings: Settings[Any], end: int | Exception) -> datetime:
        """When to look at a tournament again after its last season had `end` matches or failed."""
        now = datetime.now(UTC)
        if isinstance(end, ValueAwaited):
            return now + GLANCE
        if settings.schedule == ALWAYS:
            if not self._wait:
                return NEVER
            return AT_ONCE if isinstance(end, int) and end else now + REST
        return _next_run(settings, now) if isinstance(end, Exception) else AT_ONCE


def run_once(
    store: Store,
    settings: Settings[Any],
    audience: Audience,
    seed: bytes | None = None,
    pool: Pool | None = None,
) -> None:
    """Play a season now: finish an interrupted one, or else begin a new one.

    So a command that was killed can simply be repeated. A `seed` that is not the interrupted
    season's begins a new one all the same. The `pool` is as for `run`. Raises `NotGuaranteed`
    beforehand if the boxes don't keep a required guarantee, and `AnotherContest` if the tournament
    can't go on from its last season.
    """
    demand_all(store, [settings])
    _demand(pool, [settings])
    _announce(store, [settings], all_there_are=False)
    played = store.seasons(settings.name)
    unfinished = [season for season in played if season.finished is None]
    wanted = not unfinished or seed not in (None, *(season.seed for season in unfinished))
    for season in unfinished:
        then = "" if wanted else ", and no new season begins"
        audience.say(f"season {season.number} of {settings.name} was interrupted; resuming{then}")
    if wanted and any(season.seed == seed for season in played):
        audience.say(f"{settings.name} had this seed before: all its packs are known")
    due = [datetime.now(UTC)] if wanted else []
    with _workers(pool) as workers:
        finish(_play_all(store, settings, unfinished, due, audience, workers, seed))


def due_times(
    seasons: Sequence[Season], settings: Settings[Any], now: datetime, watching: datetime
) -> tuple[datetime, ...]:
    """Return the moments for which a new season is due; without a schedule there is only one.

    One that is always played is due now. A tournament that was never played counts from `watching`,
    the moment since which the arena has been running.
    """
    if settings.schedule is None:
        return () if seasons else (now,)
    if settings.schedule == ALWAYS:
        return (now,)
    since = max((season.due for season in seasons), default=watching)
    return settings.schedule.due(since, now, watching)


def _next_run(settings: Settings[Any], now: datetime) -> datetime:
    """Return the first moment after this one for which a season may be due."""
    if settings.schedule is None:
        return NEVER
    return now + REST if settings.schedule == ALWAYS else settings.schedule.next_run(now)


def wait_until(moment: datetime) -> None:
    """Sleep until the clock shows a moment, even if the clock is changed meanwhile."""
    while (left := moment - datetime.now(UTC)) > timedelta(0):
        time.sleep(min(left, GLANCE).total_seconds())


def _play_all(
    store: Store,
    settings: Settings[Any],
    unfinished: Sequence[Season],
    due: Sequence[datetime],
    audience: Audience,
    pool: Pool,
    seed: bytes | None = None,
) -> Steps[int]:
    """Finish a tournament's seasons, then play one for each due time; return the last one's size.

    How many matches it plays at a time, and its share, follow from its file as it is now: results
    don't depend on them.
    """
    matches = 0
    with pool.lane(settings.name, settings.share, settings.workers) as lane:
        for begun in unfinished:
            season = demand_value(store, begun)
            demand_same_rules(season)
            began_with = thaw(season.settings)
            lane.claim = _claim(store, began_with, settings.hosts, season)
            pool.demand([began_with])
            _warn(began_with, audience, pool)
            audience.begins(season, again=True)
            matches = yield from play_season(store, season, lane, audience)
        for moment in due:
            _warn(settings, audience, pool)
            season = yield from _begun(store, settings, lane, audience, moment, seed)
            matches = yield from play_season(store, season, lane, audience)
    return matches


def _claim(
    store: Store, settings: Settings[Any], mixing: Mixing, season: Season | None = None
) -> Claim:
    """What a season, begun or not, asks of the hosts of a cluster.

    Which of them may be mixed is up to the tournament's file as it is now.
    """
    versions: Iterable[Version]
    if season is None:
        versions = entered(store, settings)
    else:
        entrants = store.entrants(season.id)
        versions = store.versions([each.version_id for each in entrants]).values()
    model = None if season is None else next(iter(store.hosts(season.id)), None)
    return Claim.of(settings, mixing, versions, model)


def _begun(
    store: Store,
    settings: Settings[Any],
    lane: Lane,
    audience: Audience,
    due: datetime,
    seed: bytes | None,
) -> Steps[Season]:
    """Try out the bots and begin a season."""
    demand_continuity(settings, store.seasons(settings.name))
    lane.claim = _claim(store, settings, settings.hosts)
    entrants = yield from line_up(store, settings, lane, audience.tried)
    season = begin(store, settings, entrants, due, seed)
    audience.begins(season, again=False)
    return demand_value(store, season)


@contextmanager
def _workers(pool: Pool | None) -> Iterator[Pool]:
    """The existing pool, or one for now."""
    if pool is not None:
        yield pool
        return
    with WorkerPool() as own:
        yield own


def _demand(pool: Pool | None, tournaments: Iterable[Settings[Any]]) -> None:
    """Find out, before anything starts, whether boxes keep what tournaments require of them."""
    if pool is None:
        demand(tournaments)
    else:
        pool.demand(tournaments)


def _warn(settings: Settings[Any], audience: Audience, pool: Pool) -> None:
    if not backend(settings.box).isolated:
        audience.say(f"{settings.name} is played without boxes: {NO_WALLS}")
    if not settings.rated:
        audience.say(f"{settings.name} is {UNRATED}")
    if settings.workers and settings.workers > pool.workers:
        audience.say(
            f"{settings.name} wants {settings.workers} matches at a time; there are cores for"
            f" {pool.workers} now"
        )
