"""Playing what is due, and waiting for what comes next."""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from typing import Any

from leaderboard.storage.database import Unknown
from leaderboard.storage.entries import Season
from leaderboard.storage.store import Store
from sandbox.backends.registry import backend
from sandbox.box import BackendMissing, BoxBroken
from tables.game import UNRATED
from tournament.play.lineup import BadLineUp, line_up
from tournament.play.season import Audience, SeasonStopped, play_season
from tournament.play.worker_pool import WorkerLost, WorkerPool, cores
from tournament.proof.beginning import ValueAwaited, begin
from tournament.requirements import NotGuaranteed, demand
from tournament.settings import Settings, thaw

CANT_PLAY = (
    *(BadLineUp, Unknown, SeasonStopped, ValueAwaited),
    *(BackendMissing, BoxBroken, WorkerLost, NotGuaranteed),
)
"""Errors of one tournament or season, as opposed to the whole arena."""

NEVER = datetime.max.replace(tzinfo=UTC)

GLANCE = timedelta(seconds=2)
"""The interval for reading the clock while waiting, since the clock may be changed meanwhile."""

NO_WALLS = "every bot can read and change anything that you can, so admit only bots that you trust"


def run(
    store: Store,
    tournaments: Sequence[Settings[Any]],
    audience: Audience,
    *,
    wait: bool = True,
    pool: WorkerPool | None = None,
    all_there_are: bool = False,
) -> Mapping[str, Exception]:
    """Play every season that is due, then wait for the next, and repeat.

    Returns when nothing is due and nothing ever will be, or as soon as nothing is due without
    `wait`. An interrupted season goes first, with the settings that it began with. A tournament
    that can't be played (`CANT_PLAY`) does not stop the others: the audience is told, and it is
    tried again when it is next due. Returns the error of each such tournament, by name. Raises
    `NotGuaranteed` before anything starts if the boxes don't keep a guarantee that one of them
    requires.

    An existing `pool` plays every season for which it has the right size. The tournaments are
    announced; if they are `all_there_are`, any other announcement is withdrawn.
    """
    demand(tournaments)
    announced = {settings.name: settings.freeze() for settings in tournaments}
    store.announce(announced, all_there_are=all_there_are)
    watching = datetime.now(UTC)
    resting: set[str] = set()
    kept: dict[str, Exception] = {}
    not_before: dict[str, datetime] = {}
    while True:
        played = False
        for settings in tournaments:
            name = settings.name
            if name in not_before and datetime.now(UTC) < not_before[name]:
                continue
            try:
                if _play_due(store, settings, audience, watching, pool):
                    played = True
                    kept.pop(name, None)
                elif name not in resting:
                    audience.nothing_due(settings)
            except ValueAwaited as error:
                if str(kept.get(name)) != str(error):
                    audience.say(str(error))
                kept[name] = error
                not_before[name] = datetime.now(UTC) + GLANCE
            except CANT_PLAY as error:
                kept[name] = error
                again = _next([settings], datetime.now(UTC))
                not_before[name] = again[0] if again else NEVER
            resting.add(name)
        if played:
            continue  # that took a while, and others may have come due
        upcoming = _next(tournaments, datetime.now(UTC))
        awaited = any(isinstance(error, ValueAwaited) for error in kept.values())
        if awaited and wait:
            time.sleep(GLANCE.total_seconds())
            continue
        if upcoming is None or not wait:
            return kept
        for name, reason in kept.items():
            audience.say(f"{name} could not be played: {reason}")
        moment, settings = upcoming
        audience.say(f"next: {settings.name} at {moment.astimezone():%Y-%m-%d %H:%M %Z}")
        wait_until(moment)


def run_once(
    store: Store,
    settings: Settings[Any],
    audience: Audience,
    seed: bytes | None = None,
    pool: WorkerPool | None = None,
) -> None:
    """Play a season now: finish an interrupted one, or else begin a new one.

    So a command that was killed can simply be repeated. A `seed` that is not the interrupted
    season's begins a new one all the same. The `pool` is as for `run`. Raises `NotGuaranteed`
    beforehand if the boxes don't keep a required guarantee.
    """
    demand([settings])
    store.announce({settings.name: settings.freeze()}, all_there_are=False)
    unfinished = _unfinished(store, settings)
    wanted = not unfinished or seed not in (None, *(season.seed for season in unfinished))
    for season in unfinished:
        then = "" if wanted else ", and no new season begins"
        audience.say(f"season {season.number} of {settings.name} was interrupted; resuming{then}")
        _resume(store, season, audience, pool)
    if wanted:
        if any(season.seed == seed for season in store.seasons(settings.name)):
            audience.say(f"{settings.name} had this seed before: all its packs are known")
        _play_new(store, settings, audience, pool, datetime.now(UTC), seed)


def _play_due(
    store: Store,
    settings: Settings[Any],
    audience: Audience,
    watching: datetime,
    pool: WorkerPool | None,
) -> bool:
    """Play all seasons of a tournament that are due now; return whether there were any."""
    unfinished = _unfinished(store, settings)
    for season in unfinished:
        _resume(store, season, audience, pool)
    due = due_times(store.seasons(settings.name), settings, datetime.now(UTC), watching)
    for moment in due:
        _play_new(store, settings, audience, pool, moment)
    return bool(unfinished or due)


def due_times(
    seasons: Sequence[Season], settings: Settings[Any], now: datetime, watching: datetime
) -> tuple[datetime, ...]:
    """Return the moments for which a new season is due; without a schedule there is only one.

    A tournament that was never played counts from `watching`, the moment since which the arena has
    been running.
    """
    if settings.schedule is None:
        return () if seasons else (now,)
    since = max((season.due for season in seasons), default=watching)
    return settings.schedule.due(since, now, watching)


def _next(
    tournaments: Iterable[Settings[Any]], now: datetime
) -> tuple[datetime, Settings[Any]] | None:
    """Find the next due time of all."""
    upcoming = [
        (settings.schedule.next_run(now), settings)
        for settings in tournaments
        if settings.schedule is not None
    ]
    return min(upcoming, key=lambda pair: pair[0], default=None)


def wait_until(moment: datetime) -> None:
    """Sleep until the clock shows a moment, even if the clock is changed meanwhile."""
    while (left := moment - datetime.now(UTC)) > timedelta(0):
        time.sleep(min(left, GLANCE).total_seconds())


def _unfinished(store: Store, settings: Settings[Any]) -> list[Season]:
    return [season for season in store.seasons(settings.name) if season.finished is None]


def _resume(store: Store, season: Season, audience: Audience, pool: WorkerPool | None) -> None:
    if season.awaits_value:
        raise ValueAwaited(season)
    settings = thaw(season.settings)
    demand([settings])
    _warn(settings, audience)
    with _hands(settings, pool) as hands:
        audience.begins(season, again=True)
        play_season(store, season, hands, audience)


def _play_new(
    store: Store,
    settings: Settings[Any],
    audience: Audience,
    pool: WorkerPool | None,
    due: datetime,
    seed: bytes | None = None,
) -> None:
    _warn(settings, audience)
    with _hands(settings, pool) as hands:
        entrants = line_up(store, settings, hands, audience.tried)
        season = begin(store, settings, entrants, due, seed)
        audience.begins(season, again=False)
        if season.awaits_value:
            raise ValueAwaited(season)
        play_season(store, season, hands, audience)


@contextmanager
def _hands(settings: Settings[Any], pool: WorkerPool | None) -> Iterator[WorkerPool]:
    """The existing pool, if it has the size that these settings want, or one for this season."""
    own = WorkerPool(settings.workers)
    if pool is not None and pool.workers == own.workers:
        yield pool
        return
    with own:
        yield own


def _warn(settings: Settings[Any], audience: Audience) -> None:
    if not backend(settings.box).isolated:
        audience.say(f"{settings.name} is played without boxes: {NO_WALLS}")
    if not settings.rated:
        audience.say(f"{settings.name} is {UNRATED}")
    if settings.workers and settings.workers > len(cores()):
        audience.say(
            f"{settings.name} wants {settings.workers} matches at a time; this machine has cores"
            f" for {len(cores())}"
        )
