"""Plays the seasons that are due, several at a time, and waits for the next."""

from __future__ import annotations

import time
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from contextlib import nullcontext
from datetime import UTC, datetime, timedelta
from functools import partial
from typing import Any

from card_arena.accounts.settings import ChallengeSettings
from card_arena.common.errors import ArenaFailure
from card_arena.common.hosts import Host
from card_arena.common.moments import written
from card_arena.results.entries import Season, Version
from card_arena.results.errors import Unknown, Unusable
from card_arena.results.store import Store
from card_arena.sandbox.backends.registry import backend
from card_arena.sandbox.languages.registry import LANGUAGES
from card_arena.sandbox.sandbox import BackendMissing, SandboxBroken
from card_arena.tables.game import UNRATED
from card_arena.tournament.intake import QUEUE, Intake
from card_arena.tournament.operations import OperationQueue
from card_arena.tournament.play.failures import SeasonStopped
from card_arena.tournament.play.lineup import BadLineUp, entered, line_up
from card_arena.tournament.play.pool import FairQueue, Pool, WorkerLost, WorkerPool
from card_arena.tournament.play.schedules import (
    AnotherContest,
    NoNonces,
    ValueAwaited,
    begin,
    demand_all,
    demand_continuity,
    demand_same_rules,
    demand_value,
)
from card_arena.tournament.play.season import Audience, Interrupted, Paused, play_season
from card_arena.tournament.play.steps import Concurrency, Outages, Steps, finish
from card_arena.tournament.requirements import Hosts, NotGuaranteed, Requirements, demand
from card_arena.tournament.reviews import QUEUE as REVIEWS
from card_arena.tournament.reviews import play_reviews
from card_arena.tournament.settings import ALWAYS, NEW_BOTS, Schedule, Settings, thaw

NO_WALLS = "every bot can read and change anything that you can, so admit only bots that you trust"


def play_seasons(
    store: Store,
    settings: Settings[Any],
    unfinished: Sequence[Season],
    due: Sequence[datetime],
    audience: Audience,
    pool: Pool,
    seed: bytes | None = None,
    operations: OperationQueue | None = None,
    outages: Outages | None = None,
) -> Steps[int]:
    """Finish a tournament's seasons, then play one for each due time; return the last one's size.

    How many matches it plays at a time, and its share, follow from its file as it is now: results
    don't depend on them.
    """
    matches = 0
    interrupted = partial(operations.interrupts, settings.name) if operations else lambda: False
    with pool.queue(settings.name, settings.share, settings.workers) as queue:
        for begun in unfinished:
            season = demand_value(store, begun)
            demand_same_rules(season)
            began_with = thaw(season.settings)
            queue.requirements = _requirements(store, began_with, settings.hosts, season)
            pool.demand([began_with])
            _warn(began_with, audience, pool)
            audience.begins(season, again=True)
            matches = yield from play_season(store, season, queue, audience, interrupted, outages)
        for moment in due:
            _warn(settings, audience, pool)
            season = yield from _begun(store, settings, queue, audience, moment, seed)
            matches = yield from play_season(store, season, queue, audience, interrupted, outages)
    return matches


def play_challenge(
    store: Store,
    season: Season,
    share: int,
    audience: Audience,
    pool: Pool,
    operations: OperationQueue | None = None,
    outages: Outages | None = None,
) -> Steps[int]:
    """Play a challenge that has begun; return how many matches it had."""
    settings = thaw(season.settings)
    requirements = _requirements(store, settings, "any", season)
    interrupted = partial(operations.interrupts, settings.name) if operations else lambda: False
    with pool.queue(season.tournament, share, None, requirements) as queue:
        demand_same_rules(season)
        pool.demand([settings])
        audience.begins(season, again=False)
        return (yield from play_season(store, season, queue, audience, interrupted, outages))


def _requirements(
    store: Store, settings: Settings[Any], hosts: Hosts, season: Season | None = None
) -> Requirements:
    """Return a season's requirements for the hosts of a cluster.

    The tournament's current file decides how far the hosts may differ.
    """
    model: Host | None = None
    versions: Iterable[Version]
    if season is None:
        versions = entered(store, settings)
    else:
        entrants = store.entrants(season.id)
        versions = store.versions([entrant.version_id for entrant in entrants]).values()
        model = next(iter(store.hosts(season.id)), None)
    languages = frozenset(version.language for version in versions)
    return Requirements(
        settings.backend_name,
        settings.require,
        hosts,
        languages if languages <= {*LANGUAGES} else None,
        model,
    )


def _begun(
    store: Store,
    settings: Settings[Any],
    queue: FairQueue,
    audience: Audience,
    due: datetime,
    seed: bytes | None,
) -> Steps[Season]:
    demand_continuity(settings, store.seasons(settings.name))
    queue.requirements = _requirements(store, settings, settings.hosts)
    tried = yield from line_up(store, settings, queue, audience.tried)
    versions = store.versions([entrant.version_id for entrant in tried])
    entrants = [entrant for entrant in tried if entrant.version_id in versions]  # or deleted
    season = begin(store, settings, entrants, due, seed)
    audience.begins(season, again=False)
    return demand_value(store, season)


def _warn(settings: Settings[Any], audience: Audience, pool: Pool) -> None:
    if not backend(settings.sandbox).isolated:
        audience.say(f"{settings.name} is played without sandboxes: {NO_WALLS}")
    if not settings.rated:
        audience.say(f"{settings.name} is {UNRATED}")
    if settings.workers and settings.workers > pool.workers:
        audience.say(
            f"{settings.name} wants {settings.workers} matches at a time; there are cores for"
            f" {pool.workers} now"
        )


CANT_PLAY = (
    Unusable,
    *(BadLineUp, Unknown, SeasonStopped, Interrupted, ValueAwaited, NoNonces),
    *(BackendMissing, SandboxBroken, WorkerLost, NotGuaranteed, AnotherContest),
)
"""Errors of one tournament or season, as opposed to the whole arena."""

WAITS = ValueAwaited | Paused
"""Errors of a season that waits for people."""

Pulse = Callable[[Collection[str], Mapping[str, str]], None]
"""Called every few seconds with the running tournaments, and those that can't run and why."""

AT_ONCE = datetime.min.replace(tzinfo=UTC)
NEVER = datetime.max.replace(tzinfo=UTC)

GLANCE = timedelta(seconds=2)
"""The interval for reading the clock while waiting, since the clock may be changed meanwhile."""

BREATH = timedelta(minutes=1)
"""The pause after uploads could not be checked, or matches not reviewed."""

REST = timedelta(minutes=10)
"""The pause of a tournament that is always played but had nothing to play, or of one that the arena
failed to play."""

NEW_BOTS_EVERY = timedelta(seconds=5)
"""The interval for looking for new bots."""


def run(
    store: Store,
    tournaments: Sequence[Settings[Any]],
    audience: Audience,
    *,
    wait: bool = True,
    pool: Pool | None = None,
    all_there_are: bool = False,
    intake: Intake | None = None,
    operations: OperationQueue | None = None,
    challenges: ChallengeSettings | None = None,
    pulse: Pulse = lambda *_: None,
) -> Mapping[str, Exception]:
    """Play every season that is due, then wait for the next, and repeat.

    Seasons of different tournaments are played at the same time and share the workers by their
    tournaments' `share`; those of one tournament follow each other. Returns when nothing is due and
    nothing ever will be, or as soon as nothing is due without `wait`; a tournament that is always
    due then plays one season. An interrupted season goes first, with the settings that it began
    with. A tournament that can't be played (`CANT_PLAY`) does not stop the others: it is tried
    again when it is next due. Returns the error of each such tournament, by name. Raises
    `NotGuaranteed` before anything starts if the sandboxes don't keep a guarantee that one of them
    requires, and `AnotherContest` if one of them can't continue from its last season.

    The `intake` accepts uploads meanwhile; with one and `wait` this never returns. `operations` are
    carried out between matches. Challenges that have begun are played beside everything else, by
    the settings `challenges`, and so are reviews that were asked for. The `pulse` reports that the
    loop runs.

    An existing `pool` plays everything. The tournaments are announced, and if they are
    `all_there_are`, any other announcement is withdrawn.
    """
    demand_all(store, tournaments)
    demand_sandboxes(tournaments, audience.say, pool)
    _announce(store, tournaments, all_there_are=all_there_are)
    challenges = challenges or ChallengeSettings()
    rota = _Rota(store, tournaments, audience, intake, operations, challenges, pulse, wait=wait)
    return rota.run(pool)


def demand_sandboxes(
    tournaments: Sequence[Settings[Any]], say: Callable[[str], None], pool: Pool | None = None
) -> None:
    """Check the guarantees of sandboxes, as `demand` does; wait while the machine fails in it."""
    outages = Outages(say, "the sandbox")
    while True:
        try:
            (pool.demand if pool else demand)(tournaments)
        except SandboxBroken as error:
            outages.wait(error)
        else:
            outages.over()
            return


def _announce(store: Store, tournaments: Sequence[Settings[Any]], *, all_there_are: bool) -> None:
    store.announce(
        {settings.name: settings.freeze() for settings in tournaments},
        all_there_are=all_there_are,
    )


def _failure_text(name: str, reason: Exception) -> str:
    if isinstance(reason, WAITS):
        return str(reason)
    return f"{name} could not be played: {reason}"


class _Rota:
    """The next check of each tournament, and the errors of those that could not be played."""

    def __init__(
        self,
        store: Store,
        tournaments: Sequence[Settings[Any]],
        audience: Audience,
        intake: Intake | None,
        operations: OperationQueue | None,
        challenges: ChallengeSettings,
        pulse: Pulse,
        *,
        wait: bool,
    ) -> None:
        self._failures: dict[str, Exception] = {}
        self._store = store
        self._tournaments = {settings.name: settings for settings in tournaments}
        self._audience = audience
        self._watching = datetime.now(UTC)
        self._looks = dict.fromkeys(self._tournaments, AT_ONCE)
        self._seen: set[str] = set()
        self._wait = wait
        self._intake = intake
        self._operations = operations
        self._challenges = challenges
        self._resting: dict[str, datetime] = {}
        """When what the arena failed to play beside tournaments is tried again: challenges by their
        tournaments, and reviews."""
        self._pulse = pulse
        self._next_glance = AT_ONCE
        self._next_review = AT_ONCE
        self._reviews = False
        self._uploads = False
        self._outages = Outages(audience.say)
        self._seasons_outages = Outages(audience.say)

    def run(self, pool: Pool | None) -> Mapping[str, Exception]:
        """Play what is due, again and again; see `run`."""
        before: list[str] = []
        while True:
            with nullcontext(pool) if pool else WorkerPool() as workers:
                self._play(workers)
            looks = ((look, name) for name, look in self._looks.items())
            moment, name = min(looks, default=(NEVER, ""))
            if (moment == NEVER and self._intake is None) or not self._wait:
                return self._failures
            sentences = [_failure_text(name, reason) for name, reason in self._failures.items()]
            if moment != NEVER and not isinstance(self._failures.get(name), WAITS):
                schedule = self._tournaments[name].schedule
                if schedule != NEW_BOTS:
                    zone = schedule.zone if isinstance(schedule, Schedule) else "UTC"
                    sentences.append(f"next: {name} at {written(moment, zone)}")
            for sentence in sentences:
                if sentence not in before:  # while a value is awaited, this comes every few seconds
                    self._audience.say(sentence)
            before = sentences
            wait_until(min([moment, *self._resting.values()]), self._has_requests)

    def _has_requests(self) -> bool:
        self._turn([])
        try:
            waits = (
                self._has_uploads()
                or self._has_reviews()
                or (self._operations is not None and self._operations.has_any())
            )
        except Unusable as error:
            self._outages.wait(error)
            return False
        self._outages.over()
        return waits

    def _turn(self, playing: Collection[str]) -> None:
        """Report another round of the loop; a season that waits for people is no failure."""
        failed = {
            name: str(reason)
            for name, reason in self._failures.items()
            if not isinstance(reason, WAITS)
        }
        self._pulse(playing, failed)

    def _has_uploads(self) -> bool:
        """Return whether an upload waits; it is looked up every few seconds."""
        now = datetime.now(UTC)
        if self._intake is not None and now >= self._next_glance:
            self._next_glance = now + GLANCE
            self._uploads = self._intake.is_wanted
        return self._uploads

    def _has_reviews(self) -> bool:
        """Return whether a review waits and is to be tried now; it is looked up now and then."""
        now = datetime.now(UTC)
        if now >= self._next_review:
            self._next_review = now + GLANCE
            self._reviews = self._store.next_review() is not None
        return self._reviews and now >= self._resting.get(REVIEWS, AT_ONCE)

    def _play(self, pool: Pool) -> None:
        with Concurrency[int](CANT_PLAY) as seasons:
            while self._has_started_what_is_due(seasons, pool):
                for name, end in seasons.advance(GLANCE.total_seconds()).items():
                    if name == QUEUE:
                        self._uploads = False
                        if isinstance(end, Exception):
                            self._next_glance = datetime.now(UTC) + BREATH
                            self._audience.say(
                                f"{QUEUE} can't be checked: {end}; trying again in a minute"
                            )
                        continue
                    if name not in self._tournaments:
                        self._end_beside(name, end)
                        continue
                    self._looks[name] = self._look_again(self._tournaments[name], end)
                    if isinstance(end, Unusable):
                        self._seasons_outages.wait(end)
                    if isinstance(end, Interrupted | Unusable):
                        continue
                    before = self._failures.pop(name, None)
                    if isinstance(end, Exception):
                        self._failures[name] = end
                        self._audience.stops(name)
                        if seasons.steps and str(before) != str(end):
                            self._audience.say(_failure_text(name, end))

    def _end_beside(self, name: str, end: int | Exception) -> None:
        """Note the end of a challenge, or of the reviews; what failed is tried again later."""
        if name == REVIEWS:
            self._next_review = AT_ONCE
        if isinstance(end, Unusable):
            self._seasons_outages.wait(end)
        elif isinstance(end, Exception) and not isinstance(end, Interrupted):
            self._resting[name] = datetime.now(UTC) + (BREATH if name == REVIEWS else REST)
            self._audience.stops(name)
            self._audience.say(_failure_text(name, end))

    def _has_started_what_is_due(self, seasons: Concurrency[int], pool: Pool) -> bool:
        """Begin all due seasons, after any outage; return whether one is running."""
        while True:
            try:
                self._start_what_is_due(seasons, pool)
            except Unusable as error:
                self._outages.wait(error)
            else:
                self._outages.over()
                return bool(seasons.steps)

    def _start_what_is_due(self, seasons: Concurrency[int], pool: Pool) -> None:
        self._turn([*seasons.steps])
        if self._operations is not None:
            self._operations.carry_out([*seasons.steps])
        paused = self._store.paused()
        for name, settings in self._tournaments.items():
            now = datetime.now(UTC)
            if name in seasons.steps or now < self._looks[name]:
                continue
            if name in paused:
                self._failures[name] = Paused(name, paused[name])
                self._looks[name] = now + GLANCE
                continue
            if isinstance(self._failures.get(name), Paused):
                del self._failures[name]
            played = self._store.seasons(name)
            unfinished = [season for season in played if season.finished is None]
            due = due_times(played, settings, now, self._watching, self._has_new_bots)
            if unfinished or due:
                seasons.steps[name] = play_seasons(
                    *(self._store, settings, unfinished, due, self._audience, pool),
                    operations=self._operations,
                    outages=self._seasons_outages,
                )
            else:
                if name not in self._seen:
                    self._audience.nothing_due(settings)
                self._looks[name] = _next_run(settings, now)
            self._seen.add(name)
        now = datetime.now(UTC)
        self._resting = {name: until for name, until in self._resting.items() if until > now}
        waiting = self._resting.keys() | paused.keys()
        begun = [each for each in self._store.open_challenges() if each.tournament not in waiting]
        for season in begun[: self._challenges.at_once]:
            if season.tournament not in seasons.steps:
                seasons.steps[season.tournament] = play_challenge(
                    *(self._store, season, self._challenges.share, self._audience, pool),
                    *(self._operations, self._seasons_outages),
                )
        if REVIEWS not in seasons.steps and self._has_reviews():
            seasons.steps[REVIEWS] = play_reviews(self._store, pool, self._audience.say)
        if self._intake is not None and QUEUE not in seasons.steps and self._has_uploads():
            seasons.steps[QUEUE] = self._intake.take_all(pool)
        if QUEUE in seasons.steps and self._intake is not None:
            self._intake.pass_on()

    def _has_new_bots(self, last: Season, settings: Settings[Any]) -> bool:
        """Return whether a version would play that the last season had not entered."""
        old = {entrant.version_id for entrant in self._store.entrants(last.id)}
        try:
            return any(version.id not in old for version in entered(self._store, settings))
        except CANT_PLAY:
            return True  # the next season reports the error

    def _look_again(self, settings: Settings[Any], end: int | Exception) -> datetime:
        """Return when to check a tournament after a season of `end` matches, or its failure."""
        now = datetime.now(UTC)
        if isinstance(end, Interrupted | Unusable):
            return AT_ONCE
        if isinstance(end, ValueAwaited):
            return now + GLANCE
        if settings.schedule == ALWAYS:
            if not self._wait:
                return NEVER
            return AT_ONCE if isinstance(end, int) and end else now + REST
        if isinstance(end, ArenaFailure):  # it may be over before the next season is due
            following = _next_run(settings, now)
            return following if following == NEVER else min(following, now + REST)
        return _next_run(settings, now) if isinstance(end, Exception) else AT_ONCE


def run_once(
    store: Store,
    settings: Settings[Any],
    audience: Audience,
    seed: bytes | None = None,
    pool: Pool | None = None,
    operations: OperationQueue | None = None,
) -> None:
    """Play a season now: finish an interrupted one, or else begin a new one.

    So a command that was killed can simply be repeated. A `seed` that is not the interrupted
    season's begins a new one all the same. `pool` and `operations` are as for `run`. Raises
    `NotGuaranteed` beforehand if the sandboxes don't keep a required guarantee, `AnotherContest` if
    the tournament can't continue from its last season, and `Paused`.
    """
    demand_all(store, [settings])
    demand_sandboxes([settings], audience.say, pool)
    _announce(store, [settings], all_there_are=False)
    played = store.seasons(settings.name)
    unfinished = [season for season in played if season.finished is None]
    new = not unfinished or seed not in (None, *(season.seed for season in unfinished))
    for season in unfinished:
        then = "" if new else ", and no new season begins"
        audience.say(f"season {season.number} of {settings.name} was interrupted; resuming{then}")
    if new and any(season.seed == seed for season in played):
        audience.say(f"{settings.name} had this seed before: all its packs are known")
    due = [datetime.now(UTC)] if new else []
    outages = Outages(audience.say)
    with nullcontext(pool) if pool else WorkerPool() as workers:
        while True:
            try:
                seasons = store.seasons(settings.name)
                unfinished = [season for season in seasons if season.finished is None]
                if len(seasons) > len(played):  # the one that is due has begun
                    due = []
                if operations is not None:
                    operations.carry_out([])
                if reason := store.paused().get(settings.name):
                    raise Paused(settings.name, reason)
                about = (store, settings, unfinished, due, audience, workers)
                finish(play_seasons(*about, seed, operations, outages))
            except Interrupted:
                continue
            except Unusable as error:
                outages.wait(error)
            else:
                return


def due_times(
    seasons: Sequence[Season],
    settings: Settings[Any],
    now: datetime,
    watching: datetime,
    has_new_bots: Callable[[Season, Settings[Any]], bool] = lambda *_: False,
) -> tuple[datetime, ...]:
    """Return the moments for which a new season is due; without a schedule there is only one.

    One that is always played is due now, and one for new bots if it `has_new_bots`. A tournament
    that was never played counts from `watching`, the moment since which the arena has been running.
    """
    if settings.schedule is None:
        return () if seasons else (now,)
    if settings.schedule == ALWAYS:
        return (now,)
    if settings.schedule == NEW_BOTS:
        return (now,) if not seasons or has_new_bots(seasons[-1], settings) else ()
    since = max((season.due for season in seasons), default=watching)
    return settings.schedule.due(since, now, watching)


def _next_run(settings: Settings[Any], now: datetime) -> datetime:
    """Return the first moment after this one for which a season may be due."""
    if settings.schedule is None:
        return NEVER
    if settings.schedule == NEW_BOTS:
        return now + NEW_BOTS_EVERY
    return now + REST if settings.schedule == ALWAYS else settings.schedule.next_run(now)


def wait_until(moment: datetime, interrupted: Callable[[], bool] = lambda: False) -> None:
    """Sleep until a moment, even if the clock is changed meanwhile, or until `interrupted`."""
    while (left := moment - datetime.now(UTC)) > timedelta(0) and not interrupted():
        time.sleep(min(left, GLANCE).total_seconds())
